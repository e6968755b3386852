/** The rounds of `scripts/kill-rounds`, a few of them. */
import { expect, test } from 'bun:test'
import { playRounds } from './rounds/rounds'

const order = { rounds: 25, maxMs: 15_000, fronts: 3, freezesForGood: false }

test('processes are killed and frozen under load: no answer unpaid, no call of a living one lost', async () => {
  const report = await playRounds({ ...order, say() {} })
  expect(report.rounds).toBeGreaterThanOrEqual(5)
  expect(report.answers).toBeGreaterThan(report.rounds * 6)
}, 120_000)
