import { showUsd } from '../../../domain/money'
import type { TicketFault } from '../../users/sso-token'
import type { AdminTexts, MachineOnly } from '../admin-error'
import type { TrialProblem } from '../../catalogue/vendor-problem'
import { inputEn } from './input-en'

const machineOnly: Readonly<Record<MachineOnly, string>> = {
  sms_command: 'an SMS provider that runs a program',
  price_file: 'a file of prices',
}

/** Words for an obstacle to calls to a vendor. */
export function trialProblemEn({ code, status, address }: TrialProblem): string {
  const complete = 'is the address complete, as in …/v1?'
  switch (code) {
    case 'no_answer':
      return `${address} does not answer`
    case 'key_wanted':
      return `it wants a key (${status})`
    case 'key_refused':
      return `it refuses our key (${status})`
    case 'address_incomplete':
      return `it has no list of models at ${address.replace(/\/v1$/, '')}, but at ${address}`
    case 'no_list':
      return `it answered with no list of models: ${complete}`
    case 'other_status':
      return `it answered ${status}${status === 404 ? `: ${complete}` : ''}`
  }
}

const ticketFaults: Readonly<Record<TicketFault, string>> = {
  form: 'not a JSON Web Token in its compact form, or longer than 2048 characters',
  algorithm: 'its header must say "alg": "HS256", and nothing critical',
  signature: 'signed with another secret, or changed since',
  claims: 'a claim is missing or of another type: aud, jti (16 to 128), phone, nonce, iat, exp',
  audience: 'aud is not the address of this service',
  time: 'over, not begun, or longer than 60 seconds from iat to exp',
  phone: 'phone is not an Iranian mobile number',
}

/** English text of every refusal of an operator's change: a clause, without a full stop. */
export const refusalsEn: AdminTexts = {
  role_too_low: ({ needed, role }) => `that takes the role ${needed}; yours is ${role}`,
  input_invalid: (facts) =>
    `${facts.field === '' ? 'what was sent' : facts.field}: ${inputEn(facts)}`,
  amount_above_staff: ({ max }) => `staff moves at most $${max} at once: ask an owner`,
  staff_day_used: ({ max, left }) =>
    `staff gives at most $${max} a day (UTC), and $${left} of it are left: ask an owner`,
  staff_verifications_used: ({ max }) =>
    `staff approves at most ${max} verifications a day (UTC), and none is left: ask an owner`,
  key_limit_needed: ({ max }) =>
    `a key of staff has a spend limit, of $${max} at most: ask an owner for another one`,
  only_on_machine: ({ what }) =>
    `${machineOnly[what]} is for commands on the machine itself, not from elsewhere`,
  reference_taken: ({ reference }) =>
    `the reference ${reference} was counted for another account or amount`,
  rate_not_set: () => 'there is no rate of coins yet',
  project_not_found: ({ project }) => `there is no project ${project}`,
  key_not_found: ({ key }) => `there is no key ${key}`,
  setting_not_found: ({ name, known }) =>
    `there is no setting ${name}; there are: ${known.join(', ')}`,
  setting_invalid: ({ name, rule }) => `${name} ${rule}`,
  kept_in_memory: () =>
    'this gateway keeps everything in memory: there is nothing to check or save',
  check_failed: ({ what }) => `${what} ended without an answer: see the log of the service`,
  commands_busy: ({ max }) => `${max} commands from elsewhere run already: try again`,
  operator_not_found: ({ operator }) => `there is no operator ${operator}`,
  operator_name_invalid: ({ operator }) =>
    `an operator’s name is small letters, digits, dots, dashes and underscores, not ${operator}`,
  operator_exists: ({ operator }) =>
    `${operator} is, or was, the name of an operator: the trail speaks of them, take another one`,
  operator_ready: ({ operator }) => `${operator} has signed in already`,
  operators_set_up: () => 'there is an owner already',
  last_operator: ({ operator }) =>
    `${operator} is the last owner who can sign in: make somebody else an owner first`,
  operator_key_not_found: ({ key }) => `there is no operator key ${key}`,
  locks_you_out: ({ address }) =>
    `your address ${address} is not in that list: you would not be answered any more`,
  trail_line_not_found: ({ line }) => `the trail has no line ${line}`,
  not_undoable: ({ line }) => `what line ${line} changed cannot be set back`,
  changed_since: ({ line }) =>
    `what line ${line} changed was changed again: set it by hand, or undo that first`,
  video_not_found: ({ video }) => `there is no video ${video}`,
  phone_move_not_found: ({ person }) => `no move of person ${person} is waiting`,
  ticket_refused: ({ fault }) => ticketFaults[fault],
  public_url_missing: () => 'CHAPAR_URL is not set: it is what aud must say',
  call_not_found: ({ request }) => `there is no request ${request}, or it is not written yet`,
  call_not_stoppable: ({ request }) =>
    `${request} is over, or cannot be stopped any more: it ends by itself`,
  call_running: ({ request }) => `${request} is still running: refund it once it has ended`,
  nothing_charged: ({ request }) => `${request} was charged nothing: there is nothing to refund`,
  refunded_before: ({ request, refunded }) =>
    `${request} was refunded before ($${showUsd(refunded)}), and a call is refunded once: correct the balance`,
  refund_too_large: ({ request, asked, charged }) =>
    `$${showUsd(asked)} is more than ${request} was charged: $${showUsd(charged)} at most`,
  video_open: ({ request, video }) =>
    `${video} of ${request} is still being made: it is refunded by itself if it fails or is deleted`,
  account_not_found: ({ account }) => `there is no account ${account}`,
  balance_below_zero: ({ account, balance, after }) =>
    `the balance of account ${account} is $${showUsd(balance)}, and would be $${showUsd(after)}: confirm`,
  model_not_found: ({ model }) => `there is no model ${model}`,
  invalid_alias: ({ alias }) =>
    `${alias} cannot be an alias: at most 256 characters, without spaces and stars`,
  alias_is_model: ({ alias }) => `there is a model ${alias} already`,
  alias_taken: ({ alias, model }) => `${alias} is an alias of ${model} already`,
  alias_not_found: ({ alias }) => `there is no alias ${alias}`,
  fallback_is_itself: ({ model }) => `${model} cannot be tried in place of itself`,
  fallback_is_name: ({ model, aliasOf }) =>
    `${model} is a name of several models itself, and fallbacks have none of their own: name ${aliasOf.join(', ')}`,
  fallback_other_family: ({ model, family, fallback, fallbackFamily }) =>
    `${fallback} is of type ${fallbackFamily} and ${model} of type ${family}: it could not answer its calls`,
  no_fallbacks: ({ family }) =>
    `${family} models have no fallbacks: a call of one is asked of that model alone`,
  too_many_fallbacks: ({ max }) => `at most ${max} models can be named`,
  name_has_no_own: ({ model, aliasOf }) =>
    `${model} stands for ${aliasOf.join(', ')} and has no routes, prices or settings of its own: change those`,
  sms_log_outside_demo: () => 'codes are printed by a gateway in demo mode alone',
  sms_option_missing: ({ provider, option }) => `${provider} needs the option ${option}`,
  sms_option_unknown: ({ provider, option }) => `${provider} has no option ${option}`,
  sms_secret_missing: ({ provider }) => `${provider} needs a key`,
  sms_too_many: ({ max }) => `there are ${max} providers already: remove one`,
  gateway_name_invalid: ({ name }) =>
    `a gateway’s name is small letters, digits, - and _, and not bank: ${name}`,
  gateway_kind_stays: ({ name, kind }) =>
    `${name} is a ${kind} gateway: give the new one another name`,
  gateways_too_many: ({ max }) => `there are ${max} gateways already: remove one`,
  gateway_option_unknown: ({ kind, option }) => `${kind} has no option ${option}`,
  gateway_option_missing: ({ kind, option }) => `${kind} needs the option ${option}`,
  gateway_option_invalid: ({ option, value }) =>
    option === 'base'
      ? `${value} is not an https address; http is for this machine only`
      : `${option} cannot be ${value}`,
  gateway_secret_missing: ({ kind }) => `${kind} needs its secret`,
  gateway_secret_invalid: ({ kind, lines }) =>
    `the secret of ${kind} has other lines: ${lines.join('; ')}`,
  gateway_refused: ({ name, fault }) =>
    fault === 'no_answer'
      ? `${name} gave no answer that could be read`
      : `${name} refused, with its code ${fault}`,
  gateway_not_found: ({ name }) => `there is no gateway ${name}`,
  gateway_waits: ({ name, waiting }) =>
    `${waiting} payments wait for ${name} and could not be credited any more`,
  payment_not_found: ({ payment }) => `there is no payment ${payment} by card`,
  payment_gateway_gone: ({ payment, gateway }) =>
    `the gateway ${gateway} of ${payment} was removed: set it up again to ask it`,
  redeem_amount_missing: () => 'a code is worth more than nothing',
  redeem_codes_count: ({ max }) => `1 to ${max} codes are made at once`,
  redeem_expiry_past: () => 'that has passed',
  redeem_code_not_found: ({ name }) => `there is no code ${name}`,
  redeem_code_ended: ({ name }) => `nothing is left to revoke of ${name}`,
  note_not_found: ({ note }) => `there is no note ${note} on that account`,
  person_not_found: ({ person }) => `there is no person ${person}`,
  phone_taken: ({ phone }) => `${phone} is somebody's number already`,
  key_ambiguous: ({ prefix, keys }) =>
    `several keys begin with ${prefix}: say which by id (${keys.join(', ')})`,
  key_rpm_above_account: ({ max }) =>
    `the account allows ${max} requests per minute: raise that first`,
  key_revoked: ({ key }) => `key ${key} is revoked for good: create a new one`,
  key_expiry_past: () => 'that has passed',
  model_pattern_invalid: ({ pattern }) =>
    `neither a model's id nor a pattern such as openai/*: ${pattern}`,
  address_range_invalid: ({ range }) => `neither an address nor a range: ${range}`,
  sms_refused: ({ name, fault }) => `${name} did not take the message: ${fault}`,
  sms_not_found: ({ name }) => `there is no provider ${name}`,
  sister_url_invalid: ({ url }) => `${url} is not an https address; http is for this machine only`,
  sister_name_invalid: () => 'a name is 1 to 40 characters',
  sister_secret_short: ({ min }) => `the secret has fewer than ${min} characters`,
  sister_secret_missing: () => 'the sister service needs a secret',
  sister_not_found: () => 'no sister service is set up',
  model_exists: ({ model }) => `there is a model ${model} already`,
  route_missing: () => 'a model needs a way to it',
  responses_missing: ({ trait, vendor }) =>
    `the trait ${trait} means the Responses endpoint, and ${vendor} has none that is known to be whole`,
  route_vendor_unknown: ({ vendor, known }) =>
    `there is no vendor ${vendor}; there are: ${known.join(', ')}`,
  vendor_kind_unknown: ({ kind, known }) =>
    `no vendor is of kind ${kind}; there are: ${known.join(', ')}`,
  vendor_dialect_unknown: ({ dialect, known }) =>
    `no dialect is called ${dialect}; there are: ${known.join(', ')}`,
  vendor_address_missing: () => 'an address is needed',
  vendor_address_invalid: ({ address }) => `not an http address: ${address}`,
  vendor_address_not_bare: () => 'an address has no user, query or fragment in it',
  vendor_address_own: ({ address }) => `${address} is this gateway: it cannot be its own vendor`,
  vendor_trial_failed: ({ vendor, problem: code, answered: status, address }) =>
    `${vendor}: ${trialProblemEn({ code, status, address })}. Nothing was saved`,
  bill_unusable: ({ message }) => message,
  vendor_exists: ({ vendor }) => `there is a vendor ${vendor} already`,
  vendor_not_found: ({ vendor }) => `there is no vendor ${vendor}`,
  vendor_found: ({ vendor }) =>
    `${vendor} comes from the service’s environment: take its key from there`,
  vendor_key_elsewhere: ({ vendor }) =>
    `${vendor} was found in the environment of the gateway, and its key is not known here: set its variable in this shell too`,
  invalid_credential_name: ({ name }) =>
    `a credential’s name is letters, digits, - and _, not ${name}`,
  credential_exists: ({ vendor, name }) => `${vendor} has a credential ${name} already`,
  credential_known: ({ vendor }) => `${vendor} has this key already`,
  credential_not_found: ({ vendor, name }) => `${vendor} has no credential ${name}`,
  last_credential: ({ vendor, name }) =>
    `${name} is the only credential of ${vendor} in use: add another one first`,
  invalid_vendor_name: () => 'a vendor’s name is letters, digits, - and _, and not sandbox',
  no_price_by_rule: ({ model }) =>
    `no rule makes a price for ${model}: what its routes cost is not known, or its rule wants a typed price`,
  incomplete_prices: ({ type, free, missing }) =>
    free
      ? `a free ${type} model is not sold with: ${missing.join(', ')}`
      : `a ${type} model is not sold without these prices above zero: ${missing.join(', ')}`,
  uncounted_prices: ({ type, meters }) => `a ${type} model is not counted by: ${meters.join(', ')}`,
  rule_not_found: ({ scope }) => `there is no pricing rule for ${scope}`,
  account_without_owner: ({ account }) =>
    `nobody signs in for account ${account}: there is nothing to see as its owner`,
  notice_not_failed: ({ notice }) => `no channel gave up ${notice}, or there is no such notice`,
  group_not_found: ({ group }) => `there is no group ${group}`,
  group_exists: ({ group }) => `another group is called ${group}`,
  rule_is_last: () => 'the rule for everything stays',
  proposal_not_pending: ({ id }) => `no price proposal ${id} waits for a decision`,
  end_not_later: ({ id, model }) => `${id} discontinues ${model}, which begins at once`,
  verification_not_found: ({ account }) =>
    `account ${account} has sent nothing that can be decided`,
  verification_decided: ({ account, state }) =>
    `the verification of account ${account} is ${state} already`,
  verification_reason_invalid: ({ max }) =>
    `a reason of 1 to ${max} characters is needed: its holder reads it`,
  national_code_taken: () => 'another account is verified by this national code',
  checker_url_invalid: ({ url }) => `${url} is not an https address; http is for this machine only`,
  checker_body_invalid: () => 'the body must be JSON with {national_code} in it',
  checker_pointer_invalid: ({ pointer }) =>
    `${pointer} is not a JSON pointer such as /data/matched`,
  checker_header_invalid: ({ header }) => `${header} cannot be the name of a header`,
  checker_not_found: () => 'no service decides: people do',
  mail_host_invalid: ({ host }) => `${host} is not the name of a host`,
  mail_from_invalid: ({ from }) =>
    `${from} is neither an address nor such as Chapar <notices@example.com>`,
  mail_open: ({ host }) => `mail to ${host} would be read on its way`,
  mail_password_missing: ({ user }) => `${user} needs a password`,
  mail_refused: ({ host, fault }) => `${host} did not take the letter: ${fault}`,
  mail_not_found: () => 'no mail server is set up',
  account_closed: ({ account }) => `account ${account} is closed`,
  account_busy: ({ account }) =>
    `calls of account ${account} run, or its balance has just changed: try again in a moment`,
  payment_waits: ({ account }) =>
    `a payment for account ${account} is at the bank: try again in twenty minutes`,
  account_owes: ({ account, balance }) =>
    `the balance of account ${account} is $${showUsd(balance)}: settle it`,
  balance_left: ({ account, balance }) =>
    `account ${account} has $${showUsd(balance)} left, which nobody pays out`,
  account_name_differs: ({ account }) => `that is not the name of account ${account}`,
  sandbox_only_switched: () => 'the sandbox can only be switched on or off',
}
