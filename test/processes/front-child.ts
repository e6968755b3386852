/** A front that holds and charges without end, and writes down what it told its clients. */
import { appendFileSync } from 'node:fs'
import type { Caller } from '../../src/domain/caller'
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { openLeasedLedger } from '../../src/ledger/leased/leased-ledger'
import { usualRules } from '../../src/ledger/leased/slices'
import { openFrontDoor } from '../../src/processes/front-door'
import { openEndingFile } from '../../src/storage/sqlite/ending-spool'
import { ending, opening } from '../storage/folder'

const [path = '', acks = '', all = '[]'] = process.argv.slice(2)
const callers = JSON.parse(all) as Caller[]
const door = await openFrontDoor({ path, pid: process.pid, metrics: async () => 'front 1\n' })
const [first, second] = door.spoolFolders
const ledger = openLeasedLedger({
  node: door.node,
  engine: door.engine,
  spools: [openEndingFile(first, door.database), openEndingFile(second, door.database)],
  settings: {
    kycCeiling: nanoUsd(2_000_000_000),
    serviceDayCapacity: null,
    flushMs: 10,
    pendingAfterMs: 20,
  },
  rules: { ...usualRules, ttlMs: Number.POSITIVE_INFINITY },
  beatMs: 200,
  now: () => performance.now(),
  onFault() {},
})
door.onQuestion(ledger.hint.bind(ledger))
void door.closed.then(() => {
  ledger.fence()
  process.exit(3)
})

const state = { isStopping: false }
const call = async (caller: Caller): Promise<void> => {
  const amount = nanoUsd(1 + Math.floor(Math.random() * 1000))
  const begun = opening(caller, systemClock.now(), systemIds.request())
  const hold = await ledger.hold({ caller, amount, opening: begun })
  // Some run for long enough to be written as pending.
  await Bun.sleep(Math.random() < 0.1 ? 60 : 1)
  const cost = nanoUsd(Math.floor(Math.random() * (amount + 1)))
  hold.settle(ending(cost))
  await ledger.spooled()
  appendFileSync(acks, `${begun.id} ${cost}\n`)
}
const workers = Array.from({ length: 8 }, async (_, at) => {
  while (!state.isStopping)
    try {
      await call(callers[at % callers.length] as Caller)
    } catch {
      appendFileSync(acks, 'refused\n')
      await Bun.sleep(5)
    }
})
process.on('SIGTERM', () => {
  state.isStopping = true
  void Promise.all(workers).then(async () => {
    await ledger.close()
    door.close()
    await door.closed
    process.exit(0)
  })
})
