import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
let ali: Visitor
let sara: Visitor

interface KeyBody {
  readonly id: number
  readonly secret: string
  readonly [field: string]: unknown
}
interface ProjectBody {
  readonly id: number
  readonly [field: string]: unknown
}
interface Page<T> {
  readonly data: readonly T[]
  readonly next: number | string | null
}

const dayAgoMs = 86_400_000
/** By the service's zone, not by this machine's. */
const today = (): string => new Date().toLocaleDateString('sv-SE', { timeZone: 'Asia/Tehran' })

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  ali = openVisitor(gateway)
  sara = openVisitor(gateway)
  await ali.signIn('09123450001')
  await sara.signIn('09123450002')
})
afterAll(() => gateway.close())

const get = async <T>(who: Visitor, path: string): Promise<T> => {
  const { status, body } = await who.send('GET', path)
  expect(status).toBe(200)
  return body
}
const projectOf = async (who: Visitor): Promise<number> =>
  (await get<Page<ProjectBody>>(who, '/projects')).data[0]?.id ?? 0
const newKey = async (who: Visitor, fields: object = {}): Promise<KeyBody> => {
  const project = await projectOf(who)
  const { status, body } = await who.send('POST', '/keys', { project, name: 'laptop', ...fields })
  expect(status).toBe(200)
  return body
}
const callWith = async (key: string): Promise<Response> =>
  await fetch(`${gateway.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/echo',
      messages: [{ role: 'user', content: 'one two three' }],
    }),
  })
const codeOf = async (answer: Response): Promise<unknown> =>
  ((await answer.json()) as { error?: { code: unknown } }).error?.code

describe('keys', () => {
  test('are made with their limits, and tell their secret once', async () => {
    const expires = Date.now() + dayAgoMs
    const made = await newKey(ali, {
      name: ' desk ',
      spend_limit_usd: '5.5',
      rpm_limit: 30,
      allowed_models: ['sandbox/*'],
      allowed_addresses: ['127.0.0.1'],
      expires_at: expires,
    })
    const { secret, ...shown } = made
    expect(secret).toMatch(/^sk-chapar-v1-\w{43}$/)
    expect(shown as object).toEqual({
      id: made.id,
      name: 'desk',
      prefix: secret.slice(0, 19),
      project: await projectOf(ali),
      state: 'active',
      expired: false,
      rpm_limit: 30,
      spend_limit_usd: '5.500000',
      spent_usd: '0.000000',
      allowed_models: ['sandbox/*'],
      allowed_addresses: ['127.0.0.1'],
      expires_at: expires,
      created: expect.any(Number) as number,
      last_used: null,
      made_by: { person: 1, is_you: true, phone: '0912 ··· 0001' },
      may_change: true,
    })
    expect(await get<object>(ali, `/keys/${made.id}`)).toEqual(shown)
    expect(JSON.stringify(await get(ali, '/keys'))).not.toContain(secret)
  })

  test('work at once, stop at once when off, and never come back when revoked', async () => {
    const { id, secret } = await newKey(ali, { name: 'shop' })
    expect((await callWith(secret)).status).toBe(200)
    expect(await get<object>(ali, `/keys/${id}`)).toMatchObject({ last_used: today() })
    await ali.send('POST', `/keys/${id}/switch`, { on: false })
    expect(await codeOf(await callWith(secret))).toBe('api_key_disabled')
    await ali.send('POST', `/keys/${id}/switch`, { on: true })
    expect((await callWith(secret)).status).toBe(200)

    expect(await ali.send('POST', `/keys/${id}/revoke`, { name: 'other' })).toMatchObject({
      status: 400,
      body: { error: { code: 'name_differs' } },
    })
    await ali.send('POST', `/keys/${id}/revoke`, { name: 'shop' })
    expect(await codeOf(await callWith(secret))).toBe('api_key_revoked')
    for (const [path, body] of [
      ['/switch', { on: true }],
      ['', { name: 'again' }],
    ] as const)
      expect(
        await ali.send(path === '' ? 'PATCH' : 'POST', `/keys/${id}${path}`, body),
      ).toMatchObject({
        status: 400,
        body: { error: { code: 'key_revoked' } },
      })
    const listed = await get<Page<KeyBody>>(ali, '/keys')
    expect(listed.data.map((key) => key.id)).not.toContain(id)
    const revoked = await get<Page<KeyBody>>(ali, '/keys?revoked=true')
    expect(revoked.data.map((key) => key.id)).toEqual([id])
  })

  test('change field by field: what is not sent stays', async () => {
    const { id } = await newKey(ali, { spend_limit_usd: '2', rpm_limit: 5 })
    await ali.send('PATCH', `/keys/${id}`, { name: 'renamed' })
    await ali.send('PATCH', `/keys/${id}`, { rpm_limit: null })
    expect(await get<object>(ali, `/keys/${id}`)).toMatchObject({
      name: 'renamed',
      rpm_limit: null,
      spend_limit_usd: '2.000000',
    })
  })

  test.each([
    [{ name: '' }, 'input_invalid'],
    [{ name: '  ' }, 'input_invalid'],
    [{ spend_limit_usd: '-1' }, 'input_invalid'],
    [{ spend_limit_usd: '1e5' }, 'input_invalid'],
    [{ rpm_limit: 0 }, 'input_invalid'],
    [{ allowed_models: [] }, 'input_invalid'],
    [{ allowed_models: ['a b'] }, 'model_pattern_invalid'],
    [{ allowed_addresses: ['somewhere'] }, 'address_range_invalid'],
    [{ expires_at: 1 }, 'key_expiry_past'],
  ])('refuse %p', async (fields, code) => {
    const body = { project: await projectOf(ali), name: 'x', ...fields }
    expect(await ali.send('POST', '/keys', body)).toMatchObject({
      status: 400,
      body: { error: { code } },
    })
  })

  test.each([
    ['/keys?max=101', 'max', '⁨max⁩: دست‌بالا ۱۰۰ است.'],
    ['/keys/0', 'id', '⁨id⁩: دست‌کم ۱ است.'],
    ['/keys/first', 'id', '⁨id⁩: باید چنین باشد: عدد صحیح.'],
  ])('refuse the number in %s by its name', async (path, field, message) => {
    expect(await ali.send('GET', path)).toMatchObject({
      status: 400,
      body: { error: { code: 'input_invalid', field, message } },
    })
  })

  test('ask for no more than the account allows', async () => {
    const me = await get<{ account: { id: number } }>(sara, '/me')
    await gateway.storage.directory.setAccount(me.account.id as never, { requestsPerMinute: 100 })
    const body = { project: await projectOf(sara), name: 'x', rpm_limit: 101 }
    expect(await sara.send('POST', '/keys', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'key_rpm_above_account', max: 100 } },
    })
  })

  test('come in pages, newest first', async () => {
    const made = [await newKey(sara), await newKey(sara), await newKey(sara)].map(({ id }) => id)
    const first = await get<Page<KeyBody>>(sara, '/keys?max=2')
    expect(first.data.map(({ id }) => id)).toEqual(made.toReversed().slice(0, 2))
    const rest = await get<Page<KeyBody>>(sara, `/keys?max=2&before=${first.next}`)
    expect(rest.data.map(({ id }) => id)).toEqual(made.slice(0, 1))
    expect(rest.next).toBeNull()
  })

  test('leave a line of the trail for each change, by whom', async () => {
    const { id } = await newKey(ali)
    await ali.send('PATCH', `/keys/${id}`, { spend_limit_usd: '3' })
    await ali.send('POST', `/keys/${id}/revoke`, { name: 'laptop' })
    const lines = await gateway.storage.trail.list({ subject: `key:${id}`, before: null, max: 9 })
    expect(lines.map(({ what }) => what)).toEqual(['key.set', 'key.set', 'key.create'])
    expect(new Set(lines.map(({ who }) => who))).toEqual(new Set(['person:1']))
    expect(lines[1]).toMatchObject({
      before: { spend_limit_usd: null },
      after: { spend_limit_usd: '3.000000' },
    })
  })
})

describe('projects', () => {
  test('are searched by a part of their names, whatever it holds', async () => {
    for (const name of ['Web shop', 'web app', '100% off', 'کارگاه'])
      await ali.send('POST', '/projects', { name })
    const found = async (text: string) =>
      (await get<Page<ProjectBody>>(ali, `/projects?text=${encodeURIComponent(text)}`)).data.map(
        ({ name }) => name,
      )
    expect(await found('WEB')).toEqual(['Web shop', 'web app'])
    expect(await found('%')).toEqual(['100% off'])
    expect(await found('_')).toEqual([])
    expect(await found('گاه')).toEqual(['کارگاه'])
    expect((await found(' ')).length).toBeGreaterThan(4)
  })

  test('are made, renamed, bounded and switched off', async () => {
    const { body } = await ali.send('POST', '/projects', { name: 'shop', monthly_budget_usd: '9' })
    const { id } = body as ProjectBody
    expect(body as object).toEqual({
      id,
      name: 'shop',
      active: true,
      allowed_models: null,
      monthly_budget_usd: '9.000000',
      month_spent_usd: '0.000000',
    })
    const { secret } = await newKey(ali, { project: id })
    await ali.send('PATCH', `/projects/${id}`, { active: false, name: 'closed' })
    expect(await codeOf(await callWith(secret))).toBe('project_inactive')
    await ali.send('PATCH', `/projects/${id}`, { active: true, allowed_models: ['openai/*'] })
    expect(await codeOf(await callWith(secret))).toBe('model_not_allowed')
    expect(await get<object>(ali, `/projects/${id}`)).toMatchObject({
      name: 'closed',
      monthly_budget_usd: '9.000000',
      allowed_models: ['openai/*'],
    })
  })
})

describe('usage and requests', () => {
  test('are the same sums as those of the API for programs', async () => {
    const { secret, id } = await newKey(sara, { name: '=cmd' })
    const answers = [await callWith(secret), await callWith(secret)]
    for (const answer of answers) await answer.arrayBuffer()
    const range = `from=${today()}&to=${today()}`
    const usage = await get<{
      total: { requests: number; usd: string }
      days: readonly object[]
      groups: readonly { group: string; name: string; requests: number; usd: string }[]
    }>(sara, `/usage?${range}&by=key&key=${id}`)
    const program = (await (
      await fetch(`${gateway.url}/usage`, { headers: { authorization: `Bearer ${secret}` } })
    ).json()) as { total_usd: string }
    expect(usage.total).toMatchObject({ requests: 2, usd: program.total_usd })
    expect(usage.groups).toMatchObject([{ group: String(id), name: '=cmd', requests: 2 }])
    expect(usage.days).toMatchObject([{ day: today(), requests: 2 }])

    const table = await fetch(`${new URL(gateway.url).origin}/app/api/usage.csv?${range}`, {
      headers: { cookie: sara.cookie() },
    })
    expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect((await table.text()).split('\r\n')).toEqual([
      'day,project,key,model,requests,errors,input_tokens,output_tokens,usd',
      expect.stringMatching(
        new RegExp(String.raw`^${today()},.+,'=cmd,sandbox/echo,2,0,\d+,\d+,\d\.\d{6,9}$`),
      ) as string,
      '',
    ])
  })

  test('of a request show its receipt, by the id of its answer', async () => {
    const { secret, id: key } = await newKey(sara)
    const answer = await callWith(secret)
    await answer.arrayBuffer()
    const id = answer.headers.get('x-request-id') ?? ''
    const page = await get<Page<{ id: string }>>(sara, `/requests?key=${key}`)
    expect(page.data).toMatchObject([{ id, model: 'sandbox/echo', status: 'success' }])
    const found = await get<{ receipt: { charged_usd: string }; usd: string }>(
      sara,
      `/requests/${id}`,
    )
    expect(found).toMatchObject({ id, key: { id: key, name: 'laptop' }, error: null })
    expect(found.receipt.charged_usd).toBe(found.usd)
    const [filtered, none] = [
      await get<Page<object>>(sara, `/requests?key=${key}&status=success&model=sandbox/echo`),
      await get<Page<object>>(sara, `/requests?key=${key}&status=error`),
    ]
    expect([filtered.data.length, none.data.length]).toEqual([1, 0])
  })

  test('come in pages, each call once', async () => {
    const { secret, id: key } = await newKey(sara)
    for (let calls = 0; calls < 5; calls++) await (await callWith(secret)).arrayBuffer()
    const seen: string[] = []
    let path = `/requests?max=2&key=${key}`
    for (let pages = 0; pages < 4; pages++) {
      const { data, next } = await get<Page<{ id: string }>>(sara, path)
      seen.push(...data.map(({ id }) => id))
      if (next === null) break
      path = `/requests?max=2&key=${key}&before=${next}`
    }
    expect(seen).toHaveLength(5)
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
  })

  test.each([
    ['from=2026-02-01&to=2026-01-01', 'range_turned'],
    ['from=2024-01-01&to=2026-01-01', 'range_too_long'],
    ['from=2026-02-31&to=2026-03-01', 'input_invalid'],
    ['from=today&to=2026-03-01', 'input_invalid'],
  ])('refuse %s', async (range, code) => {
    expect(await ali.send('GET', `/usage?${range}`)).toMatchObject({
      status: 400,
      body: { error: { code } },
    })
  })
})

describe('what is somebody else’s', () => {
  test('is not there', async () => {
    const { id, secret } = await newKey(ali, { name: 'private' })
    const answer = await callWith(secret)
    await answer.arrayBuffer()
    const request = answer.headers.get('x-request-id') ?? ''
    const project = await projectOf(ali)
    const asked = [
      ['GET', `/keys/${id}`, undefined],
      ['PATCH', `/keys/${id}`, { name: 'taken' }],
      ['POST', `/keys/${id}/switch`, { on: false }],
      ['POST', `/keys/${id}/revoke`, { name: 'private' }],
      ['POST', '/keys', { project, name: 'mine' }],
      ['GET', `/projects/${project}`, undefined],
      ['PATCH', `/projects/${project}`, { name: 'taken' }],
      ['GET', `/requests/${request}`, undefined],
    ] as const
    for (const [method, path, body] of asked)
      expect(await sara.send(method, path, body)).toMatchObject({ status: 404 })
    const [keys, calls, usage] = [
      await get<Page<object>>(sara, `/keys?project=${project}`),
      await get<Page<object>>(sara, `/requests?key=${id}`),
      await get<{ total: { requests: number } }>(
        sara,
        `/usage?from=${today()}&to=${today()}&project=${project}`,
      ),
    ]
    expect([keys.data.length, calls.data.length, usage.total.requests]).toEqual([0, 0, 0])
    expect(await get<object>(ali, `/keys/${id}`)).toMatchObject({
      name: 'private',
      state: 'active',
    })
  })

  test('nor is anything there for whoever is not signed in', async () => {
    const stranger = openVisitor(gateway)
    for (const path of ['/keys', '/projects', '/requests', '/models', '/keys/1', '/requests/req_1'])
      expect(await stranger.send('GET', path)).toMatchObject({ status: 401 })
  })
})
