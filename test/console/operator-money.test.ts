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
    const { id } = (await sent<{ id: number }>('POST', '/accounts', { name: 'paying' })).body
    await sent('POST', `/accounts/${id}/topups`, { usd: '3', reference: 'sum-1' })
    const dollars = { way: 'dollars', count: 1, usd: '3.000000', coins: 0 }
    const all = await read<{ ways: object[] }>('/payments/summary')
    expect(all).toMatchObject({ count: 1, usd: '3.000000', coins: 0 })
    expect(all.ways).toContainEqual(dollars)
    const early = await read('/payments/summary?to=2020-01-01T00:00:00Z')
    expect(early).toMatchObject({ count: 0, since: '2019-12-02T00:00:00.000Z' })
    const turned = '/payments/summary?from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z'
    expect(codeOf(await sent('GET', turned))).toBe('input_invalid')
  })
})
