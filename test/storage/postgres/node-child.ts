/** A node that holds and charges without end, and writes down what it told its clients. */
import { appendFileSync, writeFileSync } from 'node:fs'
import type { Caller } from '../../../src/domain/caller'
import { systemClock } from '../../../src/domain/clock'
import { systemIds } from '../../../src/domain/ids'
import { nanoUsd } from '../../../src/domain/money'
import { openLeasedLedger } from '../../../src/ledger/leased/leased-ledger'
import { usualRules } from '../../../src/ledger/leased/node-slices'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { openNode } from '../../../src/business/data/postgres/open-node'
import { openTurnMemory } from '../../../src/storage/postgres/session-turns'
import { ending, opening } from '../../storage/folder'

interface ChildOrder {
  readonly url: string
  readonly folder: string
  readonly ttlMs: number
  readonly callers: readonly Caller[]
}

const { url, folder, ttlMs, callers } = JSON.parse(process.argv[2] ?? '') as ChildOrder
const acks = `${folder}.acks`
const say = (line: string) => appendFileSync(acks, `${line}\n`)
const ledgerOf: { ledger: ReturnType<typeof openLeasedLedger> | null } = { ledger: null }
const node = await openNode({
  address: readDatabaseAddress(url),
  folder,
  database: 'test',
  times: { ttlMs, beatMs: ttlMs / 5, sumMs: 100 },
  turns: openTurnMemory(),
  version: 'test',
  zoneDay: () => 1,
  secrets: () => '',
  duties: ['videos'],
  notes: {
    version() {},
    clockRead() {},
    spoolDamaged() {},
    told() {},
    fenced() {},
    onDuty() {},
    question: (scope, no) => ledgerOf.ledger?.hint(scope, no),
    tookOver: ({ nodes }) => say(`took-over ${nodes.length}`),
    summed: async () => {},
    fault() {},
  },
})
say(`recovered ${node.recovered.calls} ${node.recovered.short}`)
const ledger = openLeasedLedger({
  node: node.id,
  engine: node.engine,
  spools: node.spools,
  settings: {
    kycCeiling: nanoUsd(2_000_000_000),
    serviceDayCapacity: null,
    flushMs: 10,
    pendingAfterMs: 20,
  },
  rules: { ...usualRules, ttlMs },
  beatMs: ttlMs / 5,
  now: () => performance.now(),
  onFault() {},
  onFenced() {
    say('fenced')
    process.exit(3)
  },
})
ledgerOf.ledger = ledger

const state = { isStopping: false }
const call = async (caller: Caller): Promise<void> => {
  const amount = nanoUsd(1 + Math.floor(Math.random() * 1000))
  const begun = opening(caller, systemClock.now(), systemIds.request())
  const hold = await ledger.hold({ caller, amount, opening: begun })
  // Some run for long enough to be written as pending.
  await Bun.sleep(Math.random() < 0.1 ? 60 : 1)
  const cost = nanoUsd(Math.random() < 0.1 ? 0 : Math.floor(Math.random() * (amount + 1)))
  if (Math.random() < 0.1) hold.owe({ ...ending(nanoUsd(Math.floor(cost / 2))) })
  hold.settle(ending(cost))
  await ledger.spooled()
  say(`${begun.id} ${cost}`)
}
const workers = Array.from({ length: 6 }, async (_, at) => {
  for (let turn = at; !state.isStopping; turn++)
    try {
      await call(callers[turn % callers.length] as Caller)
    } catch {
      say('refused')
      await Bun.sleep(5)
    }
})
process.on('SIGTERM', () => {
  state.isStopping = true
  void Promise.all(workers).then(async () => {
    await ledger.close()
    await node.leave()
    process.exit(0)
  })
})

writeFileSync(`${folder}.ready`, String(process.pid))
