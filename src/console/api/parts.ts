import type { SecretParts } from '../../admin/keys'
import type { PaymentStore } from '../../payments/store'
import type { AccountReader } from '../../domain/account-reader'
import type { AccountLooks } from '../../operators/account-looks'
import type { GroupId } from '../../domain/ids'
import type { Clock } from '../../domain/clock'
import type { PriceCard } from '../../domain/model'
import type { NanoUsd } from '../../domain/money'
import type { Reports } from '../../domain/report'
import type { Directory } from '../../identity/directory'
import type { Ledger } from '../../ledger/ledger'
import type { Limits } from '../../limits/limits'
import type { EmailCodes } from '../../notices/holder/email-codes'
import type {
  AccountWebhookStore,
  HolderNoticeStore,
  HolderSettingsStore,
} from '../../notices/holder/store'
import type { CardDesk } from '../../payments/card-desk'
import type { CardPaymentStore } from '../../payments/card-payment'
import type { Redeem } from '../../payments/redeem-codes'
import type { ChangePhone } from '../../people/change-phone'
import type { ClosingStore } from '../../people/closing'
import type { Members } from '../../people/members'
import type { PasskeySite } from '../../people/passkey'
import type { Passkeys } from '../../people/passkeys'
import type { PeopleStore } from '../../people/person'
import type { PhoneMoveStore } from '../../people/phone-moves'
import type { Proofs } from '../../people/proof'
import type { Sessions } from '../../people/sessions'
import type { SignIn } from '../../people/sign-in'
import type { SisterSignIn } from '../../people/sister'
import type { Settings } from '../../settings/registry'
import type { Verifying } from '../../verification/submit'
import type { VerificationStore } from '../../verification/verification'
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
  readonly cards: CardDesk
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
  readonly looks: AccountLooks
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
