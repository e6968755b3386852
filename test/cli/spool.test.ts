import { afterEach, beforeEach, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/business/operations/finding'
import { systemClock } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { openLedger } from '../../src/ledger/open-ledger'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { customer, ending, opening } from '../storage/folder'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await killWithOneCharge(terminal.data)
})
afterEach(() => terminal.close())

async function killWithOneCharge(folder: string) {
  const storage = openStorage({ folder, exclusive: true, clock: systemClock })
  const caller = await customer(storage, { usd: '1' })
  const later = 1_000_000
  const ledger = openLedger({
    store: storage.ledger,
    spool: storage.endings,
    settings: {
      kycCeiling: nanoUsd(0),
      serviceDayCapacity: null,
      flushMs: later,
      pendingAfterMs: later,
    },
    onFault: () => {},
  })
  const call = opening(caller, systemClock.now())
  const cost = nanoUsd(2_000_000)
  ;(await ledger.hold({ caller, amount: cost, opening: call })).settle(ending(cost))
  await ledger.spooled()
  await storage.close()
}

test('audit counts charges that wait in the spool of a killed gateway', async () => {
  const { code, stdout } = await terminal.run('audit')
  expect(code).toBe(0)
  expect(stdout).toContain(
    '1 charge of $0.002000 in the spool, not yet in the database: chapar serve writes them',
  )
})

test('doctor tells of them, and of a spool that was set aside', async () => {
  writeFileSync(join(terminal.data, 'endings.spool.2026-11-20'), '')
  const { stdout } = await terminal.run('doctor', '--json')
  const { data } = JSON.parse(stdout) as { data: readonly Finding[] }
  const found = data.filter(({ check }) => check === 'spool')
  expect(found.map((each) => [each.state, each.found])).toEqual([
    ['warn', 'charges of another database lie in endings.spool.2026-11-20'],
    ['warn', '1 charges of $0.002000 are not in the database yet'],
  ])
})
