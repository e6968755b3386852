import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { planPhoneMove } from '../../src/business/users/phone-changes'
import { systemClock, type Ms } from '../../src/domain/clock'
import type { PersonId } from '../../src/domain/ids'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, printedCodes, type Visitor } from './visitor'
import { atMachine } from '../support/requesters'

let gateway: TestGateway
let visitor: Visitor
let time: number
beforeEach(async () => {
  time = Date.now()
  gateway = await openTestGateway({ web: true, clock: { now: () => time as Ms } })
  visitor = openVisitor(gateway)
})
afterEach(() => gateway.close())

const phone = '09123456789'
const minuteMs = 60_000

interface Me {
  readonly person: { readonly id: PersonId; readonly phone: string }
  readonly account: { readonly id: number; readonly role: string }
  readonly phone_moves_at: number | null
}
const me = async (who: Visitor) => (await who.send('GET', '/me')).body as Me

describe('a change of number', () => {
  const change = async (to: string) => {
    time += minuteMs
    const before = gateway.logs().length
    await visitor.send('POST', '/phone', { phone: to })
    const [oldCode = '', code = ''] = printedCodes(gateway.logs().slice(before))
    return { phone: to, old_code: oldCode, code }
  }

  test('needs the codes of both, and signs out everywhere', async () => {
    await visitor.signIn(phone)
    const { account } = await me(visitor)
    const typed = await change('09120000001')
    const wrong = typed.code === '000000' ? '000001' : '000000'
    const check = (body: object) => visitor.send('POST', '/phone/check', body)
    expect(await check({ ...typed, code: wrong })).toMatchObject({ status: 400 })
    expect(await check({ ...typed, old_code: wrong })).toMatchObject({ status: 400 })
    const cookie = visitor.cookie()
    expect(await check(typed)).toMatchObject({ status: 200, body: { changed: true } })
    expect((await visitor.send('GET', '/me', undefined, { cookie })).status).toBe(401)
    time += minuteMs
    await visitor.signIn('09120000001')
    expect(await me(visitor)).toMatchObject({ person: { phone: '0912 000 0001' }, account })
  })

  test('to a number that somebody has is told only to who holds both', async () => {
    await openVisitor(gateway).signIn('09120000001')
    await visitor.signIn(phone)
    const typed = await change('09120000001')
    expect(await visitor.send('POST', '/phone/check', typed)).toMatchObject({
      status: 409,
      body: { error: { code: 'phone_taken' } },
    })
    expect(await me(visitor)).toMatchObject({ person: { phone: '0912 345 6789' } })
  })

  test('by an operator is told, and the person can keep the number', async () => {
    await visitor.signIn(phone)
    const { id: person } = (await me(visitor)).person
    const { phoneMoves } = gateway.storage
    const { due } = await planPhoneMove(
      { store: phoneMoves, requester: atMachine, now: systemClock.now() },
      { person, phone: null },
    )
    expect((await me(visitor)).phone_moves_at).toBe(due)
    // The others of the account see it too.
    expect((await visitor.send('GET', '/members')).body as object).toMatchObject({
      data: [{ person, phone_moves_at: due }],
    })
    expect((await visitor.send('DELETE', '/phone/move')).body as object).toEqual({ kept: true })
    expect((await me(visitor)).phone_moves_at).toBeNull()
  })
})
