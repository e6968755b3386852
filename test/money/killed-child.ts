/**
 * Calls without end on a data folder, until it is killed. After each durable flush it says how
 * many nano-dollars are charged by then.
 */
import { nanoUsd, zeroUsd } from '../../src/domain/money'
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
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
  settings: { kycCeiling: nanoUsd(1), serviceDayCapacity: null, flushMs: 1, pendingAfterMs: 1 },
  onFault: (fault) => {
    throw fault
  },
})

const running: Hold[] = []
let charged = 0
for (let round = 1; ; round++) {
  for (let i = 0; i < 20; i++) {
    const call = opening(caller, systemClock.now(), systemIds.request())
    running.push(await ledger.hold({ caller, amount: nanoUsd(50), opening: call }))
  }
  while (running.length > 30) {
    const hold = running.shift()
    if (round % 3 === 0) hold?.release(ending(zeroUsd))
    else {
      hold?.settle(ending(nanoUsd(7)))
      charged += 7
    }
  }
  if (round % 10 === 0) {
    await ledger.flush(true)
    process.stdout.write(`${charged}\n`)
  }
  await Bun.sleep(0)
}
