import type { AdminCode, AdminError, AdminFacts } from '../../business/operations/admin-error'
import { problemText } from '../../business/catalogue/operations/vendor-words'
import { refusalText } from '../../business/operations/refusals/refusal-text'
import type { RefusedElsewhere } from '../remote/over-http'

/** Hints of commands beside a refusal's text, or in its place: which command or option goes on from there. */
type CommandWords = {
  readonly [Code in AdminCode]?: (text: string, facts: AdminFacts[Code]) => string
}

const commandWords: CommandWords = {
  check_failed: (_, { what }) =>
    `chapar ${what} ended without an answer: run it on the machine itself`,
  key_limit_needed: (_, { max }) =>
    `a key of staff has a spend limit, of $${max} at most: --spend-limit, or ask an owner`,
  sms_option_missing: (_, { provider, option }) => `${provider} needs --option ${option}=…`,
  gateway_option_missing: (_, { kind, option }) => `${kind} needs --option ${option}=…`,
  vendor_trial_failed: (text, { vendor, problem: code, answered: status, address, isListing }) =>
    isListing === true
      ? text
      : `${vendor}: ${problemText({ code, status, address })}. Nothing was saved; --force saves it all the same, --no-test does not ask`,
  sandbox_only_switched: () => 'the sandbox can only be switched --on or --off',
  amount_above_staff: (text) => `${text}, or chapar settings set staff-amount`,
  staff_day_used: (text) => `${text}, or chapar settings set staff-day`,
  staff_verifications_used: (text) => `${text}, or chapar settings set staff-verifications`,
  rate_not_set: (text) => `${text}: set one with chapar rate set`,
  key_not_found: (text) => `${text}; see chapar key list`,
  operator_not_found: (text) => `${text}; see chapar operator list`,
  operator_ready: (text, { operator }) =>
    `${text}: chapar operator reset ${operator} makes them begin anew`,
  operators_set_up: (text) => `${text}: name the operator, or add one with chapar operator add`,
  operator_key_not_found: (text) => `${text}; see chapar operator key list`,
  refunded_before: (text) => `${text} with chapar account adjust`,
  balance_below_zero: (text) => `${text} with --yes`,
  model_not_found: (text) => `${text}; see chapar model list --all`,
  alias_taken: (text, { alias }) => `${text}: chapar model alias remove ${alias}`,
  alias_not_found: (text) => `${text}; see chapar model alias list`,
  sms_log_outside_demo: (text) => `${text}: chapar serve --demo, or CHAPAR_DEMO=1`,
  sms_secret_missing: (text) => `${text}: --key-stdin`,
  sms_too_many: (text) => `${text} with chapar sms remove`,
  gateways_too_many: (text) => `${text} with chapar gateway remove`,
  gateway_secret_missing: (text) => `${text}: --secret-stdin`,
  gateway_refused: (text, { fault }) =>
    fault === 'no_answer' ? text : `${text}; see chapar gateway test --help`,
  gateway_not_found: (text) => `${text}; see chapar gateway list`,
  gateway_waits: (text) =>
    `${text}: see chapar payments list --state started, or confirm with --yes`,
  payment_not_found: (text) => `${text}; see chapar payments list`,
  redeem_amount_missing: (text) => `${text}: --usd`,
  redeem_code_not_found: (text) => `${text}; see chapar code list`,
  redeem_code_ended: (text) => `${text}: see chapar code list`,
  person_not_found: (text) => `${text}; see chapar person list`,
  phone_taken: (text) => `${text}; see chapar person list`,
  key_rpm_above_account: (text, { account, asked }) =>
    `${text} (chapar account set ${account} --rpm ${asked})`,
  key_expiry_past: (text) => `${text}: chapar key disable switches a key off`,
  sms_not_found: (text) => `${text}; see chapar sms list`,
  sister_secret_missing: (text) => `${text}: --secret-stdin`,
  sister_not_found: (text) => `${text}; see chapar sister set --help`,
  model_exists: (text) => `${text}: change it with chapar model set`,
  route_missing: (text) => `${text}: --route VENDOR:MODEL`,
  vendor_address_missing: (text) => `${text}: --base-url https://…/v1`,
  vendor_address_not_bare: (text) => `${text}: the key goes to --api-key`,
  vendor_exists: (text, { vendor }) =>
    `${text}: chapar vendor set ${vendor} changes it, its key too (--api-key-stdin)`,
  vendor_not_found: (text) => `${text}; see chapar vendor list`,
  vendor_found: (text, { vendor }) => `${text}, or chapar vendor set ${vendor} --off`,
  credential_exists: (text, { vendor }) => `${text}; see chapar vendor credential list ${vendor}`,
  credential_known: (text, { vendor }) => `${text}; see chapar vendor credential list ${vendor}`,
  credential_not_found: (text, { vendor }) =>
    `${text}; see chapar vendor credential list ${vendor}`,
  last_credential: (text, { vendor }) => `${text}, or chapar vendor set ${vendor} --off`,
  no_price_by_rule: (text) => `${text}; see chapar price cost, chapar price rules list`,
  incomplete_prices: (text, { free }) => (free ? text : `${text} (or say --free)`),
  rule_not_found: (text) => `${text}; see chapar price rules list`,
  notice_not_failed: (text) => `${text}; see chapar notices list --failed`,
  group_not_found: (text) => `${text}; see chapar group list`,
  rule_is_last: (text) => `${text}: chapar price rules set --markup 0 takes its markup away`,
  proposal_not_pending: (text) => `${text}; see chapar prices list`,
  end_not_later: (text) => `${text}: approve it without --from`,
  verification_not_found: (text) => `${text}; see chapar verification list`,
  national_code_taken: (text) => `${text}; see chapar settings get person-accounts`,
  checker_not_found: (text) => `${text}, by chapar verification approve`,
  mail_open: (text) => `${text}: --security none is for this machine only`,
  mail_password_missing: (text) => `${text}: --password-stdin`,
  mail_not_found: (text) => `${text}; see chapar mail set --help`,
  account_owes: (text) => `${text} by chapar account adjust first`,
  balance_left: (text) => `${text}: say --give-up with the account’s name`,
}

const isKnown = (code: string): code is AdminCode => code in commandWords

/** A refused change as a sentence for the person at the command line. */
export function refusalWords<Code extends AdminCode>(error: AdminError<Code>): string {
  const text = refusalText(error, 'en')
  return commandWords[error.code]?.(text, error.facts) ?? text
}

/** Same, for one by a gateway elsewhere: its release may know other codes. */
export const wordsElsewhere = ({ message, code, facts }: RefusedElsewhere): string =>
  code !== null && facts !== null && isKnown(code)
    ? (commandWords[code]?.(message, facts as never) ?? message)
    : message
