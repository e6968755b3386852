import { afterAll, beforeAll, expect, test } from 'bun:test'
import { table } from '../../src/gateway/api/table'
import { operationRows } from '../../src/business/operations/table'
import { systemClock } from '../../src/domain/clock'
import type { AccountId } from '../../src/domain/ids'
import { operatorKey, setUpOperator, type OperatorVisitor } from '../console/operator-visitor'
import { openVisitor, type Visitor } from '../console/visitor'
import { testFolder, type TestFolder } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'

/* A limit that is not there is null, or what holds all the same; never the number that it is computed with. */

/** Not within an id, whose digits are chance. */
const stand = /(?<![\da-f])(?:9007199254|9007199\.254|1000000000|1,000,000,000|1e9)(?![a-f])/

let folder: TestFolder
let gateway: TestGateway
let owner: OperatorVisitor
let holder: Visitor
let admin: (method: string, path: string, body?: object) => Promise<Response>
let account: AccountId
let ids: Readonly<Record<string, string>>

beforeAll(async () => {
  folder = testFolder()
  gateway = await openTestGateway({
    web: true,
    folder: folder.path,
    env: { CHAPAR_ADDRESS_RPM: '6000' },
  })
  owner = (await setUpOperator(gateway, systemClock)).visitor
  holder = openVisitor(gateway)
  await holder.signIn('09123450001')
  const key = await operatorKey(gateway, 'owner')
  admin = (method, path, body) =>
    fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const made = async (path: string, body: object) =>
    String(((await (await admin('POST', path, body)).json()) as { id: number }).id)
  const group = await made('/groups', { name: 'gold' })
  const id = await made('/accounts', { name: 'Free', group: Number(group) })
  account = Number(id) as AccountId
  const project = await made(`/accounts/${id}/projects`, { name: 'p' })
  ids = {
    account: id,
    project,
    key: await made(`/projects/${project}/keys`, { name: 'k', rpm_limit: null }),
    group,
  }
})
afterAll(async () => {
  await gateway.close()
  folder[Symbol.dispose]()
})

/** Addresses of operations, with the parts that the names of their subjects stand for. */
function addressOf({ name, path }: { readonly name: string; readonly path: string }): string {
  const subject = /^\/(account|project|key|group)s\//.exec(path)?.[1]
  return path.replaceAll(/\{\w+\}/g, (subject === undefined ? undefined : ids[subject]) ?? name)
}

test('no operation that reads tells a stand-in of a limit', async () => {
  const wrong: string[] = []
  const read: string[] = []
  for (const row of operationRows.filter(({ method }) => method === 'GET')) {
    const answer = await admin('GET', addressOf(row))
    if (answer.status !== 200) continue
    read.push(row.name)
    if (stand.test(await answer.text())) wrong.push(row.name)
  }
  expect(wrong).toEqual([])
  for (const name of ['account.get', 'account.list', 'key.get', 'project.get', 'trail.list'])
    expect(read).toContain(name)
})

test('no page of the console is given one', async () => {
  const { body: me } = await holder.send('GET', '/me')
  expect(JSON.stringify(me)).not.toMatch(stand)
  for (const path of ['/caps', '/keys', '/projects', '/account', '/usage'])
    expect(JSON.stringify((await holder.send('GET', path)).body)).not.toMatch(stand)
  for (const row of operationRows.filter(({ method }) => method === 'GET'))
    expect(JSON.stringify((await owner.send('GET', addressOf(row))).body)).not.toMatch(stand)
})

test('nor is a customer whose account and key have none', async () => {
  const { key, account: own } = await gateway.customer({ key: { requestsPerMinute: null } })
  await admin('PATCH', `/accounts/${own}`, { rpm: null })
  for (const path of ['/me', '/usage', '/models'])
    expect(
      await (
        await fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      ).text(),
    ).not.toMatch(stand)
})

test('the headers of every keyed answer tell the limit in force: that of the address', async () => {
  const { key, account: own } = await gateway.customer({ key: { requestsPerMinute: null } })
  await admin('PATCH', `/accounts/${own}`, { rpm: null })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const { rpm_limit: limit } = (
    (await (await fetch(`${gateway.url}/me`, { headers })).json()) as { key: { rpm_limit: number } }
  ).key
  const origin = new URL(gateway.url).origin
  expect(limit).toBe(6000)
  const keyed: string[] = []
  const send = async (name: string, method: string, path: string, body?: object) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const told = answer.headers.get('x-ratelimit-limit')
    if (told === null) return
    keyed.push(name)
    expect(`${name} ${stand.test(text)}`).toBe(`${name} false`)
    const remaining = Number(answer.headers.get('x-ratelimit-remaining'))
    expect([name, Number(told)]).toEqual([name, limit])
    expect(remaining).toBeLessThanOrEqual(limit)
    expect(remaining).toBeGreaterThan(limit - 1500)
  }
  for (const { method, path } of table)
    // A refusal of the body, of an id that is not there, or an answer.
    await send(
      `${method} ${path}`,
      method,
      path.replaceAll(/[{:][\w-]+\}?/g, 'none'),
      method === 'POST' ? {} : undefined,
    )
  const chat = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] }
  await send('whole', 'POST', '/v1/chat/completions', chat)
  await send('stream', 'POST', '/v1/chat/completions', { ...chat, stream: true })
  for (const name of [
    'POST /v1/chat/completions',
    'GET /v1/me',
    'POST /v1/videos',
    'whole',
    'stream',
  ])
    expect(keyed).toContain(name)
})

test.each([
  [1_000_000_000, 40],
  [40, 1_000_000_000],
])(
  'a line of the trail from before that says %i and then %i is told by null, and undone',
  async (before, after) => {
    const own = (rpm: number) => (rpm === 40 || rpm === after ? ['requestsPerMinute'] : [])
    const limitOf = (rpm: number) => (rpm === 40 ? 40 : null)
    const subject = `account:${account}`
    await admin('PATCH', `/accounts/${account}`, { rpm: limitOf(after) })
    const { lastInsertRowid: line } = folder
      .raw()
      .prepare(
        `INSERT INTO trail (at, who, what, subject, before, after) VALUES (1, 'command:ali', 'account.set', ?, ?, ?)`,
      )
      .run(
        subject,
        JSON.stringify({ requests_per_minute: before, own_limits: own(before) }),
        JSON.stringify({ requests_per_minute: after, own_limits: own(after) }),
      )
    const told = await (await admin('GET', `/trail?subject=${subject}&max=1`)).text()
    expect(told).toContain(`"after":{"requests_per_minute":${String(limitOf(after))},`)
    expect(told).not.toMatch(stand)
    const undone = await admin('POST', `/trail/${line}/undo`)
    expect(undone.status).toBe(200)
    expect(await (await admin('GET', `/accounts/${account}`)).json()).toMatchObject({
      rpm: limitOf(before),
    })
  },
)
