import { closeSync, openSync } from 'node:fs'
import type { VendorStateStore } from '../../catalogue/health/state-store'
import type { Clock } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import type { VideoStore } from '../../endpoints/videos/store'
import type { IdentityStore } from '../../identity/identity'
import type { LedgerStore } from '../../ledger/store'
import type { NoticeStore } from '../../notices/store'
import { databaseIn, makeDataFolder } from '../files/data-folder'
import { installationSecrets } from '../files/key-file'
import type { Actor } from '../../trail/trail'
import type { Storage } from '../storage'
import { openVault } from '../files/vault'
import { openCountedDays } from '../../domain/zone-days'
import { PriceCheckRecord } from '../../pricing/check-record'
import { ServiceProfile } from '../../settings/service-profile'
import { openAccountReader } from './account-reader'
import { audit } from './audit'
import { openBillRecords } from './bill-records'
import { openChanges } from './open-changes'
import { connect } from './connect'
import type { Connection } from './database'
import { databaseId } from './database-id'
import { openEndingFile, setForeignSpoolAside, type EndingFile } from './ending-spool'
import { lockFolder } from './folder-lock'
import { openFrontSpools, withFrontSpools, type AllFrontSpools } from './front-spools'
import { openHolderNoticeRows } from './holder-notices'
import { openAccountWebhookRows, openHolderSettingRows } from './holder-settings'
import { openIdentityRows } from './identity'
import { openKeptRecord } from './kept-record'
import { openPlaceRows } from './known-places'
import { openLedgerRows } from './ledger'
import { migrate, type Migrated } from './migrate'
import { openRefusalRows } from './refusals'
import { openReports } from './reports'
import { checkSecrets } from './secret-check'
import { openSpending } from './spending'
import { openSums } from './sums'
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
import { openSessionRows } from './sessions'
import { openSignInRows } from './sign-in'
import { openTicketRows } from './sister'
import { storeOf } from './store-rows'
import { openServing } from './serving-threads'
import { openUntoldNotices } from './untold-notices'
import { openTrialSlipRows } from './trial-slips'
import { openTrailRows } from './trail'
import { openVendorStateRows } from './vendor-states'
import { openVideoOutcomes } from './video-outcomes'
import { openVideoRows } from './videos'

export interface StorageOptions {
  /** Made when it is not there; null keeps everything in memory. */
  readonly folder: string | null
  /** A serving process takes the folder for itself; commands come and go beside it. */
  readonly exclusive: boolean
  readonly clock: Clock
  /** Who changes what is changed here; the program itself unless somebody is named. */
  readonly actor?: Actor
  /** Called when checkpoints have no thread of their own, and stop the event loop until they do. */
  readonly onCheckpointFault?: (fault: unknown) => void
  /** Called when pages are read on the event loop, or the thread that read them is gone. */
  readonly onReaderFault?: (fault: unknown) => void
  /** Called when a database of an older program was brought up to this one. */
  readonly onMigrated?: (migrated: Migrated) => void
}

/**
 * Everything that outlives the process, in one SQLite database.
 * @throws DataFolderBusy
 * @throws RangeError when the database was made by a newer program, or `secret.key` is damaged, gone
 *   or another one's
 */
export function openStorage(options: StorageOptions): Storage {
  const { folder, exclusive, clock, actor = 'service' } = options
  const { onCheckpointFault = () => {}, onReaderFault = () => {} } = options
  const { onMigrated = () => {} } = options
  if (folder !== null) makeDataFolder(folder)
  const locked = folder !== null && exclusive
  const unlock = locked ? lockFolder(folder) : () => {}
  let opened: Connection | null = null
  try {
    const secrets = installationSecrets(folder)
    const connection = connect(folder === null ? null : databaseFile(folder))
    opened = connection
    const migrated = migrate(connection, { folder, locked })
    if (migrated !== null) onMigrated(migrated)
    if (folder !== null) checkSecrets(connection, secrets, folder)
    const endings = folder === null ? null : openEndingFile(folder, databaseId(connection))
    const fronts = folder === null ? null : openFrontSpools(folder, databaseId(connection))
    if (locked) setForeignSpoolAside(folder, databaseId(connection), clock.now())
    const stores = storesOn(connection, { folder, secrets, clock, endings, fronts, actor })
    const file = locked ? databaseIn(folder) : null
    const inPlace = { ...stores.accountReader, ...stores.operatorReader }
    const serving =
      file === null
        ? null
        : openServing({ connection, file, inPlace, onCheckpointFault, onReaderFault })
    return {
      ...stores,
      accountReader: serving?.reader ?? stores.accountReader,
      operatorReader: serving?.reader ?? stores.operatorReader,
      endings: locked ? stores.endings : null,
      beginCheckpoints: () => serving?.beginCheckpoints() ?? Promise.resolve(),
      close: () => close({ ...stores, connection, serving, unlock }),
    }
  } catch (thrown) {
    opened?.close()
    unlock()
    throw thrown
  }
}

function storesOn(
  connection: Connection,
  parts: {
    readonly folder: string | null
    readonly secrets: ReturnType<typeof installationSecrets>
    readonly clock: Clock
    readonly endings: EndingFile | null
    readonly fronts: AllFrontSpools | null
    readonly actor: Actor
  },
): Omit<Storage, 'beginCheckpoints' | 'close'> {
  const { folder, secrets, clock, endings, fronts, actor } = parts
  const left = endings === null || fronts === null ? null : withFrontSpools(endings, fronts)
  const version = connection.raw.prepare<{ data_version: number }, []>('PRAGMA data_version')
  // Before any statement that asks it.
  const deadline = openReadDeadline(connection)
  const days = openCountedDays()
  const sums = openSums(connection, days.dayOf)
  const vault = openVault(secrets.sealingKey)
  const { by, directoryBy } = openChanges(connection, vault, clock)
  const recordBy = (who: Actor) => openRecorder(connection, clock, who)
  const ledger = openLedgerRows(connection, {
    sums,
    zoneDay: days.dayOf,
    joins: { videos: openVideoOutcomes(connection) },
    spool: left,
  })
  return {
    ...by(actor),
    by,
    folder,
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
    holderSettings: openHolderSettingRows(connection, recordBy),
    accountWebhooks: openAccountWebhookRows(connection, vault, recordBy),
    untold: openUntoldNotices(connection, systemNoticeId),
    places: (holders) => openPlaceRows(connection, holders),
    vendorStates: storeOf<VendorStateStore>(openVendorStateRows(connection)),
    videos: storeOf<VideoStore>(openVideoRows(connection, sums, clock)),
    spending: openSpending(connection),
    people: openPeopleRows({ connection, clock, recordBy, directoryBy }),
    memberships: openMembershipRows({ connection, clock, recordBy }),
    passkeys: openPasskeyRows(connection, recordBy, clock),
    operatorPasskeys: openOperatorPasskeyRows(connection, recordBy),
    tickets: openTicketRows(connection),
    signIn: openSignInRows(connection),
    sessions: openSessionRows(connection, recordBy),
    operatorAccess: openOperatorAccessRows({ connection, vault, clock, recordBy }),
    trail: openTrailRows(connection),
    pepper: secrets.pepper,
    vault,
    countDaysIn: (zone) => days.use(zone, clock.now()),
    audit: async () => audit(connection, left?.records()),
    version: () => version.get()?.data_version ?? 0,
  }
}

async function close(open: {
  readonly ledger: Storage['ledger']
  readonly connection: Connection
  readonly serving: { close(): void } | null
  readonly unlock: () => void
}): Promise<void> {
  const { ledger, connection, serving, unlock } = open
  try {
    // Else the next process would have to.
    await ledger.sumUp(Number.POSITIVE_INFINITY)
  } finally {
    serving?.close()
    // The last connection to close copies what is left of the log, and removes it.
    connection.close()
    unlock()
  }
}

/** Its owner's alone from its first moment: SQLite gives the files beside it the same rights. */
function databaseFile(folder: string): string {
  const file = databaseIn(folder)
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  }
  return file
}
