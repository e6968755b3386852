/** A front that holds and charges without end, and writes down what it told its clients. */
import { appendFileSync } from 'node:fs'
import type { Caller } from '../../src/domain/caller'
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { openFront } from '../../src/processes/front'
import { openEndingFile } from '../../src/storage/files/ending-spool'
import { ending, opening } from '../storage/folder'

const [acks = '', all = '[]'] = process.argv.slice(2)
const path = process.env['SOCKET'] ?? ''
const callers = JSON.parse(all) as Caller[]
const front = await openFront({
  path,
  pid: process.pid,
  answering: async () => null,
  beatMs: 200,
  now: () => performance.now(),
  openSpool: openEndingFile,
  fenceMs: 5000,
  onChanged() {},
  onLeave: () => void stop(),
  onFault() {},
  onGone: () => process.exit(3),
})
const ledger = front.openLedger({
  kycCeiling: nanoUsd(2_000_000_000),
  serviceDayCapacity: null,
  flushMs: 10,
  pendingAfterMs: 20,
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
const stop = async () => {
  state.isStopping = true
  await Promise.all(workers)
  await ledger.close()
  await front.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
