import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { refundCall } from '../../src/business/accounts/refund-call'
import type { AccountId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

interface Line {
  readonly kind: string
  readonly usd: string
  readonly balance_usd: string
  readonly reference: string | null
  readonly note: string | null
}
interface Statement {
  readonly data: readonly Line[]
  readonly next: string | null
  readonly sums: Readonly<Record<string, string>>
}

let gateway: TestGateway
let visitor: Visitor
let account = 0
const today = new Date().toISOString().slice(0, 10)
const range = `from=${today}&to=${today}`

const get = async <T>(path: string): Promise<T> => {
  const { status, body } = await visitor.send('GET', path)
  expect(status).toBe(200)
  return body
}

async function call(key: string): Promise<string> {
  const answer = await fetch(`${gateway.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'one two three' }],
    }),
  })
  await answer.arrayBuffer()
  return answer.headers.get('x-request-id') ?? ''
}

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  // Statements count by UTC; what they are compared with shall too, at every hour.
  await gateway.storage.settings.set('service-zone', 'UTC')
  await gateway.gateway.reloadSettings()
  visitor = openVisitor(gateway)
  await visitor.signIn('09123450001')
  ;({
    account: { id: account },
  } = await get<{ account: { id: number } }>('/me'))
})
afterAll(() => gateway.close())

describe('a statement', () => {
  test('of nothing is empty', async () => {
    expect(await get<Statement>(`/statement?${range}`)).toMatchObject({
      data: [],
      next: null,
      sums: { opening_usd: '0.000000', closing_usd: '0.000000' },
    })
  })

  test('has every movement once, its balance behind it, and the sums of usage', async () => {
    const id = account as AccountId
    const { directory } = gateway.storage
    const paid = { amount: parseUsd('5'), kind: 'topup', reference: 'bank-1' } as const
    // A note that nobody was promised to be read.
    await directory.deposit({ account: id, ...paid, note: 'a friend of ours' })
    const less = { amount: parseUsd('-0.5'), kind: 'adjustment', reference: 'fix-1' } as const
    await directory.deposit({ account: id, ...less, note: 'counted twice', told: true })
    gateway.gateway.changed()
    const [project] = (await get<{ data: { id: number }[] }>('/projects')).data
    const { body } = await visitor.send('POST', '/keys', { project: project?.id, name: 'laptop' })
    const { secret } = body as { secret: string }
    const calls = [await call(secret), await call(secret), await call(secret)]
    await gateway.rest()
    const given = {
      id: calls[1] ?? '',
      amount: null,
      note: 'answer was cut',
      told: true,
      by: 'test',
    }
    await refundCall(gateway.storage, given)
    gateway.gateway.changed()

    const byCall = await get<Statement>(`/statement?${range}&by=call`)
    expect(byCall.data.map(({ kind, reference, note }) => [kind, reference, note])).toEqual([
      ['refund', calls[1], 'answer was cut'],
      ...calls.toReversed().map((request) => ['charge', request, null]),
      ['adjustment', 'fix-1', 'counted twice'],
      ['topup', 'bank-1', null],
    ] as never)
    const byDay = await get<Statement>(`/statement?${range}`)
    expect(byDay.data.map(({ kind }) => kind)).toEqual(['charges', 'refund', 'adjustment', 'topup'])
    expect(byDay.sums).toEqual(byCall.sums)
    const { account: me } = await get<{ account: { balance_usd: string } }>('/me')
    for (const { data, sums } of [byDay, byCall]) {
      expect(sums['closing_usd']).toBe(me.balance_usd)
      expect(data[0]?.balance_usd).toBe(me.balance_usd)
    }
    const { total } = await get<{ total: { usd: string } }>(`/usage?${range}`)
    const { charged_usd: charged = '', refunded_usd: refunded = '' } = byDay.sums
    expect(parseUsd(charged) - parseUsd(refunded)).toBe(parseUsd(total.usd))
  })

  test('comes in pages, and whole as a file', async () => {
    for (const by of ['day', 'call']) {
      const whole = await get<Statement>(`/statement?${range}&by=${by}`)
      const lines: Line[] = []
      for (let next: string | null = ''; next !== null;) {
        const before: string = next === '' ? '' : `&before=${encodeURIComponent(next)}`
        const page: Statement = await get(`/statement?${range}&by=${by}&max=1${before}`)
        lines.push(...page.data)
        ;({ next } = page)
      }
      expect(lines).toEqual([...whole.data])
      const { origin } = new URL(gateway.url)
      const file = await fetch(`${origin}/app/api/statement.csv?${range}&by=${by}`, {
        headers: { cookie: visitor.cookie() },
      })
      expect(file.headers.get('content-disposition')).toContain(`statement-${today}-${today}.csv`)
      expect(file.headers.get('cache-control')).toBe('no-store')
      const [head, ...rows] = (await file.text()).trimEnd().split('\r\n')
      expect(head).toBe('time,kind,usd,balance_usd,reference,note')
      expect(rows.map((row) => row.split(',').slice(1, 4))).toEqual(
        whole.data.map(({ kind, usd, balance_usd: balance }) => [kind, usd, balance]),
      )
    }
  })

  test('is its own account’s, and of days that there are', async () => {
    const other = openVisitor(gateway)
    expect(await other.send('GET', `/statement?${range}`)).toMatchObject({ status: 401 })
    await other.signIn('09123450002')
    expect((await other.send('GET', `/statement?${range}&by=call`)).body).toMatchObject({
      data: [],
    })
    for (const [asked, code] of [
      ['from=2026-02-01&to=2026-01-01', 'range_turned'],
      ['from=2024-01-01&to=2026-01-01', 'range_too_long'],
    ])
      for (const path of ['/statement', '/statement.csv'])
        expect(await visitor.send('GET', `${path}?${asked}`)).toMatchObject({
          status: 400,
          body: { error: { code } },
        })
  })
})

describe('the model to try a key with', () => {
  const trialOf = async (fields: object): Promise<unknown> => {
    const [project] = (await get<{ data: { id: number }[] }>('/projects')).data
    const { body } = await visitor.send('POST', '/keys', {
      project: project?.id,
      name: 'trial',
      ...fields,
    })
    return await get(`/keys/${(body as { id: number }).id}/trial`)
  }

  test('is the sandbox’s free one, else the cheapest that the key may use, else none', async () => {
    expect(await trialOf({})).toEqual({ model: 'sandbox/echo', sandbox: true })
    expect(await trialOf({ allowed_models: ['sandbox/echo-priced'] })).toEqual({
      model: 'sandbox/echo-priced',
      sandbox: true,
    })
    expect(await trialOf({ allowed_models: ['nobody/*'] })).toEqual({ model: null, sandbox: false })
  })
})

test('limits of the account are told, and how far they are', async () => {
  expect(await get<object>('/caps')).toMatchObject({
    daily_cap_usd: null,
    ceiling_usd: '2.000000',
    concurrency: expect.any(Number) as number,
    rpm_limit: null,
  })
  const caps = await get<{ day_spent_usd: string; spent_usd: string }>('/caps')
  const { total } = await get<{ total: { usd: string } }>(`/usage?${range}`)
  expect(caps.day_spent_usd).toBe(caps.spent_usd)
  expect(caps.day_spent_usd).toBe(total.usd)
})
