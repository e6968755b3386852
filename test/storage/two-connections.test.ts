import { describe, expect, test } from 'bun:test'
import { nanoUsd, parseUsd } from '../../src/domain/money'
import { openLedger } from '../../src/ledger/open-ledger'
import { charge, customer, ending, opening, testFolder, type TestFolder } from './folder'
import { neverMs, paced } from '../support/pace'

function serve(folder: TestFolder) {
  const storage = folder.open(true)
  const faults: unknown[] = []
  const ledger = openLedger({
    store: storage.ledger,
    settings: {
      kycCeiling: parseUsd('2'),
      serviceDayCapacity: null,
      flushMs: neverMs,
      pendingAfterMs: neverMs,
    },
    onFault: (fault) => void faults.push(fault),
  })
  return { storage, ledger, faults }
}

describe('a command beside a gateway', () => {
  test('its deposit is seen after a refresh, and neither loses the other’s money', async () => {
    using folder = testFolder()
    const { storage, ledger } = serve(folder)
    const caller = await customer(storage, { usd: '1' })
    const { id } = caller.account
    const first = opening(caller, folder.clock.now())
    const hold = await ledger.hold({ caller, amount: parseUsd('0.4'), opening: first })
    await ledger.hold({
      caller,
      amount: parseUsd('0.5'),
      opening: opening(caller, folder.clock.now()),
    })
    hold.settle(ending(parseUsd('0.4')))

    const before = storage.version()
    const command = folder.open()
    const deposit = { account: id, amount: parseUsd('3'), kind: 'topup', reference: 'r' } as const
    expect(await command.directory.deposit(deposit)).toMatchObject({ balance: parseUsd('4') })
    expect(storage.version()).not.toBe(before)

    expect((await ledger.funds(id)).balance).toBe(parseUsd('0.6'))
    ledger.refresh()
    expect(await ledger.funds(id)).toEqual({
      balance: parseUsd('3.6'),
      held: parseUsd('0.5'),
      available: parseUsd('3.1'),
    })
    await ledger.flush()
    expect((await command.directory.findAccount(id))?.balance).toBe(parseUsd('3.6'))
    expect(await command.audit()).toMatchObject({ ok: true, pending: 1 })
  })

  test('a commit alone is enough to see what was deposited', async () => {
    using folder = testFolder()
    const { storage, ledger } = serve(folder)
    const caller = await customer(storage, { usd: '1' })
    const call = opening(caller, folder.clock.now())
    const hold = await ledger.hold({ caller, amount: nanoUsd(5), opening: call })
    await folder.open().directory.deposit({
      account: caller.account.id,
      amount: parseUsd('3'),
      kind: 'topup',
      reference: 'r',
    })
    hold.settle(ending(nanoUsd(5)))
    await ledger.flush()
    expect((await ledger.funds(caller.account.id)).balance).toBe(nanoUsd(3_999_999_995))
  })

  test('its long transaction stops a group only for a moment, and loses nothing', async () => {
    using folder = testFolder()
    const { storage, ledger } = serve(folder)
    const caller = await customer(storage, { usd: '1' })
    const other = folder.raw()
    other.run('BEGIN IMMEDIATE')
    const call = opening(caller, folder.clock.now())
    ;(await ledger.hold({ caller, amount: nanoUsd(9), opening: call })).settle(ending(nanoUsd(9)))
    const began = performance.now()
    expect(ledger.flush()).rejects.toThrow('database is locked')
    // A command waits 5 s for another; the gateway 50 ms, however long they take on a busy machine.
    expect(performance.now() - began).toBeLessThan(paced(4500))
    expect((await ledger.funds(caller.account.id)).balance).toBe(nanoUsd(999_999_991))
    other.run('COMMIT')
    await ledger.flush()
    expect(await storage.ledger.find(call.id)).toEqual({ status: 'success', cost: nanoUsd(9) })
    expect((await storage.audit()).ok).toBe(true)
  })

  test('sees one consistent state while the gateway goes on writing', async () => {
    using folder = testFolder()
    const { storage } = serve(folder)
    const caller = await customer(storage, { usd: '1' })
    const command = folder.open()
    for (let i = 0; i < 20; i++) {
      await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 100 + i), false)
      expect((await command.audit()).differences).toEqual([])
    }
  })
})
