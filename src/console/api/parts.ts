import type { SecretParts } from '../../business/accounts/keys'
import type { PaymentStore } from '../../business/payments/contract'
import type { AccountReader } from '../../domain/reports/account-reader'
import type { Impersonations } from '../../business/operators/impersonation'
import type { GroupId } from '../../domain/ids'
import type { Clock } from '../../domain/clock'
import type { PriceCard } from '../../domain/model'
import type { NanoUsd } from '../../domain/money'
import type { Reports } from '../../domain/reports/report'
import type { Directory } from '../../gateway/identity/account-directory'
import type { Ledger } from '../../ledger/ledger'
import type { Limits } from '../../gateway/limits/limits'
import type { EmailCodes } from '../../business/notices/recipients/email-codes'
import type {
  AccountWebhookStore,
  HolderNoticeStore,
  HolderSettingsStore,
} from '../../business/notices/recipients/contract'
import type { CardService } from '../../business/payments/card-desk'
import type { CardPaymentStore } from '../../business/payments/card-payment'
import type { Redeem } from '../../business/payments/voucher'
import type { ChangePhone } from '../../business/users/change-phone'
import type { ClosingStore } from '../../business/users/closure'
import type { Members } from '../../business/users/members'
import type { PasskeySite } from '../../business/users/passkey'
import type { Passkeys } from '../../business/users/passkeys'
import type { PeopleStore } from '../../business/users/user'
import type { PhoneMoveStore } from '../../business/users/phone-change-contract'
import type { Proofs } from '../../business/users/proof'
import type { Sessions } from '../../business/users/sessions'
import type { SignIn } from '../../business/users/sign-in'
import type { SisterSignIn } from '../../business/users/sso'
import type { Settings } from '../../gateway/settings/registry'
import type { Verifying } from '../../business/verification/submit'
import type { VerificationStore } from '../../business/verification/verification'
import type { Customer, CustomerOf } from '../customer'
import type { SoldModel } from '../models/sold-model'
import type { Own } from '../own'

/** Rooms that the API of the pages depends on. */
export interface ConsoleParts {
  /** As people read it. */
  serviceName(): string
  /** Where the service is reached, without a path; null where nobody said. */
  readonly publicUrl: string | null
  /** Cookies are sent over https alone. */
  readonly isSecure: boolean
  /** Customer who is signed in. */
  readonly customer: CustomerOf
  readonly own: Own
  /** Accounts, projects and keys, whose changes are this person's. */
  directory(who: Customer): Directory
  readonly people: PeopleStore
  readonly members: Members
  readonly passkeys: Passkeys
  /** Where passkeys of this visit work; null where browsers have none. */
  passkeySite(request: Request): PasskeySite | null
  readonly proofs: Proofs
  readonly sister: SisterSignIn
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly changePhone: ChangePhone
  /** Numbers that an operator moves, and the person may keep. */
  phoneMoves(who: Customer): Pick<PhoneMoveStore, 'find' | 'cancel'>
  readonly ledger: Pick<
    Ledger,
    'funds' | 'spentByAccount' | 'spentByAccountOn' | 'spentByKey' | 'spentByProject' | 'flush'
  >
  readonly verifying: Verifying
  readonly verifications: Pick<VerificationStore, 'find'>
  readonly holderNotices: Pick<HolderNoticeStore, 'bell' | 'unread' | 'seen'>
  readonly holderSettings: HolderSettingsStore
  readonly accountWebhooks: AccountWebhookStore
  /** Whether an address may lead to the public internet; what a name leads to is looked up at delivery. */
  mayBePublic(url: URL): boolean
  readonly emailCodes: EmailCodes
  /** Whether an operator has set up a mail server. */
  hasMail(): Promise<boolean>
  /** Ends of accounts, which are this person's. */
  closings(who: Customer): ClosingStore
  readonly payments: Pick<PaymentStore, 'list'>
  /** Balances below it are told where the account has no floor of its own; null for none. */
  readonly noticeFloor: NanoUsd | null
  /** Payments by card. */
  readonly cards: CardService
  readonly cardPayments: Pick<CardPaymentStore, 'find' | 'list'>
  readonly redeem: Redeem
  /** Where banks lead browsers back to, without a path; null where it is not configured: nobody pays. */
  returnRoot(): string | null
  readonly reader: AccountReader
  readonly reports: Pick<Reports, 'call'>
  /** The prices of a model in this version; null when they are not known any more. */
  cardOf(model: string, version: string): Promise<PriceCard | null>
  /** Models on sale, sorted by id, at what accounts of a group pay. */
  onSale(group?: GroupId | null): readonly SoldModel[]
  /** Same, and again under each alias that lists show; the same array as long as nothing has changed. */
  listedModels(group?: GroupId | null): readonly SoldModel[]
  /** Rate of local coins by now, a decimal string; null where there is none. */
  coinsPerUsd(): Promise<string | null>
  /** Operators who look at accounts as their owners see them. */
  readonly looks: Impersonations
  /** Where operators reach the console, without a path. */
  operatorUrl(): string
  /** Prefix and pepper of keys' secrets. */
  readonly secrets: SecretParts
  readonly clock: Clock
  readonly settings: Pick<Settings, 'kycCeiling' | 'serviceZone' | 'coinRials'>
  readonly limits: Pick<Limits, 'takeAddress' | 'takeAttempt'>
  /** Makes a change hold for calls from now on. */
  changed(): void
  /** Where a request came from: an IPv4 address or an IPv6 one in full. */
  addressOf(request: Request): string
  /** Told of what nobody foresaw. */
  onFault(fault: unknown): void
}
