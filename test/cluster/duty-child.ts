/**
 * A process on a database that does what one does for all: begins each duty's work once it has it, and writes when
 * it is told to. Says `begun DUTY`, `written DUTY` and `refused DUTY`.
 */
import { existsSync } from 'node:fs'
import { openCluster } from '../../src/server/cluster/cluster'
import {
  reconciledOnDuty,
  sentOnDuty,
  vendorStatesOnDuty,
} from '../../src/server/cluster/duty-stores'
import { systemClock, systemMonotonic, type Ms } from '../../src/domain/clock'
import { openSyncedClock } from '../../src/domain/synced-clock'
import type { PaymentId } from '../../src/domain/ids'
import { wholeVendor } from '../../src/domain/vendor-state'
import { openLog } from '../../src/gateway/observability/log'
import { readDatabaseAddress } from '../../src/storage/database-address'
import { DutyLost } from '../../src/ledger/postgres/duty-fencing'
import { exchangedLedger } from '../../src/ledger/postgres/exchanged-sums'
import { openPostgresStorage } from '../../src/business/data/postgres/open-storage'

interface DutyOrder {
  readonly url: string
  readonly folder: string
  readonly ttlMs: number
  /** What it writes, to be told from what others write. */
  readonly mark: string
  readonly payment: PaymentId
  /** Its presence says: write. */
  readonly goFile: string
}

const order = JSON.parse(process.argv[2] ?? '') as DutyOrder
const { ttlMs, mark, payment, folder } = order
const say = (line: string) => process.stdout.write(`${line}\n`)
const address = readDatabaseAddress(order.url)
const storage = await openPostgresStorage({
  address,
  folder,
  clock: systemClock,
  ledger: exchangedLedger,
})
const { duties, ...cluster } = await openCluster({
  address,
  folder,
  database: storage.databaseId,
  times: { ttlMs, beatMs: ttlMs / 5, sumMs: 1000 },
  turns: storage.turns,
  version: 'test',
  zone: 'UTC',
  clock: openSyncedClock(systemClock, systemMonotonic),
  log: openLog('silent'),
  under: storage.under,
  secrets: storage.nodeSecrets,
  checkSecrets: storage.secrets.activeMark,
  // It is to try all the same.
  onFenced: () => say('fenced'),
})
cluster.openLedger({
  settings: {
    kycCeiling: 0 as never,
    serviceDayCapacity: null,
    flushMs: 10,
    pendingAfterMs: 500,
  },
  observer: null,
  onMiscount() {},
  onUnrecorded() {},
})

const told = async () => {
  while (!existsSync(order.goFile)) await Bun.sleep(5)
}
const sent = sentOnDuty(storage, duties)
const payments = reconciledOnDuty(storage, duties)
let isLost = false
const vendorStates = vendorStatesOnDuty(storage, duties, () => (isLost = true))
const state = {
  credential: wholeVendor,
  trouble: null,
  since: null,
  coolingUntil: null,
  balance: null,
  checked: 1 as Ms,
  failureCode: mark,
  failedAt: 1 as Ms,
  recent: null,
}

const works = {
  async notices() {
    const due = await sent.notices.due('desk', systemClock.now(), systemClock.now(), 10)
    return async () => {
      for (const { notice } of due)
        await sent.notices.postpone(notice.id, 'desk', systemClock.now(), mark)
    }
  },
  async payments() {
    await payments.find(payment)
    return async () => {
      await payments.note(payment, { state: 'started', code: mark, due: null })
    }
  },
  async prices() {
    const stores = duties.begin('prices', storage)
    return async () => await stores?.priceChecks.write({ at: 1, sources: [], seen: [mark] })
  },
  async vendors() {
    await vendorStates.save({ states: [{ ...state, vendor: mark }], gone: [], notices: [] })
    return async () => {
      await vendorStates.save({ states: [{ ...state, vendor: 'shared' }], gone: [], notices: [] })
      if (isLost) throw new DutyLost('vendors')
    }
  },
} as const

await Promise.all(
  (['notices', 'payments', 'prices', 'vendors'] as const).map(async (duty) => {
    while (!duties.has(duty)) await Bun.sleep(5)
    const write = await works[duty]()
    say(`begun ${duty}`)
    await told()
    try {
      await write()
      say(`written ${duty}`)
    } catch (thrown) {
      say(thrown instanceof DutyLost ? `refused ${duty}` : `failed ${duty} ${String(thrown)}`)
    }
  }),
)
say('over')
process.exit(0)
