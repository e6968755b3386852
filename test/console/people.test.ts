import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { planPhoneMove } from '../../src/admin/phone-moves'
import { systemClock, type Ms } from '../../src/domain/clock'
import type { PersonId } from '../../src/domain/ids'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
let visitor: Visitor
let time: number
beforeEach(() => {
  time = Date.now()
  gateway = openTestGateway({ web: true, clock: { now: () => time as Ms } })
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
  interface Sent {
    readonly old: { readonly shown_code: string }
    readonly new: { readonly shown_code: string }
  }
  const change = async (to: string) => {
    time += minuteMs
    const { old, new: fresh } = (await visitor.send('POST', '/phone', { phone: to })).body as Sent
    return { phone: to, old_code: old.shown_code, code: fresh.shown_code }
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
    const { due } = await planPhoneMove(phoneMoves, { person, phone: null }, systemClock.now())
    expect((await me(visitor)).phone_moves_at).toBe(due)
    expect((await visitor.send('DELETE', '/phone/move')).body as object).toEqual({ kept: true })
    expect((await me(visitor)).phone_moves_at).toBeNull()
  })
})

describe('people of an account', () => {
  test('are invited by phone, and see it beside their own', async () => {
    await visitor.signIn(phone)
    const guest = openVisitor(gateway)
    await guest.signIn('09120000001')
    const { account } = await me(visitor)
    const invitation = { phone: '۰۹۱۲۰۰۰۰۰۰۱', role: 'member' }
    expect((await guest.send('PUT', '/session', { account: account.id })).status).toBe(404)
    expect((await visitor.send('POST', '/members', invitation)).status).toBe(200)
    expect((await visitor.send('POST', '/members', invitation)).status).toBe(409)
    expect((await guest.send('PUT', '/session', { account: account.id })).status).toBe(200)
    expect((await me(guest)).account).toMatchObject({ id: account.id, role: 'member' })
    expect((await guest.send('POST', '/members', invitation)).body as object).toMatchObject({
      error: { code: 'owners_only' },
    })
  })

  test('are dismissed by an owner, who cannot be the last one', async () => {
    await visitor.signIn(phone)
    const { person } = await me(visitor)
    await visitor.send('POST', '/members', { phone: '09120000001', role: 'owner' })
    const members = (await visitor.send('GET', '/members')).body as { person: number }[]
    expect(members).toHaveLength(2)
    const other = members.find((each) => each.person !== person.id)?.person
    expect((await visitor.send('DELETE', `/members/${other}`)).status).toBe(200)
    expect(await visitor.send('DELETE', `/members/${person.id}`)).toMatchObject({
      status: 409,
      body: { error: { code: 'last_owner' } },
    })
  })
})
