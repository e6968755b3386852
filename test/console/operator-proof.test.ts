import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { operationRows } from '../../src/business/operations/table'
import { operationNeeds } from '../../src/console/api/operator/session-needs'
import { openAuthenticator } from '../people/authenticator'
import { handClock } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'
import {
  openOperatorVisitor,
  operatorPassword,
  setUpOperator,
  type OperatorVisitor,
} from './operator-visitor'
import { statusAndCode } from './visitor'

const tenMinutes = 600_000
const clock = handClock()
let gateway: TestGateway
let sara: OperatorVisitor
beforeEach(async () => {
  gateway = await openTestGateway({ web: true, clock, env: { CHAPAR_URL: 'http://localhost' } })
  sara = (await setUpOperator(gateway, clock)).visitor
})
afterEach(() => gateway.close())

const later = (ms: number): void => clock.set(clock.now() + ms)
const required = [403, 'proof_required']

const changes = operationRows.filter(({ method }) => method !== 'GET')
const nameOf = ({ method, path }: (typeof changes)[number]) => `${method} ${path}`
const needy = Object.entries(operationNeeds)
  .filter(([, need]) => need === 'fresh proof')
  .map(([name]) => name)

/** Changes that ask this visitor for a proof. Bodies are wrong: nothing is changed. */
async function asked(who: OperatorVisitor): Promise<readonly string[]> {
  const found: string[] = []
  for (const row of changes) {
    const path = row.path.replaceAll(/\{\w+\}/g, '1')
    const answer = await who.send(row.method, path, { nothing: true })
    if (statusAndCode(answer)[1] === 'proof_required') found.push(nameOf(row))
  }
  return found
}

const makeKey = (who: OperatorVisitor) =>
  who.send('POST', '/operator-keys', { name: 'robot', role: 'owner', expires: null })
const prove = (password = operatorPassword) => sara.send('POST', '/proof/password', { password })
const stranger = () => openOperatorVisitor(new URL(gateway.url).origin)

describe('an old session of an operator', () => {
  test('has every change of the table, and no other', () => {
    expect(changes.map(nameOf).toSorted()).toEqual(Object.keys(operationNeeds).toSorted())
    for (const name of ['POST /operators', 'POST /operator-keys', 'PATCH /operators/{name}'])
      expect(needy).toContain(name)
  })

  test('is asked for a proof by the rows of the table, and a fresh or proven one by none', async () => {
    expect(await asked(sara)).toEqual([])
    later(tenMinutes)
    expect((await asked(sara)).toSorted()).toEqual(needy.toSorted())
    expect((await sara.send('GET', '/operators')).status).toBe(200)
    expect((await prove()).status).toBe(200)
    expect(await asked(sara)).toEqual([])
  })

  test('makes no key, operator or link until the password is shown', async () => {
    later(tenMinutes - 1)
    expect((await makeKey(sara)).status).toBe(200)
    later(1)
    expect(statusAndCode(await makeKey(sara))).toEqual(required)
    const reza = { name: 'reza', role: 'owner' }
    expect(statusAndCode(await sara.send('POST', '/operators', reza))).toEqual(required)
    expect(statusAndCode(await prove('another password'))).toEqual([400, 'password_wrong'])
    expect(statusAndCode(await makeKey(sara))).toEqual(required)
    expect(await gateway.storage.operators.list()).toHaveLength(1)
    await prove()
    expect((await makeKey(sara)).status).toBe(200)
    expect((await sara.send('POST', '/operators', reza)).status).toBe(200)
  })

  test('of a role that is too low is told so, not asked', async () => {
    const { visitor } = await setUpOperator(gateway, clock, { name: 'reza', role: 'staff' })
    later(tenMinutes)
    expect(statusAndCode(await makeKey(visitor))).toEqual([403, 'role_too_low'])
  })
})

describe('a proof of an operator', () => {
  test('begins a session in the place of the one before, which whoever has its token loses', async () => {
    later(tenMinutes)
    const stolen = { cookie: sara.cookie() }
    expect((await prove()).status).toBe(200)
    expect((await stranger().send('GET', '/me', undefined, stolen)).status).toBe(401)
    const { body } = await sara.send<object[]>('GET', '/sessions')
    expect(body).toEqual([expect.objectContaining({ current: true, way: 'setup' }) as object])
    const lines = await gateway.storage.trail.list({
      subject: 'operator:sara',
      before: null,
      max: 1,
    })
    expect(lines.map(({ what }) => what)).toEqual(['operator.prove'])
  })

  test('revives no session that ended', async () => {
    later(tenMinutes)
    const stolen = { cookie: sara.cookie() }
    await sara.send('DELETE', '/session')
    const typed = { password: operatorPassword }
    const late = await stranger().send('POST', '/proof/password', typed, stolen)
    expect(statusAndCode(late)).toEqual([401, 'signed_out'])
  })

  test('is a passkey of the operator, and of no other', async () => {
    const site = { rpId: 'localhost', origin: 'http://localhost' }
    const add = async (who: OperatorVisitor) => {
      const device = openAuthenticator(site)
      const typed = { password: operatorPassword }
      const options = (await who.send('POST', '/passkeys/options', typed)).body
      const made = { name: 'laptop', credential: device.make(options) }
      expect((await who.send('POST', '/passkeys', made)).status).toBe(200)
      return device
    }
    const { visitor: reza } = await setUpOperator(gateway, clock, { name: 'reza' })
    const [mine, theirs] = [await add(sara), await add(reza)]
    later(tenMinutes)
    const show = async (device: typeof mine) => {
      const { body } = await sara.send('POST', '/sign-in/passkey/options')
      return await sara.send('POST', '/proof/passkey', device.answer(body))
    }
    expect(statusAndCode(await show(theirs))).toEqual([403, 'passkey_not_yours'])
    expect(statusAndCode(await makeKey(sara))).toEqual(required)
    expect((await show(mine)).status).toBe(200)
    expect((await makeKey(sara)).status).toBe(200)
    later(tenMinutes)
    expect(statusAndCode(await makeKey(sara))).toEqual(required)
  })
})
