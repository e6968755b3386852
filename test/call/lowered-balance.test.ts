import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adjustBalance } from '../../src/business/accounts/adjust-balance'
import { systemClock } from '../../src/domain/clock'
import { nanoUsd, zeroUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'
import { ask, openTestGateway, type Customer } from '../support/gateway'
import { openStandIn, replies } from '../support/stand-in'

type TakeOut = (storage: Storage, account: Customer['account']) => Promise<unknown>

const ways: Readonly<Record<string, TakeOut>> = {
  'taken out': async ({ directory, ledger }, account) => {
    const [balance = zeroUsd] = await ledger.sums([{ kind: 'balance', id: account, period: '' }])
    const movement = { account, amount: nanoUsd(-balance), reference: 'all' }
    return await adjustBalance(directory, { ...movement, belowZero: false })
  },
  'given up': async ({ closings, ledger }, account) => {
    const [balance = zeroUsd] = await ledger.sums([{ kind: 'balance', id: account, period: '' }])
    expect(await closings.close(account, balance)).not.toBeNull()
  },
}

test.each(Object.entries(ways))(
  'money that is %s while a young call runs leaves no balance below zero',
  async (_, takeOut) => {
    const folder = mkdtempSync(join(tmpdir(), 'chapar-lowered-'))
    const vendor = openStandIn()
    const chapar = await openTestGateway({ vendorUrl: vendor.url, folder })
    const other = openStorage({ folder, exclusive: false, clock: systemClock })
    const running = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    vendor.play(async (...asked) => {
      running.resolve()
      await released.promise
      return await replies('all of this is sold')(...asked)
    })
    const answering = chapar.post(ask('priced'))
    await running.promise
    await takeOut(other, chapar.account)
    released.resolve()
    const answer = await answering
    expect(answer.status).toBe(200)
    await answer.text()
    const { held, balance } = await chapar.rest()
    expect({ held, balance: Number(balance) }).toEqual({ held: 0, balance: 0 })
    expect((await chapar.audit()).differences).toEqual([])
    await other.close()
    await chapar.close()
    await vendor.close()
    rmSync(folder, { recursive: true })
  },
)
