import { afterEach, beforeEach, expect, test } from 'bun:test'
import { handClock, type HandClock } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

let clock: HandClock
let gateway: TestGateway
let visitor: Visitor
let secret: string

beforeEach(async () => {
  clock = handClock('2026-11-20T20:00:00Z')
  gateway = await openTestGateway({ web: true, clock })
  visitor = openVisitor(gateway)
  await visitor.signIn('09123450003')
  const projects = await visitor.send('GET', '/projects')
  const { data } = projects.body as { data: readonly { id: number }[] }
  const made = await visitor.send('POST', '/keys', { project: data[0]?.id, name: 'key' })
  ;({ secret } = made.body)
})
afterEach(() => gateway.close())

const call = async (time: string) => {
  clock.set(time)
  const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'one two' }] }
  const answer = await gateway.post(body, { authorization: `Bearer ${secret}` })
  expect(answer.status).toBe(200)
  await answer.text()
}

interface Days {
  readonly total?: { readonly requests: number }
  readonly days: readonly { readonly day: string; readonly requests: number }[]
}
const range = 'from=2026-11-15&to=2026-11-30'

const pageDays = async () => {
  const { body } = await visitor.send('GET', `/usage?${range}`)
  return (body as Days).days.map(({ day, requests }) => [day, requests])
}

async function apiDays() {
  const answer = await fetch(`${gateway.url}/usage?${range}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  const { data } = (await answer.json()) as { data: readonly { key: string; requests: number }[] }
  return data.map(({ key, requests }) => [key, requests])
}

test('days of pages are those of the service’s zone, days of /v1/usage those of UTC', async () => {
  await call('2026-11-20T20:29:59Z')
  await call('2026-11-20T20:30:00Z')
  await call('2026-11-21T01:00:00Z')
  expect(await pageDays()).toEqual([
    ['2026-11-20', 1],
    ['2026-11-21', 2],
  ])
  expect(await apiDays()).toEqual([
    ['2026-11-20', 2],
    ['2026-11-21', 1],
  ])
  const key = (await visitor.send('GET', '/keys')).body as { data: readonly object[] }
  expect(key.data[0]).toMatchObject({ last_used: '2026-11-21' })
})

test('a change of the zone is for calls from then on: what is past stays where it was', async () => {
  await call('2026-11-20T21:00:00Z')
  clock.set('2026-11-20T21:00:01Z')
  await gateway.storage.settings.set('service-zone', 'UTC')
  await gateway.gateway.reloadSettings()
  expect((await visitor.send('GET', '/me')).body).toMatchObject({ zone: 'UTC' })
  await call('2026-11-21T21:00:00Z')
  await call('2026-11-21T21:00:01Z')
  expect(await pageDays()).toEqual([['2026-11-21', 3]])
  expect(await apiDays()).toEqual([
    ['2026-11-20', 1],
    ['2026-11-21', 2],
  ])
  expect(await gateway.audit()).toMatchObject({ ok: true, differences: [] })
})

test('a table of usage comes in pieces and misses no row', async () => {
  await call('2026-11-20T20:29:59Z')
  const { storage } = gateway
  const me = (await visitor.send('GET', '/me')).body as { account: { id: number } }
  const account = me.account.id as Parameters<typeof storage.directory.listProjects>[0]
  const project = (await storage.directory.listProjects(account))[0]?.id ?? expect.unreachable()
  // More than two pieces, in a second project too; most of them on one day.
  const other = await storage.directory.createProject({ account: account as never, name: '=other' })
  for (const { id } of [{ id: project }, other])
    for (let at = 0; at < 1300; at++)
      await storage.ledger.commit(
        {
          opened: [],
          spent: [],
          ended: [
            {
              opening: {
                id: `req_${clock.now().toString(16).padStart(12, '0')}${String(id * 10_000 + at).padStart(20, '0')}` as never,
                account: account as never,
                project: id,
                key: 1 as never,
                endpoint: 'chat',
                model: `m/${at}`,
                streamed: false,
                address: '::1',
                created: (clock.now() - (at % 10 === 0 ? 86_400_000 : 0)) as never,
                cardVersion: '1',
              },
              ending: {
                status: 'error',
                usage: { units: {}, reasoning: 0, estimated: false },
                cost: 0 as never,
                vendor: null,
                vendorModel: null,
                error: 'gateway_error',
                latencyMs: 1,
                firstByteMs: null,
              },
              held: 0 as never,
              wasOpened: false,
            },
          ],
        },
        false,
      )
  const { origin } = new URL(gateway.url)
  const answer = await fetch(`${origin}/app/api/usage.csv?${range}`, {
    headers: { origin, 'sec-fetch-site': 'same-origin', cookie: visitor.cookie() },
  })
  expect(answer.headers.get('content-type')).toContain('text/csv')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const lines = (await answer.text()).trim().split('\r\n')
  expect(lines[0]).toBe('day,project,key,model,requests,errors,input_tokens,output_tokens,usd')
  expect(lines).toHaveLength(1 + 1 + 2600)
  expect(new Set(lines).size).toBe(lines.length)
  expect(lines.filter((line) => line.includes(`,'=other,`))).toHaveLength(1300)
})
