import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { operatorKey } from './operator-visitor'

let gateway: TestGateway
const keys = new Map<string, string>()

beforeAll(async () => {
  gateway = await openTestGateway()
  for (const role of ['owner', 'staff', 'viewer'] as const)
    keys.set(role, await operatorKey(gateway, role))
})
afterAll(() => gateway.close())

async function sent<Body>(method: string, path: string, body?: object, role = 'owner') {
  const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.get(role)}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Body }
}
const read = async <Body>(path: string) => (await sent<Body>('GET', path, undefined, 'viewer')).body
const codeOf = (reply: { body: unknown }) =>
  (reply.body as { error?: { code: string } }).error?.code

describe('rates of coins', () => {
  test('are listed in pages, newest first, of the same moment too', async () => {
    for (const coins_per_usd of ['1', '2', '3']) await sent('PUT', '/rate', { coins_per_usd })
    interface Page {
      readonly data: readonly { id: number; coins_per_usd: string }[]
      readonly next: number | null
    }
    const first = await read<Page>('/rate/history?max=2')
    expect(first.data.map((each) => each.coins_per_usd)).toEqual(['3', '2'])
    const rest = await read<Page>(`/rate/history?max=2&before=${first.next}`)
    expect(rest).toMatchObject({ data: [{ coins_per_usd: '1' }], next: null })
  })
})

describe('groups of accounts', () => {
  test('are meant by number or name', async () => {
    const made = await sent<{ id: number }>('POST', '/groups', { name: 'gold', rpm: 5 })
    expect(await read('/groups/gold')).toMatchObject({ id: made.body.id, rpm: 5, rules: [] })
    expect(await read(`/groups/${made.body.id}`)).toMatchObject({ name: 'gold' })
    const set = await sent('PATCH', '/groups/gold', { daily_cap_usd: '7', rpm: null })
    expect(set.body).toMatchObject({ daily_cap_usd: '7.000000', rpm: null })
    expect(codeOf(await sent('PATCH', '/groups/silver', { rpm: 1 }))).toBe('group_not_found')
    await sent('POST', '/accounts', { name: 'in it', group: 'gold' })
    const gone = await sent('DELETE', '/groups/gold')
    expect(gone.body).toEqual({ removed: made.body.id, name: 'gold', accounts: 1 })
  })

  test('are set back by the trail', async () => {
    const { id } = (await sent<{ id: number }>('POST', '/groups', { name: 'tin' })).body
    await sent('PATCH', `/groups/${id}`, { name: 'zinc', daily_cap_usd: '7', concurrency: 3 })
    const { data } = await read<{ data: { id: number; undoable: boolean }[] }>(
      `/trail?subject=group:${id}`,
    )
    expect((await sent('POST', `/trail/${data[0]?.id}/undo`)).status).toBe(200)
    expect(await read(`/groups/${id}`)).toMatchObject({
      name: 'tin',
      daily_cap_usd: null,
      concurrency: null,
    })
    expect(codeOf(await sent('POST', `/trail/${data[0]?.id}/undo`))).toBe('changed_since')
  })
})

describe('payments', () => {
  test('are summed up by how they came, over a span', async () => {
    interface Sums {
      readonly count: number
      readonly usd: string
      readonly ways: readonly { way: string; count: number; usd: string }[]
    }
    const before = await read<Sums>('/payments/summary')
    const { id } = (await sent<{ id: number }>('POST', '/accounts', { name: 'paying' })).body
    await sent('POST', `/accounts/${id}/topups`, { usd: '3', reference: 'sum-1' })
    const after = await read<Sums>('/payments/summary')
    const usd = (Number(before.usd) + 3).toFixed(6)
    expect([after.count, after.usd]).toEqual([before.count + 1, usd])
    const dollars = after.ways.find(({ way }) => way === 'dollars')
    expect(dollars).toMatchObject({ count: after.count, usd })
    const early = await read('/payments/summary?to=2020-01-01T00:00:00Z')
    expect(early).toMatchObject({ count: 0, since: '2019-12-02T00:00:00.000Z' })
    const turned = '/payments/summary?from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z'
    expect(codeOf(await sent('GET', turned))).toBe('input_invalid')
  })
})

describe('a balance', () => {
  test('is corrected for a reason, or a note that no customer reads, not both', async () => {
    const { id } = (await sent<{ id: number }>('POST', '/accounts', { name: 'corrected' })).body
    const adjust = (reference: string, why: object) =>
      sent<object>('POST', `/accounts/${id}/adjustments`, { usd: '1', reference, ...why }, 'staff')
    expect((await adjust('a', { note: 'their lawyer asked' })).body).toMatchObject({
      reason: 'their lawyer asked',
      balance_usd: '1.000000',
    })
    await adjust('b', { reason: 'a gift' })
    expect(codeOf(await adjust('c', {}))).toBe('input_invalid')
    expect(codeOf(await adjust('c', { reason: 'a', note: 'b' }))).toBe('input_invalid')
    const lines = await gateway.storage.accountReader.statement({
      account: id as never,
      fromDay: 0,
      toDay: 99_999,
      by: 'day',
      before: null,
      max: 10,
    })
    expect(lines.lines.map(({ note }) => note)).toEqual(['a gift', null])
  })

  test('of coins tells the payment that it came from', async () => {
    await sent('PUT', '/rate', { coins_per_usd: '100000' })
    const { id } = (await sent<{ id: number }>('POST', '/accounts', { name: 'coins' })).body
    const paid = { coins: 50_000, reference: 'bank-9' }
    expect((await sent<object>('POST', `/accounts/${id}/topups`, paid)).body).toMatchObject({
      coins: 50_000,
      rate: '100000',
      usd: '0.500000',
      payment: expect.stringMatching(/^pay_/) as string,
    })
  })
})

describe('an account', () => {
  test('is closed by staff, what is left of it given up by its name', async () => {
    const { id } = (await sent<{ id: number }>('POST', '/accounts', { name: 'Leaving' })).body
    await sent('POST', `/accounts/${id}/topups`, { usd: '2', reference: 'left' })
    const close = (body: object) => sent<object>('POST', `/accounts/${id}/closing`, body, 'staff')
    expect(codeOf(await close({}))).toBe('balance_left')
    expect(codeOf(await close({ give_up: 'Staying' }))).toBe('account_name_differs')
    const closed = { id, closed: true, keys: 0, sessions: 0, people: 0 }
    expect((await close({ give_up: 'leaving' })).body).toEqual(closed)
    expect(codeOf(await close({}))).toBe('account_closed')
  })
})

describe('a card gateway', () => {
  test('is read by its name; lines of its secret may be written with blanks', async () => {
    const zibal = { kind: 'zibal', secret: '  zibal \n\n' }
    expect((await sent<object>('PUT', '/gateways/main', zibal)).status).toBe(200)
    expect(await read('/gateways/main')).toMatchObject({ kind: 'zibal', has_secret: true })
    expect(codeOf(await sent('GET', '/gateways/other'))).toBe('gateway_not_found')
  })
})
