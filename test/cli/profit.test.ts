import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { charge, customer, opening } from '../storage/folder'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  const caller = await customer(storage, { usd: '100' })
  const sold = async (vendor: string, usd: number, billed: number | null) => {
    const batch = charge(opening(caller, systemClock.now()), usd * 1e9)
    const cost =
      billed === null
        ? {}
        : { vendorCost: { amount: nanoUsd(billed * 1e9), card: 1, vendor, estimated: false } }
    const ended = batch.ended.map((one) => ({ ...one, ending: { ...one.ending, vendor, ...cost } }))
    await storage.ledger.commit({ ...batch, ended }, false)
  }
  await sold('openai', 12, 10)
  await sold('backup', 3, 4)
  await sold('unknown', 1, null)
  await storage.close()
})
afterEach(() => terminal.close())

test('profit tells what was charged, what it cost and what is left, by vendor', async () => {
  const { total, data } = await terminal.json<{ total: object; data: object[] }>(
    ...'profit --group vendor'.split(' '),
  )
  expect(total).toEqual({
    calls: 3,
    charged_usd: '16.000000',
    refunded_usd: '0.000000',
    vendor_cost_usd: '14.000000',
    margin_usd: '2.000000',
    margin_percent: '12.50',
    calls_without_cost: 1,
  })
  expect(data).toMatchObject([
    { key: 'openai', margin_usd: '2.000000', margin_percent: '16.67' },
    { key: 'backup', margin_usd: '-1.000000', margin_percent: '-33.33' },
    { key: 'unknown', vendor_cost_usd: '0.000000', calls_without_cost: 1 },
  ])
})

test('profit is a table for people and values for a spreadsheet', async () => {
  const { stdout } = await terminal.run('profit')
  expect(stdout).toMatch(/^DAY +CALLS +CHARGED +REFUNDED +VENDOR COST +MARGIN +MARGIN %/)
  expect(stdout).toMatch(/^all +3 +16\.000000 /m)
  const csv = await terminal.run('profit', '--csv', '--group', 'account')
  expect(csv.stdout.trim().split('\n')).toEqual([
    'account,calls,charged_usd,refunded_usd,vendor_cost_usd,margin_usd,margin_percent,calls_without_cost',
    '1,3,16.000000,0.000000,14.000000,2.000000,12.50,1',
  ])
  expect((await terminal.run('profit', '--since', '2999-01-01')).code).toBe(1)
})
