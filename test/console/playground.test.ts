import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { parseUsd, showUsd } from '../../src/domain/money'
import type { AccountId } from '../../src/domain/ids'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { chunksOf, readUntil, saidIn } from '../support/sse'
import { openVisitor, type Visitor } from './visitor'

let gateway: TestGateway
let ali: Visitor
let sara: Visitor

interface KeyBody {
  readonly id: number
  readonly secret: string
}
interface Request {
  readonly status: string
  readonly usd: string
  readonly model: string
  readonly endpoint: string
  readonly streamed: boolean
  readonly key: { readonly id: number }
  readonly usage: { readonly output_tokens: number }
  readonly receipt: {
    readonly charged_usd: string
    readonly lines: readonly { readonly amount_usd: string }[]
  }
}

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  ali = openVisitor(gateway)
  sara = openVisitor(gateway)
  await ali.signIn('09123450001')
  await sara.signIn('09123450002')
  await credit(ali)
  await credit(sara)
})
afterAll(() => gateway.close())

const get = async <T>(who: Visitor, path: string): Promise<T> => {
  const { status, body } = await who.send('GET', path)
  expect(status).toBe(200)
  return body
}
const accountOf = async (who: Visitor): Promise<AccountId> =>
  (await get<{ account: { id: AccountId } }>(who, '/me')).account.id
const balanceOf = async (who: Visitor): Promise<number> => {
  await gateway.rest()
  return parseUsd((await get<{ account: { balance_usd: string } }>(who, '/me')).account.balance_usd)
}
async function credit(who: Visitor): Promise<void> {
  const account = await accountOf(who)
  await gateway.storage.directory.deposit({
    account,
    amount: parseUsd('1'),
    kind: 'topup',
    reference: `playground-${account}`,
  })
  await gateway.storage.directory.setAccount(account, { verified: true })
  gateway.gateway.changed()
}
const newKey = async (who: Visitor, fields: object = {}): Promise<KeyBody> => {
  const { data } = await get<{ data: { id: number }[] }>(who, '/projects')
  const { status, body } = await who.send('POST', '/keys', {
    project: data[0]?.id,
    name: 'laptop',
    ...fields,
  })
  expect(status).toBe(200)
  return body
}

interface Sending {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** A call out of the playground, as the page sends it. */
const call = (
  who: Visitor | null,
  name: string,
  key: number | string,
  body: object | FormData,
  { headers = {}, signal }: Sending = {},
): Promise<Response> => {
  const { origin } = new URL(gateway.url)
  const isForm = body instanceof FormData
  return fetch(`${origin}/app/api/playground/${name}?key=${key}`, {
    method: 'POST',
    headers: {
      origin,
      'sec-fetch-site': 'same-origin',
      ...(who === null ? {} : { cookie: who.cookie() }),
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}
const question = (model = 'sandbox/echo-priced', more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'one two three' }],
  ...more,
})
const refusal = async (answer: Response): Promise<unknown> => [
  answer.status,
  ((await answer.json()) as { error?: { code: unknown } }).error?.code,
]
const requestOf = async (who: Visitor, answer: Response): Promise<Request> => {
  await gateway.rest()
  return await get<Request>(who, `/requests/${answer.headers.get('x-request-id')}`)
}

describe('a call out of the playground', () => {
  test('is charged to the nano-dollar, and recorded as a call of the chosen key', async () => {
    const key = await newKey(ali)
    const before = await balanceOf(ali)
    const answer = await call(ali, 'chat', key.id, question())
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      model: 'sandbox/echo-priced',
      choices: [{ message: { role: 'assistant', content: 'one two three' } }],
    })
    const cost = answer.headers.get('x-cost-usd') ?? ''
    expect(parseUsd(cost)).toBeGreaterThan(0)
    const request = await requestOf(ali, answer)
    expect(request).toMatchObject({
      status: 'success',
      endpoint: 'chat',
      model: 'sandbox/echo-priced',
      usd: cost,
      key: { id: key.id },
      receipt: { charged_usd: cost },
    })
    expect(request.receipt.lines.length).toBe(2)
    expect(before - (await balanceOf(ali))).toBe(parseUsd(cost))
    const shown = await get<{ spent_usd: string }>(ali, `/keys/${key.id}`)
    expect(shown.spent_usd).toBe(cost)
  })

  test('costs what the same call costs with the key itself', async () => {
    const key = await newKey(ali)
    const own = await call(ali, 'chat', key.id, question())
    const secret = await gateway.post(question(), { authorization: `Bearer ${key.secret}` })
    expect(own.headers.get('x-cost-usd')).toBe(secret.headers.get('x-cost-usd') ?? '')
    expect(own.headers.get('x-ratelimit-limit')).toBe(secret.headers.get('x-ratelimit-limit'))
    expect(await own.json()).toMatchObject({ usage: ((await secret.json()) as Request).usage })
  })

  test('streams, with its cost in the last event', async () => {
    const key = await newKey(ali)
    const body = question('sandbox/echo-priced', {
      stream: true,
      stream_options: { include_usage: true },
    })
    const answer = await call(ali, 'chat', key.id, body)
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const text = await answer.text()
    expect(saidIn(text, 'content')).toBe('one two three')
    const cost = chunksOf(text).at(-1)?.cost_usd
    expect(await requestOf(ali, answer)).toMatchObject({ usd: cost, streamed: true })
  })

  test('that is stopped is charged for what was sent until then', async () => {
    const key = await newKey(ali)
    const before = await balanceOf(ali)
    const words = Array.from({ length: 400 }, (_, at) => `word${at}`).join(' ')
    const stopping = new AbortController()
    const answer = await call(
      ali,
      'chat',
      key.id,
      {
        ...question('sandbox/slow-priced', { stream: true }),
        messages: [{ role: 'user', content: words }],
      },
      { signal: stopping.signal },
    )
    await readUntil(answer, 'word3')
    stopping.abort()
    const request = await requestOf(ali, answer)
    expect(request.status).toBe('cancelled')
    expect(request.usage.output_tokens).toBeGreaterThan(0)
    expect(request.usage.output_tokens).toBeLessThan(100)
    const charged = before - (await balanceOf(ali))
    expect(showUsd(charged as never)).toBe(request.usd)
    expect(charged).toBeGreaterThan(0)
    expect((await gateway.rest()).held).toBe(0)
  })

  test('makes pictures and speech, and writes recordings down, each with its cost', async () => {
    const key = await newKey(ali)
    const before = await balanceOf(ali)
    const drawn = await call(ali, 'images', key.id, {
      model: 'sandbox/draw-priced',
      prompt: 'a red apple',
      size: '256x256',
    })
    const { data } = (await drawn.json()) as { data: { b64_json: string }[] }
    expect(data[0]?.b64_json.startsWith('iVBOR')).toBe(true)
    const spoken = await call(ali, 'speech', key.id, {
      model: 'sandbox/speak-priced',
      input: 'سلام دنیا',
      voice: 'alloy',
    })
    expect(spoken.headers.get('content-type')).toBe('audio/mpeg')
    expect((await spoken.bytes()).length).toBeGreaterThan(100)
    const form = new FormData()
    form.set('model', 'sandbox/listen-priced')
    form.set('file', Bun.file(join(import.meta.dir, '../support/audio/tone.mp3')))
    const heard = await call(ali, 'transcriptions', key.id, form)
    expect(((await heard.json()) as { text: string }).text.length).toBeGreaterThan(0)
    let sum = 0
    for (const [answer, endpoint] of [
      [drawn, 'images'],
      [spoken, 'speech'],
      [heard, 'transcriptions'],
    ] as const) {
      const request = await requestOf(ali, answer)
      expect(request).toMatchObject({ endpoint, status: 'success', key: { id: key.id } })
      expect(answer.headers.get('x-cost-usd')).toBe(request.usd)
      sum += parseUsd(request.usd)
    }
    expect(before - (await balanceOf(ali))).toBe(sum)
  })
})

describe('nobody calls', () => {
  test('without a session, from another site, or with a key that is none', async () => {
    const key = await newKey(ali)
    expect(await refusal(await call(null, 'chat', key.id, question()))).toEqual([401, 'signed_out'])
    const forged = { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }
    expect(await refusal(await call(ali, 'chat', key.id, question(), forged))).toEqual([
      403,
      'forged',
    ])
    for (const each of ['', 'x', '0', '1e3', '9'.repeat(40)])
      expect(await refusal(await call(ali, 'chat', each, question()))).toEqual([400, 'invalid'])
    expect(await refusal(await call(ali, 'videos', key.id, question()))).toEqual([404, 'not_found'])
    const { origin } = new URL(gateway.url)
    const asked = await fetch(`${origin}/app/api/playground/chat?key=${key.id}`, {
      headers: { cookie: ali.cookie() },
    })
    expect(asked.status).toBe(404)
    await asked.text()
  })

  test('with a key of another account, which is not there', async () => {
    const key = await newKey(ali)
    expect(await refusal(await call(sara, 'chat', key.id, question()))).toEqual([404, 'not_found'])
    expect(await refusal(await call(sara, 'chat', 999_999, question()))).toEqual([404, 'not_found'])
  })

  test('with a key that another member made; an owner calls with every key', async () => {
    const guest = openVisitor(gateway)
    await guest.signIn('09123450009')
    await ali.send('POST', '/members/invitations', { phone: '09123450009', role: 'member' })
    const { invitations } = await get<{ invitations: { id: number }[] }>(guest, '/me')
    await guest.send('POST', `/invitations/${invitations[0]?.id}/accept`)
    const [owners, own] = [await newKey(ali), await newKey(guest)]
    expect(await refusal(await call(guest, 'chat', owners.id, question()))).toEqual([
      403,
      'not_your_key',
    ])
    for (const [who, key] of [
      [guest, own],
      [ali, own],
    ] as const) {
      const answer = await call(who, 'chat', key.id, question())
      expect(answer.status).toBe(200)
      await answer.text()
    }
  })

  test('with a key that is revoked, switched off or expired, from the next call on', async () => {
    const [revoked, off] = [await newKey(ali), await newKey(ali)]
    for (const { id } of [revoked, off]) await (await call(ali, 'chat', id, question())).text()
    await ali.send('POST', `/keys/${revoked.id}/revoke`, { name: 'laptop' })
    await ali.send('POST', `/keys/${off.id}/switch`, { on: false })
    expect(await refusal(await call(ali, 'chat', revoked.id, question()))).toEqual([
      401,
      'api_key_revoked',
    ])
    expect(await refusal(await call(ali, 'chat', off.id, question()))).toEqual([
      401,
      'api_key_disabled',
    ])
  })
})

describe('limits of the key hold', () => {
  test('its models, its addresses, its spend limit', async () => {
    const [models, addresses, spend] = [
      await newKey(ali, { allowed_models: ['openai/*'] }),
      await newKey(ali, { allowed_addresses: ['203.0.113.0/24'] }),
      await newKey(ali, { spend_limit_usd: '0.000000001' }),
    ]
    expect(await refusal(await call(ali, 'chat', models.id, question()))).toEqual([
      403,
      'model_not_allowed',
    ])
    expect(await refusal(await call(ali, 'chat', addresses.id, question()))).toEqual([
      403,
      'ip_not_allowed',
    ])
    expect(await refusal(await call(ali, 'chat', spend.id, question()))).toEqual([
      402,
      'key_spend_limit_reached',
    ])
  })

  test('its requests per minute, shared with programs that have its secret', async () => {
    const key = await newKey(ali, { rpm_limit: 2 })
    const secret = { authorization: `Bearer ${key.secret}` }
    await (await gateway.post(question('sandbox/echo'), secret)).text()
    await (await call(ali, 'chat', key.id, question('sandbox/echo'))).text()
    const over = await call(ali, 'chat', key.id, question('sandbox/echo'))
    expect(over.headers.get('retry-after')).not.toBeNull()
    expect(await refusal(over)).toEqual([429, 'rate_limit_exceeded'])
  })

  test('the concurrency of the account', async () => {
    const key = await newKey(sara)
    await gateway.storage.directory.setAccount(await accountOf(sara), { concurrency: 1 })
    gateway.gateway.changed()
    const stopping = new AbortController()
    const slow = await call(sara, 'chat', key.id, question('sandbox/slow', { stream: true }), {
      signal: stopping.signal,
    })
    expect(await refusal(await call(sara, 'chat', key.id, question('sandbox/echo')))).toEqual([
      429,
      'concurrency_limit',
    ])
    stopping.abort()
    await slow.text().catch(() => {})
    await gateway.rest()
    const again = await call(sara, 'chat', key.id, question('sandbox/echo'))
    expect(again.status).toBe(200)
    await again.text()
  })

  test('and every sum is right at the end', async () => {
    await gateway.rest()
    expect((await gateway.audit()).ok).toBe(true)
  })
})
