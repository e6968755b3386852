import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openListener } from '../support/listener'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
let owner: Visitor
let guest: Visitor
beforeEach(async () => {
  gateway = await openTestGateway({ web: true })
  owner = openVisitor(gateway)
  guest = openVisitor(gateway)
  await owner.signIn('09123456789')
  await guest.signIn('09120000001')
})
afterEach(() => gateway.close())

interface Me {
  readonly person: { readonly id: number }
  readonly account: { readonly id: number; readonly role: string }
  readonly invitations: readonly { readonly id: number }[]
}
interface People {
  readonly data: readonly { readonly person: number; readonly phone: string }[]
  readonly invitations: readonly { readonly id: number }[]
}
const me = async (who: Visitor) => (await who.send('GET', '/me')).body as Me
const people = async (who: Visitor) => (await who.send('GET', '/members')).body as People
const errorOf = ({ status, body }: { status: number; body: never }) => [
  status,
  (body as { error: { code: string } }).error.code,
]
const invite = (who: Visitor, phone: string, role = 'member') =>
  who.send('POST', '/members/invitations', { phone, role })
const join = async (role = 'member') => {
  await invite(owner, '۰۹۱۲۰۰۰۰۰۰۱', role)
  const [asked] = (await me(guest)).invitations
  return await guest.send('POST', `/invitations/${asked?.id}/accept`)
}

describe('an invitation', () => {
  test('is shown to whoever has the number, and accepted shows the account at once', async () => {
    const { account } = await me(owner)
    const before = await me(guest)
    expect((await guest.send('PUT', '/session', { account: account.id })).status).toBe(404)
    await invite(owner, '09120000001')
    expect((await me(guest)).invitations as object).toEqual([
      { id: 1, account_name: '0912 ··· 6789', role: 'member', by: '0912 ··· 6789' },
    ])
    expect((await people(owner)).invitations as object).toMatchObject([{ phone: '0912 000 0001' }])
    expect((await people(guest)).invitations).toEqual([])
    expect(await guest.send('POST', '/invitations/1/accept')).toMatchObject({ status: 200 })
    expect((await me(guest)).account).toMatchObject({ id: account.id, role: 'member' })
    const back = { account: before.account.id }
    expect((await guest.send('PUT', '/session', back)).status).toBe(200)
  })

  test('is told by SMS where a provider is set up, once a day, with nothing that a customer wrote', async () => {
    const told: unknown[] = []
    const waiting = Promise.withResolvers<void>()
    const provider = openListener(({ bytes }) => {
      told.push(JSON.parse(bytes.toString()))
      waiting.resolve()
      return new Response(null, { status: 204 })
    })
    await gateway.storage.by('command:test').smsProviders.save({
      name: 'ours',
      kind: 'webhook',
      options: { url: provider.url, 'notice-body': '{"to":"{phone}","text":"{text}"}' },
      secret: null,
    })
    await invite(owner, '09120000001')
    await invite(owner, '09120000001')
    await waiting.promise
    await invite(owner, '+14155550123')
    expect(told).toHaveLength(1)
    expect(told).toEqual([
      {
        to: '+989120000001',
        text: 'chapar: شما را به حسابی دعوت کرده‌اند. با همین شماره وارد شوید و پاسخ دهید.',
      },
    ])
    await provider.close()
  })

  test('is declined by them, and withdrawn by an owner', async () => {
    await invite(owner, '09120000001')
    expect((await guest.send('DELETE', '/invitations/1')).status).toBe(200)
    expect((await me(guest)).invitations).toEqual([])
    const { id } = (await invite(owner, '09120000001')).body as { id: number }
    expect(errorOf(await guest.send('DELETE', `/members/invitations/${id}`))).toEqual([
      404,
      'invitation_over',
    ])
    expect((await owner.send('DELETE', `/members/invitations/${id}`)).status).toBe(200)
    expect(errorOf(await guest.send('POST', `/invitations/${id}/accept`))).toEqual([
      404,
      'invitation_over',
    ])
  })
})

describe('a member', () => {
  test('makes keys and changes those; all of them say who made them', async () => {
    await join()
    const [project] = ((await guest.send('GET', '/projects')).body as { data: { id: number }[] })
      .data
    const make = async (who: Visitor, name: string) =>
      (await who.send('POST', '/keys', { project: project?.id, name })).body as { id: number }
    const mine = await make(guest, 'mine')
    const theirs = await make(owner, 'theirs')
    const { data } = (await owner.send('GET', '/keys')).body as { data: object[] }
    expect(data).toMatchObject([
      { name: 'theirs', made_by: { is_you: true }, may_change: true },
      { name: 'mine', made_by: { is_you: false, phone: '0912 ··· 0001' }, may_change: true },
    ])
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'other' }],
      ['POST', '/switch', { on: false }],
      ['POST', '/revoke', { name: 'theirs' }],
    ] as const)
      expect(errorOf(await guest.send(method, `/keys/${theirs.id}${path}`, body))).toEqual([
        403,
        'not_your_key',
      ])
    expect((await guest.send('PATCH', `/keys/${mine.id}`, { name: 'ours' })).status).toBe(200)
    expect((await owner.send('POST', `/keys/${mine.id}/switch`, { on: false })).status).toBe(200)
    expect((await guest.send('GET', `/keys/${theirs.id}`)).body as object).toMatchObject({
      may_change: false,
    })
  })

  test('changes neither people nor projects, and sees others’ numbers masked', async () => {
    await join()
    const { person } = await me(owner)
    for (const [method, path, body] of [
      ['POST', '/members/invitations', { phone: '09120000002', role: 'member' }],
      ['PATCH', `/members/${person.id}`, { role: 'member' }],
      ['POST', `/members/${person.id}/transfer`, undefined],
      ['DELETE', `/members/${person.id}`, undefined],
      ['POST', '/projects', { name: 'new' }],
      ['PATCH', '/projects/2', { name: 'new' }],
    ] as const)
      expect(errorOf(await guest.send(method, path, body))).toEqual([403, 'owners_only'])
    const phones = (await people(guest)).data.map(({ phone }) => phone)
    expect(phones).toEqual(['0912 ··· 6789', '0912 000 0001'])
  })

  test('leaves, and goes on in the account that is theirs', async () => {
    const { account, person } = await me(guest)
    await join()
    expect(await guest.send('DELETE', `/members/${person.id}`)).toMatchObject({
      status: 200,
      body: { removed: true, account: account.id },
    })
    expect((await me(guest)).account).toMatchObject({ id: account.id, role: 'owner' })
    expect((await people(owner)).data).toHaveLength(1)
  })
})

describe('an owner', () => {
  test('makes owners, hands the account over, and is never missing', async () => {
    await join()
    const { person } = await me(guest)
    const self = (await me(owner)).person.id
    const last = [409, 'last_owner']
    expect(errorOf(await owner.send('PATCH', `/members/${self}`, { role: 'member' }))).toEqual(last)
    expect(errorOf(await owner.send('DELETE', `/members/${self}`))).toEqual(last)
    // Still signed in, and here.
    expect((await me(owner)).account.role).toBe('owner')
    expect((await owner.send('POST', `/members/${person.id}/transfer`)).status).toBe(200)
    expect((await me(owner)).account.role).toBe('member')
    expect((await me(guest)).account.role).toBe('owner')
  })

  test('dismisses, and who is dismissed is signed out of it', async () => {
    await join()
    const { person } = await me(guest)
    expect((await owner.send('DELETE', `/members/${person.id}`)).status).toBe(200)
    expect((await guest.send('GET', '/me')).status).toBe(401)
  })
})

describe('what a member made', () => {
  interface Made {
    readonly keys: readonly {
      readonly id: number
      readonly name: string
      readonly last_used: string | null
    }[]
    readonly webhook: string | null
  }
  const keyOf = async (who: Visitor, name: string) => {
    const { data } = (await who.send('GET', '/projects')).body as { data: { id: number }[] }
    const made = await who.send('POST', '/keys', { project: data[0]?.id, name })
    return made.body as { id: number; secret: string }
  }
  const call = async (secret: string) => {
    const response = await fetch(`${gateway.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({
        model: 'sandbox/echo',
        messages: [{ role: 'user', content: 'hello' }],
      }),
    })
    await response.arrayBuffer()
    return response.status
  }
  const madeBy = async (who: Visitor, person: number) =>
    (await who.send('GET', `/members/${person}/made`)).body as Made

  test('is listed, and revoked with them unless it is kept', async () => {
    await join()
    const { person } = await me(guest)
    const [theirs, old, own] = [
      await keyOf(guest, 'theirs'),
      await keyOf(guest, 'old'),
      await keyOf(owner, 'own'),
    ]
    await guest.send('POST', `/keys/${old.id}/revoke`, { name: 'old' })
    expect(await call(theirs.secret)).toBe(200)
    const made = await madeBy(owner, person.id)
    expect(made).toMatchObject({ keys: [{ id: theirs.id, name: 'theirs' }], webhook: null })
    expect(made.keys[0]?.last_used).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(await madeBy(guest, person.id)).toEqual(made)
    expect(errorOf(await guest.send('GET', `/members/${person.id + 1}/made`))).toEqual([
      403,
      'owners_only',
    ])
    expect(await owner.send('DELETE', `/members/${person.id}`)).toMatchObject({
      status: 200,
      body: { removed: true, revoked: 1 },
    })
    expect([await call(theirs.secret), await call(own.secret)]).toEqual([401, 200])
    const [line] = await gateway.storage.trail.list({
      subject: `key:${theirs.id}`,
      before: null,
      max: 1,
    })
    expect(line).toMatchObject({ what: 'key.set', after: { state: 'revoked' } })
  })

  test('stays where the owner says so, and where who leaves says so', async () => {
    await join()
    const { person } = await me(guest)
    const { secret } = await keyOf(guest, 'theirs')
    const kept = await guest.send('DELETE', `/members/${person.id}?keys=keep`)
    expect(kept).toMatchObject({ status: 200, body: { revoked: 0 } })
    expect(await call(secret)).toBe(200)
    expect((await owner.send('DELETE', `/members/${person.id}?keys=other`)).status).toBe(400)
  })

  test('ends with whoever leaves by themself, too', async () => {
    await join()
    const { person } = await me(guest)
    const { secret } = await keyOf(guest, 'theirs')
    await guest.send('DELETE', `/members/${person.id}`)
    expect(await call(secret)).toBe(401)
  })

  test('is an owner’s webhook and invitations as well', async () => {
    await join('owner')
    const { person } = await me(guest)
    await guest.send('PUT', '/notice-ways/webhook', { url: 'https://hooks.example.com/x' })
    await invite(guest, '09120000002', 'owner')
    expect(await madeBy(owner, person.id)).toMatchObject({ webhook: 'hooks.example.com' })
    expect((await people(owner)).invitations).toHaveLength(1)
    await owner.send('DELETE', `/members/${person.id}`)
    expect((await people(owner)).invitations).toEqual([])
    expect((await owner.send('GET', '/notice-ways')).body as object).toMatchObject({
      webhook: null,
    })
  })

  test('is an invitation of whoever may no longer invite', async () => {
    await join('owner')
    const { person } = await me(guest)
    await invite(guest, '09120000002', 'owner')
    await owner.send('PATCH', `/members/${person.id}`, { role: 'member' })
    expect((await people(owner)).invitations).toEqual([])
    await invite(owner, '09120000002', 'owner')
    await owner.send('POST', `/members/${person.id}/transfer`)
    expect((await people(guest)).invitations).toEqual([])
  })
})

describe('signed-in devices', () => {
  interface Device {
    readonly id: string
    readonly current: boolean
    readonly way: string
  }
  test('are listed, and each can be signed out', async () => {
    const clock = Date.now()
    const other = openVisitor(gateway)
    const begun = await gateway.storage.sessions.list(
      (await me(guest)).person.id as never,
      clock as never,
    )
    expect(begun).toHaveLength(1)
    await gateway.storage.sessions.begin({
      ...(begun[0] as NonNullable<(typeof begun)[0]>),
      hash: 'ab'.repeat(32),
      way: 'passkey',
    })
    const list = (await guest.send('GET', '/sessions')).body as Device[]
    expect(list.map(({ current, way }) => [current, way])).toContainEqual([false, 'passkey'])
    const stranger = list.find(({ current }) => !current)
    const path = `/sessions/${stranger?.id}`
    expect((await owner.send('DELETE', path)).status).toBe(404)
    expect((await guest.send('DELETE', path)).status).toBe(200)
    expect((await guest.send('DELETE', path)).status).toBe(404)
    expect((await guest.send('GET', '/sessions')).body as Device[]).toHaveLength(1)
    expect((await other.send('GET', '/sessions')).status).toBe(401)
  })
})
