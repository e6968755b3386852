/**
 * Calls without end that two models answer in turn, until it is killed. It says how many nano-dollars
 * are charged by then, once those are spooled.
 */
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import type { CallOpening } from '../../src/domain/record'
import type { Hold } from '../../src/ledger/ledger'
import { openLedger } from '../../src/ledger/open-ledger'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { ending, opening } from '../storage/folder'

const [folder = ''] = process.argv.slice(2)
const storage = openStorage({ folder, exclusive: true, clock: systemClock })
await storage.ledger.recover()
const caller = (await storage.identity.findByHash('hash-1'))?.caller
if (caller === undefined) throw new Error('the folder has no customer')
const ledger = openLedger({
  store: storage.ledger,
  spool: storage.endings,
  settings: { kycCeiling: nanoUsd(1), serviceDayCapacity: null, flushMs: 2, pendingAfterMs: 1 },
  onFault: (fault) => {
    throw fault
  },
})

interface Running {
  readonly hold: Hold
  readonly first: CallOpening
  readonly isSecond: boolean
}

/** So old, some are written as pending, and some are not. */
const handedOverAt = 30
const endedAt = 60

const running: Running[] = []
let charged = 0
for (let round = 1; ; round++) {
  for (let i = 0; i < 20; i++) {
    const first = opening(caller, systemClock.now(), systemIds.request())
    const hold = await ledger.hold({ caller, amount: nanoUsd(50), opening: first })
    running.push({ hold, first, isSecond: i % 2 === 0 })
    const older = running.at(-1 - handedOverAt)
    if (older?.isSecond === true)
      older.hold.answerAs({ ...older.first, model: 'second', cardVersion: '2' })
  }
  for (const { hold, isSecond } of running.splice(0, Math.max(0, running.length - endedAt))) {
    const cost = isSecond ? 11 : 7
    hold.settle(ending(nanoUsd(cost)))
    charged += cost
  }
  if (round % 5 === 0) {
    await ledger.spooled()
    process.stdout.write(`${charged}\n`)
  }
  await Bun.sleep(0)
}
