import type { VendorStateStore } from '../../../gateway/catalogue/health/state-store'
import type { Clock } from '../../../domain/clock'
import { systemNoticeId } from '../../../domain/ids'
import type { VideoStore } from '../../../gateway/endpoints/videos/contract'
import type { IdentityStore } from '../../../gateway/identity/key-lookup'
import type { LedgerStore } from '../../../ledger/store'
import type { NoticeStore } from '../../notices/contract'
import type { KeyFile } from '../../../storage/files/key-file'
import { openKeyring, type Rehash } from '../../../storage/files/keyring'
import type { Actor } from '../../../domain/audit-log'
import type { Storage } from '../storage'
import { openCountedDays } from '../../../domain/zone-days'
import { PriceCheckRecord } from '../../pricing/check-record'
import { ServiceProfile } from '../../settings/service-profile'
import { openImpersonationRows } from '../../accounts/impersonation-store'
import { openAccountReader } from '../../accounts/account-query'
import { audit } from '../../../ledger/store/audit'
import type { Unsummed } from '../../../ledger/store/audit-checks'
import { openBillRecords } from '../../bills/store'
import { openChanges } from '../open-changes'
import type { Connection } from '../../../storage/sqlite/connection'
import type { EndingFile } from '../../../ledger/store/spool-file'
import { withFormerSpools, type FormerSpools } from '../former-spools'
import { openHolderNoticeRows } from '../../notices/recipient-store'
import { openAccountWebhookRows, openHolderSettingRows } from '../../notices/preference-store'
import { openIdentityRows } from '../../accounts/key-lookup-store'
import { openKeptRecord } from '../../../storage/sqlite/json-record'
import { openKnownDeviceRows } from '../../users/known-devices-store'
import { openLedgerRows } from '../../../ledger/store/ledger-store'
import { openRefusalRows } from '../../../ledger/store/rejected-call-store'
import { openReports } from '../../usage/reports'
import { openSpending } from '../../usage/spending'
import { openSums, type Sums } from '../../../ledger/sums/aggregator'
import { openMembershipRows } from '../../users/membership-store'
import { openMoneyIn } from '../../payments/revenue-query'
import { openNoticeRows } from '../../notices/store'
import { openOperatorAccessRows } from '../../operators/access-store'
import { openOperatorReader } from '../../usage/operator-reader'
import { openOperatorPasskeyRows, openPasskeyRows } from '../../users/passkey-store'
import { openPeopleRows } from '../../users/store'
import { openProfitReports } from '../../usage/profit'
import { openReadDeadline } from '../../../storage/sqlite/read-deadline'
import { openRecorder } from '../../audit-log/audit-log-sql'
import { readMark } from '../secrets/rotation-state'
import { openSecretRows, type OtherNodes } from '../secrets/secret-rotation'
import { openSessionRows } from '../../users/session-store'
import { openSignInRows } from '../../users/sign-in-store'
import { openTicketRows } from '../../users/sso-store'
import { storeOf } from '../../../storage/sqlite/sync-store'
import { openStateScan } from '../../notices/state-scan-sql'
import { openTrialSlipRows } from '../../payments/sandbox-payment-store'
import { openTrailRows } from '../../audit-log/audit-log-store'
import { openVendorStateRows } from '../../catalogue/vendor-health-store'
import { openVideoOutcomes, openVideoRows } from '../../../gateway/endpoints/videos/store'

interface StoresParts {
  readonly folder: string | null
  readonly keys: KeyFile
  /** Told of rows that were found under an older hash. */
  readonly onOldHash: (rehash: Rehash) => void
  /** Processes elsewhere that a rotation waits for; there are none unless told. */
  readonly nodes?: (connection: Connection) => OtherNodes
  readonly clock: Clock
  readonly endings: EndingFile | null
  /** Null where this process does not recover calls. */
  readonly former: FormerSpools | null
  readonly actor: Actor
  /** Instead of those that these stores keep in memory. */
  readonly sums?: Sums
  /** What the audit counts as kept too. */
  readonly unsummed?: Unsummed
}

/** Every store, on one connection. */
export function storesOn(
  connection: Connection,
  parts: StoresParts,
): Omit<Storage, 'beginCheckpoints' | 'close' | 'file' | 'handover' | 'readOnly'> {
  const { folder, keys, clock, endings, former, actor } = parts
  const left = endings === null || former === null ? null : withFormerSpools(endings, former)
  // Before any statement that asks it.
  const deadline = openReadDeadline(connection)
  const days = openCountedDays()
  const sums = parts.sums ?? openSums(connection, days.dayOf)
  const keyring = keyringOn(connection, parts)
  const { vault } = keyring
  const { by, directoryBy } = openChanges(connection, keyring, clock)
  const recordBy = (who: Actor) => openRecorder(connection, clock, who)
  const ledger = openLedgerRows(connection, {
    clock,
    sums,
    zoneDay: days.dayOf,
    joins: { videos: openVideoOutcomes(connection) },
    spool: left,
  })
  return {
    ...by(actor),
    by,
    folder,
    database: null,
    ledger: storeOf<LedgerStore>(ledger),
    endings,
    identity: storeOf<IdentityStore>(openIdentityRows(connection)),
    service: openKeptRecord(connection, 'service_profile', ServiceProfile),
    reports: openReports(connection, sums),
    refusals: openRefusalRows(connection),
    accountReader: openAccountReader(connection, deadline),
    operatorReader: openOperatorReader(connection, deadline),
    profits: openProfitReports(connection),
    ...openMoneyIn(connection),
    trialSlips: openTrialSlipRows(connection),
    bills: openBillRecords(connection),
    priceChecks: openKeptRecord(connection, 'price_check', PriceCheckRecord),
    notices: storeOf<NoticeStore>(openNoticeRows(connection)),
    holderNotices: openHolderNoticeRows(connection, vault),
    holderSettings: openHolderSettingRows(connection, recordBy, clock),
    accountWebhooks: openAccountWebhookRows(connection, vault, recordBy, clock),
    untold: openStateScan(connection, systemNoticeId),
    places: (holders) => openKnownDeviceRows(connection, holders),
    vendorStates: storeOf<VendorStateStore>(openVendorStateRows(connection)),
    videos: storeOf<VideoStore>(openVideoRows(connection, sums, clock)),
    spending: openSpending(connection),
    people: openPeopleRows({ connection, clock, recordBy, directoryBy }),
    memberships: openMembershipRows({ connection, clock, recordBy, directoryBy }),
    passkeys: openPasskeyRows(connection, recordBy, clock),
    operatorPasskeys: openOperatorPasskeyRows(connection, recordBy),
    tickets: openTicketRows(connection),
    signIn: openSignInRows(connection),
    sessions: openSessionRows(connection, recordBy),
    operatorAccess: openOperatorAccessRows({ connection, vault, clock, recordBy }),
    accountLooks: openImpersonationRows(connection, recordBy),
    trail: openTrailRows(connection),
    ...keyring,
    secrets: openSecretRows(
      { connection, folder, file: keys, keyring, clock },
      recordBy(actor),
      parts.nodes?.(connection) ?? null,
    ),
    countDaysIn: (zone) => days.use(zone, clock.now()),
    audit: async () => audit(connection, left?.records(), parts.unsummed),
    version: () => connection.version(),
  }
}

/** Under the generation that the database says is in use, also inside of a transaction. */
const keyringOn = (connection: Connection, { keys, onOldHash }: StoresParts) =>
  openKeyring({ file: keys, activeMark: () => readMark(connection), onOldHash })
