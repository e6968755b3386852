import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { NanoUsd } from '../../src/domain/money'
import { cardAt, heldAt, nextCard } from '../../src/gateway/catalogue/cards'
import { addModel, addVendor, ask, openTestGateway } from '../support/gateway'
import { openStandIn } from '../support/stand-in'
import { handClock, testFolder } from '../storage/folder'

const card = (id: number, validFrom: number) => ({
  id,
  version: String(id),
  validFrom: validFrom as Ms,
})
const at = (time: number) => time as Ms

describe('the card that holds', () => {
  test('is the latest to have begun, and before any has, the first one', () => {
    const cards = [card(1, 100), card(2, 200), card(3, 200)]
    expect([99, 100, 199, 200].map((time) => heldAt(cards, at(time))?.id)).toEqual([1, 1, 1, 3])
    expect(cardAt(cards, at(99))).toBeNull()
    expect(heldAt([], at(99))).toBeNull()
  })

  test('is not the next one too', () => {
    const cards = [card(1, 100), card(2, 200)]
    expect(nextCard(cards, at(50), heldAt(cards, at(50))?.version)?.id).toBe(2)
    expect(nextCard(cards, at(150), heldAt(cards, at(150))?.version)?.id).toBe(2)
    expect(nextCard(cards, at(250), heldAt(cards, at(250))?.version)).toBeNull()
  })
})

test.each([3_000, 3_600_000, 3 * 86_400_000, 26 * 365 * 86_400_000])(
  'a gateway whose clock is %d ms behind sells what is on sale',
  async (behindMs) => {
    using folder = testFolder()
    const vendor = openStandIn()
    const storage = folder.open()
    const clock = handClock()
    clock.set(folder.clock.now() - behindMs)
    await using gateway = await opened()
    async function opened() {
      await addVendor(storage, 'standin', vendor.url)
      await addModel(storage, 'priced', ['standin'])
      const chapar = await openTestGateway({ folder: folder.path, clock })
      return Object.assign(chapar, { [Symbol.asyncDispose]: () => chapar.close() })
    }
    const answer = await gateway.post(ask('priced'))
    expect(answer.status).toBe(200)
    expect(await gateway.rest()).toMatchObject({ held: 0 })
    const id = answer.headers.get('x-request-id') ?? ''
    expect((await gateway.storage.reports.call(id, null))?.cost).toBe(450_000 as NanoUsd)
    expect((await gateway.audit()).differences).toEqual([])
    await vendor.close()
  },
)
