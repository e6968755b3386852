import type { AccountId, KeyId, NoticeId, PersonId, ProjectId } from './ids'
import type { Ms } from './clock'
import { nanoUsd, showUsd, type NanoUsd } from './money'

/**
 * Kinds of notices: a cap was reached (an operator's allowance too), a balance is below its floor, a vendor counted
 * more than a call can use, served it otherwise than its price is for or is in trouble, a call could not be recorded, or a sum is reported.
 */
export type NoticeKind =
  | 'key_spend_limit'
  | 'project_monthly_budget'
  | 'account_daily_cap'
  | 'preverification_ceiling'
  | 'service_day_capacity'
  | 'balance_floor'
  | 'vendor_counts_oddly'
  | 'vendor_serves_otherwise'
  | 'call_not_recorded'
  | 'sms_per_hour'
  | 'wrong_codes'
  | 'wrong_redeem_codes'
  | 'price_change_proposed'
  | PaymentNoticeKind
  | VendorNoticeKind
  | HolderNoticeKind
  | 'verification_submitted'
  | 'staff_day'
  | 'sample'

/** That top-ups are closed by an old rate, or that a gateway holds money which is not in our books. */
type PaymentNoticeKind = 'rate_too_old' | 'payment_unknown'

/** That a vendor refuses our credential, has no money of ours, does not work, or does again. */
export type VendorNoticeKind =
  'vendor_refuses_key' | 'vendor_out_of_money' | 'vendor_down' | 'vendor_back'

/** Changes by which somebody may take an account over: told by every way that there was before them. */
export type SecurityNoticeKind = (typeof securityKinds)[number]
export const securityKinds = [
  'passkey_added',
  'passkey_removed',
  'email_changed',
  'phone_changed',
  'webhook_changed',
  'member_joined',
  'role_changed',
  'member_removed',
] as const

/** Kinds that only the people of an account are told: payments, keys, sign-ins, decisions, invitations. */
export type HolderNoticeKind =
  | SecurityNoticeKind
  | 'payment_credited'
  | 'payment_refused'
  | 'key_made'
  | 'key_ending'
  | 'sign_in_new_place'
  | 'phone_moves'
  | 'verification_approved'
  | 'verification_rejected'
  | 'invited'

/** Subject of a notice: the narrowest that is not null; all are null for the whole service. */
export interface NoticeSubject {
  readonly account: { readonly id: AccountId; readonly name: string } | null
  readonly project: { readonly id: ProjectId; readonly name: string } | null
  readonly key: { readonly id: KeyId; readonly name: string; readonly prefix: string } | null
  /** Vendor of an odd count, and the called model. */
  readonly source?: CountSource
  /** Which vendor is in trouble, or back. */
  readonly vendor?: VendorSubject
  /** Person whose own it is, whatever account they look at: a sign-in, a number, an invitation. */
  readonly person?: { readonly id: PersonId }
  /** Further facts of its text, such as `reason` or `until`. */
  readonly facts?: Readonly<Record<string, string>>
  /** Which payment is not in our books. */
  readonly payment?: PaymentSubject
  /** Operator whose day it is, as the trail names them. */
  readonly operator?: { readonly name: string }
}

/** A payment as its gateway knows it. */
export interface PaymentSubject {
  readonly id: string
  readonly gateway: string
  readonly reference: string
  readonly currency: string
  /** In the currency's smallest unit. */
  readonly amount: number
}

/** A vendor, or one of our credentials there. */
interface VendorSubject {
  readonly name: string
  /** Null where it is the vendor itself. */
  readonly credential: string | null
}

/** A vendor, and the model that it counted for. */
export interface CountSource {
  readonly vendor: string
  readonly model: string
  /** Tier, speed or region as it names it, such as `service_tier priority`. */
  readonly served?: string
}

/** Per cent of a cap; null for a balance, which has no shares. */
export type Threshold = 80 | 100 | null

/** Something that whoever owns or runs an account should know. */
export interface Notice {
  readonly id: NoticeId
  readonly kind: NoticeKind
  readonly subject: NoticeSubject
  readonly threshold: Threshold
  /**
   * The cap, or the floor; for an odd count, what was charged for the call; of what is counted, whole
   * ones in the place of dollars; of price changes, those that the policy applied.
   */
  readonly limit: NanoUsd
  /** Amount spent of the cap; for a floor, the balance; for an odd count, its cost. */
  readonly amount: NanoUsd
  /**
   * `YYYY-MM`, `YYYY-MM-DD`, `YYYY-MM-DDTHH`, a moment (of a check, of a vendor's trouble), or '' where
   * the cap has no end.
   */
  readonly period: string
  readonly created: Ms
}

/** A notice on its way out, with the names of the channels that will carry it. */
export interface DueNotice {
  readonly notice: Notice
  readonly channels: readonly string[]
}

/** The number of the narrowest subject; 0 for the service. */
export const subjectId = ({ person, key, project, account }: NoticeSubject): number =>
  person?.id ?? key?.id ?? project?.id ?? account?.id ?? 0

/** One name for all of it. */
export const sourceName = ({ vendor, model, served }: CountSource): string =>
  served === undefined ? `${vendor} ${model}` : `${vendor} ${model} ${served}`

const ofVendors: readonly NoticeKind[] = [
  'vendor_refuses_key',
  'vendor_out_of_money',
  'vendor_down',
  'vendor_back',
]

const withoutAmount: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  ...ofVendors,
  'vendor_serves_otherwise',
  'key_made',
  'key_ending',
  'sign_in_new_place',
  'phone_moves',
  'verification_submitted',
  'rate_too_old',
  'payment_unknown',
  'verification_approved',
  'verification_rejected',
  'invited',
  ...securityKinds,
])

/** Whether a notice tells an amount; those of vendors, keys and people tell none. */
export const hasAmount = (kind: NoticeKind): boolean => !withoutAmount.has(kind)

/** Whether a notice is about a payment: its amount came in, or did not. */
export const isOfPayment = (kind: NoticeKind): boolean =>
  kind === 'payment_credited' || kind === 'payment_refused'

/** Whether a notice is about a count, not about money. */
export const isCountNotice = (kind: NoticeKind): boolean =>
  kind === 'sms_per_hour' ||
  kind === 'wrong_codes' ||
  kind === 'wrong_redeem_codes' ||
  kind === 'price_change_proposed'

const nanos = 1_000_000_000

/** A count as `limit` and `amount` hold it. */
export const countAmount = (count: number): NanoUsd =>
  nanoUsd(Math.min(count, Math.floor(Number.MAX_SAFE_INTEGER / nanos)) * nanos)

/** An amount as a decimal string: dollars, or a whole number where a count is meant. */
export const showAmount = (kind: NoticeKind, amount: NanoUsd): string =>
  isCountNotice(kind) ? String(Math.round(amount / nanos)) : showUsd(amount)

/** A cap or floor that the database reports as reached: four fifths of a cap spent, a balance below its floor, a faulty call. */
export interface ReachedCap {
  readonly kind: NoticeKind
  readonly subject: NoticeSubject
  readonly period: string
  readonly limit: NanoUsd
  readonly amount: NanoUsd
}
