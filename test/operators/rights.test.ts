import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { openImpersonations } from '../../src/business/operators/impersonation'
import type { Phone } from '../../src/domain/phone'
import type { OperatorRole } from '../../src/domain/fields/operator-fields'
import { setUpOperator, type OperatorVisitor } from '../console/operator-visitor'
import { systemClock } from '../../src/domain/clock'
import { openTestGateway, type TestGateway } from '../support/gateway'

let gateway: TestGateway
let boss: OperatorVisitor
let names = 0
let name: string
let sara: OperatorVisitor

const origin = () => new URL(gateway.url).origin

interface MadeKey {
  readonly id: number
  readonly secret: string
}

const makeKey = async (by: OperatorVisitor, role: OperatorRole): Promise<MadeKey> => {
  const body = { name: role, role, expires: null }
  const made = await by.send<MadeKey>('POST', '/operator-keys', body)
  expect(made.status).toBe(200)
  return made.body
}

const asKey = async (secret: string, method: string, path: string, body?: object) => {
  const response = await fetch(`${origin()}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as never }
}

/** The role of a key by now; null where it is refused. */
const roleOf = async (secret: string): Promise<OperatorRole | null> => {
  const { status, body } = await asKey(secret, 'GET', '/identity')
  return status === 200 ? (body as { role: OperatorRole }).role : null
}

interface Ended {
  readonly ended: {
    readonly keys: readonly { readonly id: number }[]
    readonly lowered: readonly { readonly id: number }[]
    readonly links: readonly string[]
    readonly looks: number
  }
}

const changed = async (method: string, path: string, body?: object): Promise<Ended['ended']> => {
  const { status, body: answer } = await boss.send<Ended>(method, path, body)
  expect(status).toBe(200)
  return answer.ended
}

const lastLine = async () => {
  const [line] = await gateway.storage.trail.list({ subject: null, before: null, max: 1 })
  return line
}

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  boss = (await setUpOperator(gateway, systemClock, { name: 'boss' })).visitor
})
afterAll(() => gateway.close())
beforeEach(async () => {
  name = `sara-${++names}`
  sara = (await setUpOperator(gateway, systemClock, { name })).visitor
})

describe('keys of an operator', () => {
  test('have at most the role that their maker has now', async () => {
    const [owner, viewer] = [await makeKey(sara, 'owner'), await makeKey(sara, 'viewer')]
    expect(await roleOf(owner.secret)).toBe('owner')
    const { keys, lowered } = await changed('PATCH', `/operators/${name}`, { role: 'staff' })
    expect({ keys, lowered: lowered.map(({ id }) => id) }).toEqual({
      keys: [],
      lowered: [owner.id],
    })
    expect(await roleOf(owner.secret)).toBe('staff')
    expect((await lastLine())?.after).toEqual({ role: 'staff', lowered_keys: [owner.id] })
    await changed('PATCH', `/operators/${name}`, { role: 'viewer' })
    expect(await roleOf(owner.secret)).toBe('viewer')
    const refused = await asKey(owner.secret, 'POST', '/operators', { name: 'evil', role: 'owner' })
    expect(refused.status).toBe(403)
    await changed('PATCH', `/operators/${name}`, { role: 'owner' })
    expect(await roleOf(owner.secret)).toBe('owner')
    expect(await roleOf(viewer.secret)).toBe('viewer')
  })

  test('end with its removal and its reset, with the keys that they made', async () => {
    for (const [method, path] of [
      ['POST', '/reset'],
      ['DELETE', ''],
    ] as const) {
      const own = `sara-${++names}`
      const { visitor } = await setUpOperator(gateway, systemClock, { name: own })
      const first = await makeKey(visitor, 'owner')
      const body = { name: 'second', role: 'owner', expires: null }
      const second = (await asKey(first.secret, 'POST', '/operator-keys', body)).body as MadeKey
      expect(await roleOf(second.secret)).toBe('owner')
      const { keys } = await changed(method, `/operators/${own}${path}`)
      expect(keys.map(({ id }) => id)).toEqual([first.id, second.id])
      expect([await roleOf(first.secret), await roleOf(second.secret)]).toEqual([null, null])
      expect((await lastLine())?.after).toMatchObject({ ended_keys: [first.id, second.id] })
    }
  })

  test('end with the key that made them', async () => {
    const first = await makeKey(sara, 'owner')
    const body = { name: 'second', role: 'staff', expires: null }
    const second = (await asKey(first.secret, 'POST', '/operator-keys', body)).body as MadeKey
    const { keys } = await changed('DELETE', `/operator-keys/${first.id}`)
    expect(keys.map(({ id }) => id)).toEqual([second.id])
    expect(await roleOf(second.secret)).toBeNull()
  })

  test('of an operator who was removed before that ended them are over', async () => {
    const { secret, id } = await makeKey(sara, 'owner')
    const { operators } = gateway.storage
    const found = (await operators.list()).find((each) => each.name === name)
    await operators.remove(found?.id as never)
    expect(await roleOf(secret)).toBeNull()
    const listed = (await operators.keys()).find((each) => each.id === id)
    expect(listed?.effectiveRole).toBeNull()
  })
})

describe('what an operator granted otherwise', () => {
  test('ends: links that nobody followed, and visits of accounts', async () => {
    for (const [method, path, body] of [
      ['PATCH', '', { role: 'viewer' }],
      ['POST', '/reset', undefined],
      ['DELETE', '', undefined],
    ] as const) {
      const own = `sara-${++names}`
      const { visitor } = await setUpOperator(gateway, systemClock, { name: own })
      const invited = `backup-${names}`
      const made = await visitor.send<{ link: string }>('POST', '/operators', {
        name: invited,
        role: 'owner',
      })
      const token = new URL(made.body.link).hash.slice(1)
      const { storage } = gateway
      const looks = openImpersonations({
        store: storage.accountLooks,
        clock: systemClock,
        pepper: storage.pepper,
      })
      const phone = `+98912000${1000 + names}` as Phone
      const first = { account: 'A', project: 'p' }
      const { account, person } = await storage.people.begin(phone, first)
      await looks.begin(account, person, `operator:${own}`)
      const ended = await changed(method, `/operators/${own}${path}`, body)
      expect(ended.links).toEqual([invited])
      expect(ended.looks).toBe(1)
      const offered = await boss.send('POST', '/setup/offer', { token })
      expect(offered.status).toBe(404)
    }
  })

  test('stays with a link that somebody else made since', async () => {
    const own = `kept-${names}`
    await sara.send('POST', '/operators', { name: own, role: 'viewer' })
    const { body } = await boss.send<{ link: string }>('POST', `/operators/${own}/link`)
    expect((await changed('DELETE', `/operators/${name}`)).links).toEqual([])
    const token = new URL(body.link).hash.slice(1)
    expect((await boss.send('POST', '/setup/offer', { token })).status).toBe(200)
  })

  test('ends: sessions, and streams of requests as they go by', async () => {
    const { secret } = await makeKey(sara, 'viewer')
    const stream = await fetch(`${origin()}/admin/v1/live/events`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    await changed('DELETE', `/operators/${name}`)
    expect((await sara.send('GET', '/me')).status).toBe(401)
    // Whoever reads is asked again at the next sign of life.
    await stream.text()
    expect(stream.status).toBe(200)
  })
})
