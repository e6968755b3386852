import type { AccountId, KeyId, RequestId, VideoId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import type { InputFault } from './refusals/input-fault'
import type { TicketFault } from '../users/sso-token'
import type { TrialProblem } from '../catalogue/vendor-problem'

/** What only a command on the machine itself may set: it runs a program there, or reads a file. */
export type MachineOnly = 'sms_command' | 'price_file'

/** Refusals of an operator's change by code, with the facts of each. */
export interface AdminFacts {
  /** The operator may not do so; roles from least to most. */
  role_too_low: { readonly needed: OperatorRole; readonly role: OperatorRole }
  /** What was sent is not what the operation takes. */
  input_invalid: { readonly field: string } & InputFault
  /** Staff moves at most so much money at once. */
  amount_above_staff: { readonly max: string }
  /** Staff gives so much in a UTC day, of which this is left. */
  staff_day_used: { readonly max: string; readonly left: string }
  staff_verifications_used: { readonly max: string }
  /** A key that staff makes spends no more than its limit, which counts as given. */
  key_limit_needed: { readonly max: string }
  /** It runs a program or reads a file there. */
  only_on_machine: { readonly what: MachineOnly }
  /** Counted for another account or amount. */
  reference_taken: { readonly reference: string }
  rate_not_set: Readonly<Record<string, never>>
  project_not_found: { readonly project: number }
  key_not_found: { readonly key: number | string }
  /** Several begin so. */
  key_ambiguous: { readonly prefix: string; readonly keys: readonly number[] }
  setting_not_found: { readonly name: string; readonly known: readonly string[] }
  setting_invalid: { readonly name: string; readonly rule: string }
  /** Everything is kept in memory: there is no file to look at. */
  kept_in_memory: Readonly<Record<string, never>>
  /** It ended without an answer; the log of the service may say why. */
  check_failed: { readonly what: string }
  /** As many commands from elsewhere run already. */
  commands_busy: { readonly max: number }
  /** Everything is kept in memory: there is nothing that a command could open. */
  operator_not_found: { readonly operator: string }
  operator_name_invalid: { readonly operator: string }
  /** Somebody is called so, or was. */
  operator_exists: { readonly operator: string }
  /** Whoever has a password needs no link. */
  operator_ready: { readonly operator: string }
  /** The first owner is there: a link is somebody's. */
  operators_set_up: Readonly<Record<string, never>>
  /** Without them nobody could do everything. */
  last_operator: { readonly operator: string }
  operator_key_not_found: { readonly key: number }
  /** Whoever sets it would not be answered any more. */
  locks_you_out: { readonly address: string }
  trail_line_not_found: { readonly line: number }
  /** A change of this kind cannot be set back. */
  not_undoable: { readonly line: number }
  /** What is to be set back was changed again. */
  changed_since: { readonly line: number }
  call_not_found: { readonly request: string }
  /** It is over, or its answer comes whole and ends by itself. */
  call_not_stoppable: { readonly request: string }
  call_running: { readonly request: RequestId }
  nothing_charged: { readonly request: RequestId }
  /** A call is refunded once. */
  refunded_before: { readonly request: RequestId; readonly refunded: NanoUsd }
  refund_too_large: {
    readonly request: RequestId
    readonly asked: NanoUsd
    readonly charged: NanoUsd
  }
  /** A video that is not made is refunded by itself. */
  video_open: { readonly request: RequestId; readonly video: VideoId }
  account_not_found: { readonly account: AccountId }
  /** Allowed once the operator has confirmed it. */
  balance_below_zero: {
    readonly account: AccountId
    readonly balance: NanoUsd
    readonly after: NanoUsd
  }
  model_not_found: { readonly model: string }
  invalid_alias: { readonly alias: string }
  /** A model is called so. */
  alias_is_model: { readonly alias: string }
  /** It is an alias of this model already. */
  alias_taken: { readonly alias: string; readonly model: string }
  alias_not_found: { readonly alias: string }
  /** A model is no fallback of itself. */
  fallback_is_itself: { readonly model: string }
  /** One level: what a name stands for can be named itself. */
  fallback_is_name: { readonly model: string; readonly aliasOf: readonly string[] }
  fallback_other_family: {
    readonly model: string
    readonly family: string
    readonly fallback: string
    readonly fallbackFamily: string
  }
  /** Videos and conversations are asked of the named model alone. */
  no_fallbacks: { readonly family: string }
  too_many_fallbacks: { readonly max: number }
  /** A name of several models has no routes, prices or settings of its own. */
  name_has_no_own: { readonly model: string; readonly aliasOf: readonly string[] }
  /** Codes would be in the log of a service that people reach by https. */
  sms_log_outside_demo: {}
  sms_option_missing: { readonly provider: string; readonly option: string }
  sms_option_unknown: { readonly provider: string; readonly option: string }
  sms_secret_missing: { readonly provider: string }
  sms_too_many: { readonly max: number }
  gateway_name_invalid: { readonly name: string }
  /** Payments on their way belong to the kind that it had. */
  gateway_kind_stays: { readonly name: string; readonly kind: string }
  gateways_too_many: { readonly max: number }
  gateway_option_unknown: { readonly kind: string; readonly option: string }
  gateway_option_missing: { readonly kind: string; readonly option: string }
  gateway_option_invalid: {
    readonly kind: string
    readonly option: string
    readonly value: string
  }
  gateway_secret_missing: { readonly kind: string }
  gateway_secret_invalid: { readonly kind: string; readonly lines: readonly string[] }
  /** In the gateway's own code. */
  gateway_refused: { readonly name: string; readonly fault: string }
  gateway_not_found: { readonly name: string }
  /** Allowed once the operator has confirmed it. */
  gateway_waits: { readonly name: string; readonly waiting: number }
  payment_not_found: { readonly payment: string }
  video_not_found: { readonly video: string }
  payment_gateway_gone: { readonly payment: string; readonly gateway: string }
  redeem_amount_missing: Readonly<Record<string, never>>
  redeem_codes_count: { readonly max: number }
  redeem_expiry_past: Readonly<Record<string, never>>
  redeem_code_not_found: { readonly name: string }
  /** Redeemed or revoked before. */
  redeem_code_ended: { readonly name: string }
  note_not_found: { readonly note: number }
  person_not_found: { readonly person: number }
  /** None waits. */
  phone_move_not_found: { readonly person: number }
  /** Somebody else signs in by it. */
  phone_taken: { readonly phone: string }
  /** In the provider's own code. */
  sms_refused: { readonly name: string; readonly fault: string }
  sms_not_found: { readonly name: string }
  /** A ticket signs somebody in: on its way it is read by nobody. */
  sister_url_invalid: { readonly url: string }
  sister_name_invalid: Readonly<Record<string, never>>
  /** Nobody guesses one that is longer. */
  sister_secret_short: { readonly min: number }
  sister_secret_missing: Readonly<Record<string, never>>
  sister_not_found: Readonly<Record<string, never>>
  /** It breaks this rule. */
  ticket_refused: { readonly fault: TicketFault }
  /** Nobody said where this service is reached. */
  public_url_missing: Readonly<Record<string, never>>
  /** No key asks for more than its account may. */
  key_rpm_above_account: {
    readonly account: AccountId
    readonly max: number
    readonly asked: number
  }
  /** For good: a new key takes its place. */
  key_revoked: { readonly key: KeyId }
  key_expiry_past: Readonly<Record<string, never>>
  model_pattern_invalid: { readonly pattern: string }
  address_range_invalid: { readonly range: string }
  model_exists: { readonly model: string }
  /** A model needs a way to it. */
  route_missing: Readonly<Record<string, never>>
  route_vendor_unknown: { readonly vendor: string; readonly known: readonly string[] }
  /** A trait says that a model is served by an endpoint which its vendor has not. */
  responses_missing: { readonly trait: 'chat' | 'responses'; readonly vendor: string }
  vendor_exists: { readonly vendor: string }
  vendor_kind_unknown: { readonly kind: string; readonly known: readonly string[] }
  vendor_dialect_unknown: { readonly dialect: string; readonly known: readonly string[] }
  /** Its kind has no address of its own. */
  vendor_address_missing: Readonly<Record<string, never>>
  vendor_address_invalid: { readonly address: string }
  /** A user, query or fragment is in it, which may be a secret. */
  vendor_address_not_bare: Readonly<Record<string, never>>
  /** The gateway cannot be its own vendor. */
  vendor_address_own: { readonly address: string }
  /** Saved all the same once the operator has confirmed it. */
  vendor_trial_failed: {
    readonly vendor: string
    readonly problem: TrialProblem['code']
    /** HTTP status; 0 without an answer. */
    readonly answered: number
    readonly address: string
    /** Its models were asked for, and nothing was to be saved of itself. */
    readonly isListing?: true
  }
  /** The export of a vendor cannot be used. */
  bill_unusable: { readonly fault: string; readonly message: string }
  vendor_not_found: { readonly vendor: string }
  /** Found in the environment of the service, it is taken from there and not from here. */
  vendor_found: { readonly vendor: string }
  /** Found in the gateway's environment, whose variables this process does not have. */
  vendor_key_elsewhere: { readonly vendor: string }
  invalid_vendor_name: { readonly vendor: string }
  invalid_credential_name: { readonly name: string }
  credential_exists: { readonly vendor: string; readonly name: string }
  /** Another credential of the vendor has the same secret. */
  credential_known: { readonly vendor: string }
  credential_not_found: { readonly vendor: string; readonly name: string }
  /** Without it the vendor would be called without any. */
  last_credential: { readonly vendor: string; readonly name: string }
  /** Nobody knows what its routes cost, or its rule wants a typed price. */
  no_price_by_rule: { readonly model: string }
  incomplete_prices: {
    readonly model: string
    readonly type: string
    readonly free: boolean
    readonly missing: readonly string[]
  }
  uncounted_prices: { readonly type: string; readonly meters: readonly string[] }
  rule_not_found: { readonly scope: string }
  /** The rule for everything is always there. */
  rule_is_last: Readonly<Record<string, never>>
  /** Nobody signs in for it: there is nothing to see as its owner. */
  account_without_owner: { readonly account: AccountId }
  /** No channel gave it up, or there is none of this number. */
  notice_not_failed: { readonly notice: string }
  group_not_found: { readonly group: string }
  /** Another group is called so. */
  group_exists: { readonly group: string }
  proposal_not_pending: { readonly id: number }
  /** A model is discontinued at once or not at all. */
  end_not_later: { readonly id: number; readonly model: string }
  verification_not_found: { readonly account: AccountId }
  /** It stands so already. */
  verification_decided: { readonly account: AccountId; readonly state: string }
  verification_reason_invalid: { readonly max: number }
  /** Another account is verified by it. */
  national_code_taken: { readonly account: AccountId }
  checker_url_invalid: { readonly url: string }
  checker_body_invalid: Readonly<Record<string, never>>
  checker_pointer_invalid: { readonly pointer: string }
  checker_header_invalid: { readonly header: string }
  checker_not_found: Readonly<Record<string, never>>
  mail_host_invalid: { readonly host: string }
  mail_from_invalid: { readonly from: string }
  /** Whoever stands between would read it. */
  mail_open: { readonly host: string }
  mail_password_missing: { readonly user: string }
  /** In the server's own code. */
  mail_refused: { readonly host: string; readonly fault: string }
  mail_not_found: Readonly<Record<string, never>>
  account_closed: { readonly account: AccountId }
  /** Calls of it run, or money moved a moment ago. */
  account_busy: { readonly account: AccountId }
  /** Somebody may be at a page of the bank: what they pay would come to a closed account. */
  payment_waits: { readonly account: AccountId }
  account_owes: { readonly account: AccountId; readonly balance: NanoUsd }
  /** Allowed once it is given up by typing the name. */
  balance_left: { readonly account: AccountId; readonly balance: NanoUsd }
  account_name_differs: { readonly account: AccountId }
  /** What it sells is a setting, and it has nothing else to change. */
  sandbox_only_switched: Readonly<Record<string, never>>
}

export type AdminCode = keyof AdminFacts

/** Texts of refusals in one language. */
export type AdminTexts = { readonly [Code in AdminCode]: (facts: AdminFacts[Code]) => string }

/** A change that was refused; whoever asked for it says so in their own words. */
export class AdminError<Code extends AdminCode = AdminCode> extends Error {
  constructor(
    readonly code: Code,
    readonly facts: AdminFacts[Code],
  ) {
    super(code)
    this.name = 'AdminError'
  }
}

/** Checks a text that has something in it. @throws AdminError input_invalid */
export function checkTextLength(field: string, text: string, max: number): void {
  if (text === '') throw new AdminError('input_invalid', { field, rule: 'too_short', limit: 1 })
  if (text.length > max)
    throw new AdminError('input_invalid', { field, rule: 'too_long', limit: max })
}

/** Narrows to a refusal; `instanceof` alone would lose the types of code and facts. */
export const isAdminError = (thrown: unknown): thrown is AdminError => thrown instanceof AdminError

export const isRefusedBy = <Code extends AdminCode>(
  code: Code,
  thrown: unknown,
): thrown is AdminError<Code> => isAdminError(thrown) && thrown.code === code
