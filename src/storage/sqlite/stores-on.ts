import type { VendorStateStore } from '../../catalogue/health/state-store'
import type { Clock } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import type { VideoStore } from '../../endpoints/videos/store'
import type { IdentityStore } from '../../identity/identity'
import type { LedgerStore } from '../../ledger/store'
import type { NoticeStore } from '../../notices/store'
import type { KeyFile } from '../files/key-file'
import { openKeyring, type Rehash } from '../files/keyring'
import type { Actor } from '../../trail/trail'
import type { Storage } from '../storage'
import { openCountedDays } from '../../domain/zone-days'
import { PriceCheckRecord } from '../../pricing/check-record'
import { ServiceProfile } from '../../settings/service-profile'
import { openAccountLookRows } from './account-looks'
import { openAccountReader } from './account-reader'
import { audit } from './audit'
import type { Unsummed } from './audit-checks'
import { openBillRecords } from './bill-records'
import { openChanges } from './open-changes'
import type { Connection } from './database'
import type { EndingFile } from '../files/ending-spool'
import { withFormerSpools, type FormerSpools } from '../files/former-spools'
import { openHolderNoticeRows } from './holder-notices'
import { openAccountWebhookRows, openHolderSettingRows } from './holder-settings'
import { openIdentityRows } from './identity'
import { openKeptRecord } from './kept-record'
import { openPlaceRows } from './known-places'
import { openLedgerRows } from './ledger'
import { openRefusalRows } from './refusals'
import { openReports } from './reports'
import { openSpending } from './spending'
import { openSums, type Sums } from './sums'
import { openMembershipRows } from './memberships'
import { openMoneyIn } from './money-in'
import { openNoticeRows } from './notices'
import { openOperatorAccessRows } from './operator-access'
import { openOperatorReader } from './operator-reader'
import { openOperatorPasskeyRows, openPasskeyRows } from './passkeys'
import { openPeopleRows } from './people'
import { openProfitReports } from './profit'
import { openReadDeadline } from './read-deadline'
import { openRecorder } from './recorder'
import { readMark } from './rotation-state'
import { openSecretRows, type OtherNodes } from './secret-rotation'
import { openSessionRows } from './sessions'
import { openSignInRows } from './sign-in'
import { openTicketRows } from './sister'
import { storeOf } from './store-rows'
import { openUntoldNotices } from './untold-notices'
import { openTrialSlipRows } from './trial-slips'
import { openTrailRows } from './trail'
import { openVendorStateRows } from './vendor-states'
import { openVideoOutcomes, openVideoRows } from './videos'

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
    untold: openUntoldNotices(connection, systemNoticeId),
    places: (holders) => openPlaceRows(connection, holders),
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
    accountLooks: openAccountLookRows(connection, recordBy),
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
