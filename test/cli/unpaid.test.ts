import { afterEach, beforeEach, expect, test } from 'bun:test'
import { nanoUsd, parseUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openDesk } from '../notices/desk'
import { customer, ending, handClock, opening } from '../storage/folder'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(() => {
  terminal = openTerminal()
  process.env['CHAPAR_LOG'] = 'silent'
})
afterEach(() => terminal.close())

/** Two calls for which a vendor counted more than they can use, by their ids. */
async function countOddly(): Promise<readonly string[]> {
  const clock = handClock()
  const storage = openStorage({ folder: terminal.data, exclusive: true, clock })
  const caller = await customer(storage, { usd: '5' })
  const { ledger } = openDesk(storage, clock)
  const ids: string[] = []
  for (const cents of [2, 3]) {
    const call = opening(caller, clock.now())
    const cost = nanoUsd(cents * 10_000_000)
    const unpaid = {
      units: { input: 10, output: 900_000_000 },
      cost: parseUsd('13500'),
      isBeyondPossible: true,
    }
    const hold = await ledger.hold({ caller, amount: cost, opening: call })
    hold.settle(ending(cost, { unpaid }))
    await ledger.flush()
    ids.push(call.id)
  }
  await ledger.close()
  await storage.close()
  return ids
}

test('what a vendor counted beyond the possible is shown, and told once a day', async () => {
  const [first = ''] = await countOddly()
  const shown = await terminal.json<object>('requests', 'show', first)
  expect(shown).toMatchObject({
    usd: '0.020000',
    vendor_counted: {
      units: { input: 10, output: 900_000_000 },
      usd: '13500.000000',
      possible: false,
    },
  })
  const { stdout } = await terminal.run('requests', 'show', first)
  expect(stdout).toContain('which comes to $13500.000000: what was not charged is yours')

  const { data } = await terminal.json<{ data: readonly object[] }>('notices', 'list')
  expect(data).toMatchObject([
    {
      kind: 'vendor_counts_oddly',
      subject: { type: 'model', source: { vendor: 'test', model: 'test/model' } },
      limit: '0.020000',
      spent: '13500.000000',
      threshold: null,
      period: '2026-11-20',
    },
  ])
  expect((await terminal.run('notices', 'list')).stdout).toContain('test/model at test')
})
