import type { OperatorId } from '../../domain/ids'
import type { Pepper } from '../../domain/pepper'
import type { BillRecords } from '../bills/contract'
import type { CatalogueStore } from '../../gateway/catalogue/contract'
import type { VendorStateStore } from '../../gateway/catalogue/health/state-store'
import type { Directory } from '../../gateway/identity/account-directory'
import type { GroupStore } from '../../gateway/identity/groups'
import type { IdentityStore } from '../../gateway/identity/key-lookup'
import type { RefusalStore } from '../../domain/refused-calls'
import type { AccountReader } from '../../domain/reports/account-reader'
import type { OperatorReader } from '../../domain/reports/operator-reader'
import type { ProfitReports, Reports } from '../../domain/reports/report'
import type { EndingSpool } from '../../ledger/ending-spool'
import type { RefundStore } from '../../ledger/refund-store'
import type { SpendingReader } from '../../ledger/spending-reader'
import type { SpoolRecord } from '../../ledger/spool-record'
import type { AuditReport, LedgerStore } from '../../ledger/store'
import type { ServiceProfileStore } from '../settings/service-profile'
import type { SettingsStore } from '../settings/settings'
import type {
  AccountWebhookStore,
  HolderNoticeStore,
  HolderSettingsStore,
  KnownDeviceStore,
  UnreportedStore,
} from '../notices/recipients/contract'
import type { NoticeStore } from '../notices/contract'
import type { ClosingStore } from '../users/closure'
import type { ConnectionStore } from '../settings/connection'
import type { VideoStore } from '../../gateway/endpoints/videos/contract'
import type { CardPaymentStore } from '../payments/card-payment'
import type { GatewayConfigStore } from '../payments/gateway-config'
import type { MoneyInReader } from '../payments/money-in'
import type { RedeemCodeStore } from '../payments/voucher'
import type { ImpersonationStore } from '../operators/impersonation'
import type { StaffAllowance } from '../operators/allowance'
import type { AccountNoteStore } from '../accounts/note-contract'
import type { OperatorAccessStore } from '../operators/access-contract'
import type { OperatorStore } from '../operators/operator'
import type { PaymentStore } from '../payments/contract'
import type { TrialSlipStore } from '../payments/trial-bank'
import type { Vault } from '../../storage/files/vault'
import type { DatabaseAddress } from '../../storage/database-address'
import type { DatabaseFile } from '../../storage/files/database-file'
import type { MembershipStore } from '../users/members'
import type { PasskeyStore } from '../users/passkey'
import type { PeopleStore } from '../users/user'
import type { PhoneMoveStore } from '../users/phone-change-contract'
import type { SessionStore } from '../users/sessions'
import type { SignInLimitStore, SignInStore } from '../users/sign-in-contract'
import type { PriceCheckStore } from '../pricing/check-record'
import type { SisterStore, TicketStore } from '../users/sso'
import type { PriceStore } from '../pricing/contract'
import type { SecretStore } from './secrets/secret-store'
import type { SmsProviderStore } from '../notices/sms/provider'
import type { VerificationStore } from '../verification/verification'
import type { Actor, LookStore, Trail } from '../../domain/audit-log'

/** What people change. Each change is a line of the trail, written with it. */
export interface ChangedByPeople {
  readonly directory: Directory
  readonly groups: GroupStore
  readonly catalogue: CatalogueStore
  readonly prices: PriceStore
  readonly settings: SettingsStore
  readonly payments: PaymentStore
  readonly cardGateways: GatewayConfigStore
  readonly cardPayments: CardPaymentStore
  readonly redeemCodes: RedeemCodeStore
  readonly smsProviders: SmsProviderStore
  readonly phoneMoves: PhoneMoveStore
  readonly signInLimits: SignInLimitStore
  readonly sister: SisterStore
  readonly verifications: VerificationStore
  readonly connections: ConnectionStore
  readonly closings: ClosingStore
  /** Refunds by people. */
  readonly refunds: RefundStore
  readonly looks: LookStore
  readonly operators: OperatorStore
  readonly accountNotes: AccountNoteStore
}

/** A process that ends its calls while the next one serves its data folder already. */
export interface LeavingProcess {
  readonly pid: number
  /** Where its spool lies, and the addresses at which both processes reach each other. */
  readonly folder: string
}

/** How the data folder of one process becomes that of the next. */
export interface FolderHandover {
  /** Makes the place in which this process leaves. */
  place(): LeavingProcess
  /** Lets another process have the folder: what this one spools from now on lies in its place. */
  leave(): void
  /** Takes it again, where it was left. @throws DataFolderBusy where another process has it */
  takeBack(): void
  /** Removes the place: all that this process spooled is written, or it serves on. */
  forget(): void
  /** Others that leave. */
  leaving(): readonly LeavingProcess[]
  /** Records that one of them has spooled. */
  leftBy(process: LeavingProcess): readonly SpoolRecord[]
  /** All of that is written. */
  forgetLeft(process: LeavingProcess): void
}

/** Everything that outlives the process. */
export interface Storage extends ChangedByPeople {
  /** Where it lies; null for one in memory. */
  readonly folder: string | null
  /** Why nothing may be written: the schema is of another release. Null where everything may. */
  readonly readOnly: string | null
  /** Shared with other processes; null for that of the folder, or of memory. */
  readonly database: DatabaseAddress | null
  readonly ledger: LedgerStore
  /** Beside the database, for who has the folder for itself; null in memory. */
  readonly endings: EndingSpool | null
  /** For who has the folder for itself, where the system tells of processes; null elsewhere. */
  readonly handover: FolderHandover | null
  readonly identity: IdentityStore
  readonly service: ServiceProfileStore
  readonly reports: Reports
  readonly refusals: RefusalStore
  readonly accountReader: AccountReader
  readonly operatorReader: OperatorReader
  readonly profits: ProfitReports
  readonly moneyIn: MoneyInReader['moneyIn']
  readonly trialSlips: TrialSlipStore
  readonly bills: BillRecords
  readonly priceChecks: PriceCheckStore
  readonly notices: NoticeStore
  readonly holderNotices: HolderNoticeStore
  readonly holderSettings: HolderSettingsStore
  readonly accountWebhooks: AccountWebhookStore
  /** @param channels of what operators are told, and of what people of accounts are */
  untold(channels: {
    readonly operators: readonly string[]
    readonly holders: readonly string[]
  }): UnreportedStore
  /** @param holders channels of what people of accounts are told */
  places(holders: readonly string[]): KnownDeviceStore
  readonly vendorStates: VendorStateStore
  readonly videos: VideoStore
  readonly spending: SpendingReader
  readonly people: PeopleStore
  readonly memberships: MembershipStore
  readonly passkeys: PasskeyStore
  readonly operatorPasskeys: PasskeyStore<OperatorId>
  readonly tickets: TicketStore
  readonly signIn: SignInStore
  readonly sessions: SessionStore
  readonly operatorAccess: OperatorAccessStore
  readonly accountLooks: ImpersonationStore
  readonly trail: Trail
  /**
   * Stores whose changes the trail records as made by another actor than the one that opened the storage.
   * @param allowance bounds what these changes give away, all together: they throw AllowanceExceeded
   */
  by(who: Actor, allowance?: StaffAllowance | null): ChangedByPeople
  /** Hashes under the keys that are kept beside the database. */
  readonly pepper: Pepper
  /** Seals with the keys that are kept beside the database. */
  readonly vault: Vault
  readonly secrets: SecretStore
  /**
   * Counts calls that begin from now on by the days of this zone too; those of before keep theirs.
   * @throws RangeError where there is no such zone
   */
  countDaysIn(zone: string): void
  /** Its own file, where this process serves from one; null elsewhere. */
  readonly file: DatabaseFile | null
  /** Recomputes everything from the transfers; reads only. */
  audit(): Promise<AuditReport>
  /** A number that changes when another process has committed; about a microsecond. */
  version(): number
  /**
   * Has checkpoints made beside the event loop from now on, where this process serves; otherwise that
   * begins by itself. Resolves once it is so, or cannot be.
   */
  beginCheckpoints(): Promise<void>
  close(): Promise<void>
}
