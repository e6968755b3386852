/** A front that holds and charges without end, and writes down what it told its clients. */
import { appendFileSync } from 'node:fs'
import type { Caller } from '../../src/domain/caller'
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { openFront } from '../../src/processes/front'
import { openEndingFile } from '../../src/storage/sqlite/ending-spool'
import { ending, opening } from '../storage/folder'

const [path = '', acks = '', all = '[]'] = process.argv.slice(2)
const callers = JSON.parse(all) as Caller[]
const { ledger, close } = await openFront({
  path,
  pid: process.pid,
  metrics: async () => '',
  settings: {
    kycCeiling: nanoUsd(2_000_000_000),
    serviceDayCapacity: null,
    flushMs: 10,
    pendingAfterMs: 20,
  },
  beatMs: 200,
  now: () => performance.now(),
  openSpool: openEndingFile,
  onChanged() {},
  onFault() {},
  onGone: () => process.exit(3),
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
    await close()
    process.exit(0)
  })
})
