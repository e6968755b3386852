import { describe, expect, test } from 'bun:test'
import { nanoUsd } from '../../src/domain/money'
import { customer, ending, ledgerOf, opening, testFolder, balanceIn } from '../storage/folder'

/** A process with calls whose first model gives no answer. */
async function open() {
  const folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const ledger = ledgerOf(storage)
  const begin = async (id: string) => {
    const first = opening(caller, folder.clock.now(), id)
    const hold = await ledger.hold({ caller, amount: nanoUsd(100), opening: first })
    return { hold, first, second: { ...first, model: 'second', cardVersion: '7' } }
  }
  return {
    folder,
    storage,
    caller,
    ledger,
    begin,
    recorded: (id: string, at = storage) => at.reports.call(id, null),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}
const asSecond = { model: 'second', cardVersion: '7' }

describe('a call that another model answers', () => {
  test('is recorded as its, whether or not it was written as pending before', async () => {
    using it = await open()
    for (const [id, isWritten] of [
      ['req_1', true],
      ['req_2', false],
    ] as const) {
      const { hold, second } = await it.begin(id)
      if (isWritten) await it.ledger.flush()
      hold.answerAs(second)
      await it.ledger.flush()
      expect(await it.recorded(id)).toMatchObject({ ...asSecond, status: 'pending' })
      hold.settle(ending(nanoUsd(5)))
      await it.ledger.flush()
      expect(await it.recorded(id)).toMatchObject({ ...asSecond, status: 'success', cost: 5 })
    }
    expect(await balanceIn(it.storage, it.caller.account.id)).toBe(nanoUsd(1_000_000_000 - 10))
    expect(await it.storage.audit()).toMatchObject({ ok: true, differences: [] })
  })

  test('is written in one commit where it begins, is handed over and ends between two', async () => {
    using it = await open()
    const { hold, second } = await it.begin('req_1')
    await it.ledger.flush()
    hold.answerAs(second)
    hold.settle(ending(nanoUsd(5)))
    await it.ledger.flush()
    expect(await it.recorded('req_1')).toMatchObject({ ...asSecond, cost: 5 })
  })

  test('is charged after a kill as the spool says, by the card of the model that answered', async () => {
    using it = await open()
    for (const [id, isWritten] of [
      ['req_1', true],
      ['req_2', false],
    ] as const) {
      const { hold, second } = await it.begin(id)
      if (isWritten) await it.ledger.flush()
      hold.answerAs(second)
      hold.settle(ending(nanoUsd(5)))
    }
    await it.ledger.spooled()
    await it.storage.close()
    for (let start = 0; start < 2; start++) {
      const after = it.folder.open(true)
      await after.ledger.recover()
      for (const id of ['req_1', 'req_2'])
        expect(await it.recorded(id, after)).toMatchObject({
          ...asSecond,
          status: 'success',
          cost: 5,
        })
      expect(await balanceIn(after, it.caller.account.id)).toBe(nanoUsd(1_000_000_000 - 10))
      expect(await after.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
      await after.close()
    }
  })

  test('can be no other call', async () => {
    using it = await open()
    const { hold, second } = await it.begin('req_1')
    expect(() => hold.answerAs({ ...second, id: 'req_9' as never })).toThrow('is not')
    hold.release(ending(nanoUsd(0)))
    expect(() => hold.answerAs(second)).toThrow('closed')
  })
})
