import { expect, test } from 'bun:test'
import { ownerCaps } from '../../src/business/accounts/caps'
import { parseUsd, showUsd } from '../../src/domain/money'
import { charge, customer, opening, testFolder } from '../storage/folder'

const settings = { kycCeiling: parseUsd('2'), serviceDayCapacity: null }

test('every cap of a key tells what is spent, sums that the gateway has not written included', async () => {
  using folder = testFolder()
  const storage = folder.open(true)
  const { account, project, key } = await customer(storage, {
    usd: '9',
    account: { verified: false, dailyCap: parseUsd('5') },
    project: { monthlyBudget: parseUsd('0.03') },
    key: { spendLimit: null },
  })
  const caller = { account, project, key }
  const now = folder.clock.now()
  await storage.ledger.commit(charge(opening(caller, now), parseUsd('0.02')), false)
  await storage.ledger.sumUp(Infinity)
  await storage.ledger.commit(charge(opening(caller, now), parseUsd('0.03')), false)
  const beside = folder.open()
  const caps = await ownerCaps(beside.spending, caller, settings, now)
  const shown = caps.map(({ name, period, spent, left }) => [
    name,
    period,
    showUsd(spent),
    left === null ? null : showUsd(left),
  ])
  expect(shown).toEqual([
    ['key_spend_limit', '', '0.050000', null],
    ['project_budget', '2026-11', '0.050000', '0.000000'],
    ['daily_cap', '2026-11-20', '0.050000', '4.950000'],
    ['verification_ceiling', '', '0.050000', '1.950000'],
    ['daily_capacity', '2026-11-20', '0.050000', null],
  ])
})

test('a new day and month begin at nothing, and a verified account has no ceiling', async () => {
  using folder = testFolder()
  const storage = folder.open(true)
  const { account, project, key } = await customer(storage, { usd: '9' })
  await storage.ledger.commit(
    charge(opening({ account, project, key }, folder.clock.now()), parseUsd('0.02')),
    false,
  )
  folder.clock.set('2026-12-01T00:00:00Z')
  const caps = await ownerCaps(storage.spending, { account, project }, settings, folder.clock.now())
  expect(caps.map(({ name, spent, limit }) => [name, showUsd(spent), limit])).toEqual([
    ['project_budget', '0.000000', null],
    ['daily_cap', '0.000000', null],
    ['verification_ceiling', '0.020000', null],
    ['daily_capacity', '0.000000', null],
  ])
})
