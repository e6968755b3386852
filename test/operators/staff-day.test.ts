import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { operationRows } from '../../src/business/operations/table'
import { dayMs, type Clock, type Ms } from '../../src/domain/clock'
import { operatorKey, setUpOperator, type OperatorVisitor } from '../console/operator-visitor'
import { openTestGateway, type TestGateway } from '../support/gateway'

let now = Date.parse('2026-11-20T12:00:00Z') as Ms
const clock: Clock = { now: () => now }
let gateway: TestGateway
let boss: OperatorVisitor
let staff: OperatorVisitor
let name: string
let count = 0
let account: number
let project: number

interface Answer {
  readonly error?: { readonly code: string; readonly left?: string }
}

const sent = async (
  method: string,
  path: string,
  body: object,
  by: OperatorVisitor = staff,
): Promise<string> => {
  const answer = await by.send<Answer>(method, path, body)
  const { error } = answer.body
  if (answer.status === 200) return 'done'
  return error?.left === undefined ? (error?.code ?? '') : `${error.code} ${error.left}`
}

const topup = (usd: string, reference: string = Bun.randomUUIDv7(), by = staff) =>
  sent('POST', `/accounts/${account}/topups`, { usd, reference }, by)

beforeAll(async () => {
  gateway = await openTestGateway({ web: true, clock })
  boss = (await setUpOperator(gateway, clock, { name: 'boss' })).visitor
  const made = await boss.send<{ id: number }>('POST', '/accounts', { name: 'A' })
  account = made.body.id
  const its = await boss.send<{ id: number }>('POST', `/accounts/${account}/projects`, {
    name: 'p',
  })
  project = its.body.id
})
afterAll(() => gateway.close())
beforeEach(async () => {
  name = `reza-${++count}`
  staff = (await setUpOperator(gateway, clock, { name, role: 'staff' })).visitor
})

describe('a day of staff', () => {
  test('adds up what is given in every way', async () => {
    expect(await topup('100')).toBe('done')
    const adjusted = { usd: '-100', reason: 'x', reference: Bun.randomUUIDv7(), below_zero: true }
    expect(await sent('POST', `/accounts/${account}/adjustments`, adjusted)).toBe('done')
    expect(await sent('POST', '/codes', { usd: '25', count: 4 })).toBe('done')
    const key = { name: 'k', spend_limit_usd: '60' }
    const made = await staff.send<{ id: number }>('POST', `/projects/${project}/keys`, key)
    expect(made.status).toBe(200)
    const raised = { spend_limit_usd: '100' }
    expect(await sent('PATCH', `/keys/${made.body.id}`, raised)).toBe('done')
    expect(await topup('99.999999999')).toBe('done')
    expect(await topup('0.000000002')).toBe('staff_day_used 0.000000001')
    expect(await topup('0.000000001')).toBe('done')
    expect(await topup('0.000000001')).toBe('staff_day_used 0.000000')
    expect(await sent('POST', '/codes', { usd: '1', count: 1 })).toBe('staff_day_used 0.000000')
    // Less is always possible.
    expect(await sent('PATCH', `/keys/${made.body.id}`, { spend_limit_usd: '1' })).toBe('done')
    expect(await topup('600', undefined, boss)).toBe('done')
  })

  test('counts a repeated reference once, and what was refused not at all', async () => {
    const reference = Bun.randomUUIDv7()
    for (let at = 0; at < 3; at++) expect(await topup('100', reference)).toBe('done')
    expect(await topup('100.01')).toBe('amount_above_staff')
    expect(await topup('99', reference)).toBe('reference_taken')
    for (let at = 0; at < 4; at++) expect(await topup('100')).toBe('done')
    expect(await topup('1')).toBe('staff_day_used 0.000000')
  })

  test('is not passed by many at once', async () => {
    const all = await Promise.all(Array.from({ length: 60 }, () => topup('17')))
    expect(all.filter((each) => each === 'done')).toHaveLength(Math.floor(500 / 17))
    const rest = all.filter((each) => each !== 'done')
    expect(new Set(rest)).toEqual(new Set(['staff_day_used 7.000000']))
  })

  test('is one for an operator and all of their keys', async () => {
    // Keys are an owner's to make: they were made before the role was lowered.
    const own = `maker-${count}`
    const { visitor } = await setUpOperator(gateway, clock, { name: own })
    const secrets = await Promise.all(
      [1, 2].map(async (at) => {
        const body = { name: `k${at}`, role: 'owner', expires: null }
        return (await visitor.send<{ secret: string }>('POST', '/operator-keys', body)).body.secret
      }),
    )
    await boss.send('PATCH', `/operators/${own}`, { role: 'staff' })
    const byKey = async (secret: string, usd: string): Promise<number> => {
      const url = `${new URL(gateway.url).origin}/admin/v1/accounts/${account}/topups`
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ usd, reference: Bun.randomUUIDv7() }),
      })
      await response.body?.cancel()
      return response.status
    }
    const [first = '', second = ''] = secrets
    for (let at = 0; at < 2; at++) {
      expect(await byKey(first, '100')).toBe(200)
      expect(await byKey(second, '100')).toBe(200)
    }
    expect(await topup('100', undefined, visitor)).toBe('done')
    expect(await byKey(first, '1')).toBe(403)
    expect(await byKey(second, '1')).toBe(403)
  })

  test('makes no key whose secret spends without a limit', async () => {
    expect(await sent('POST', `/projects/${project}/keys`, { name: 'k' })).toBe('key_limit_needed')
    const made = await boss.send<{ id: number }>('POST', `/projects/${project}/keys`, {
      name: 'k',
      spend_limit_usd: '5',
    })
    const lifted = { spend_limit_usd: null }
    expect(await sent('PATCH', `/keys/${made.body.id}`, lifted)).toBe('key_limit_needed')
    expect(await sent('PATCH', `/keys/${made.body.id}`, { name: 'renamed' })).toBe('done')
  })

  test('is told to owners once, from 80 % on', async () => {
    const store = gateway.storage.untold({ operators: ['log'], holders: [] })
    const told = async () => {
      await store.tell(now)
      const page = await gateway.storage.notices.list({ pending: false, most: 200 })
      return page.filter(
        ({ notice }) => notice.kind === 'staff_day' && notice.subject.operator?.name.endsWith(name),
      )
    }
    for (let at = 0; at < 3; at++) await topup('100')
    await topup('99.99')
    expect(await told()).toEqual([])
    await topup('0.01')
    const [first] = await told()
    expect(first?.notice).toMatchObject({
      threshold: 80,
      subject: { operator: { name: `operator:${name}` } },
    })
    await topup('50')
    expect(await told()).toHaveLength(1)
  })
})

describe('the next day of staff', () => {
  test('begins anew', async () => {
    const secret = await operatorKey(gateway, 'staff')
    const given = async (): Promise<number> => {
      const url = `${new URL(gateway.url).origin}/admin/v1/accounts/${account}/topups`
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}` },
        body: JSON.stringify({ usd: '100', reference: Bun.randomUUIDv7() }),
      })
      await response.body?.cancel()
      return response.status
    }
    for (let at = 0; at < 5; at++) expect(await given()).toBe(200)
    expect(await given()).toBe(403)
    now = (now + dayMs) as Ms
    expect(await given()).toBe(200)
  })
})

describe('operations of staff', () => {
  /** What bounds each of them: a new one must say. */
  const bounds: Readonly<Record<string, 'counted' | 'gives nothing'>> = {
    'account.phones': 'gives nothing',
    'account.look': 'gives nothing',
    'account.create': 'gives nothing',
    'account.set': 'gives nothing',
    'note.add': 'gives nothing',
    'note.remove': 'gives nothing',
    'person.unlock': 'gives nothing',
    'person.keep': 'gives nothing',
    'phone.unlock': 'gives nothing',
    'account.adjust': 'counted',
    'account.close': 'counted',
    'account.topup': 'counted',
    'project.create': 'gives nothing',
    'project.set': 'gives nothing',
    'key.create': 'counted',
    'key.set': 'counted',
    'key.switch': 'gives nothing',
    'key.revoke': 'gives nothing',
    'request.refund': 'counted',
    'live.stop': 'gives nothing',
    'payment.settle': 'gives nothing',
    'code.create': 'counted',
    'code.revoke': 'gives nothing',
    'verification.code': 'gives nothing',
    'verification.approve': 'counted',
    'verification.reject': 'gives nothing',
    'sister.check': 'gives nothing',
    'notice.retry': 'gives nothing',
    'notice.sample': 'gives nothing',
    'price.preview': 'gives nothing',
    'vendor.test': 'gives nothing',
    'bill.check': 'gives nothing',
    'bill.fetch': 'gives nothing',
    'notice.test': 'gives nothing',
  }

  test('are each counted, or give nothing away', () => {
    const names = operationRows.filter(({ role }) => role === 'staff').map((row) => row.name)
    expect(names.toSorted()).toEqual(Object.keys(bounds).toSorted())
  })
})
