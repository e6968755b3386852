import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import {
  addModel,
  ask,
  openTestGateway,
  type CustomerOptions,
  type TestGateway,
} from '../support/gateway'
import { openStandIn, replies, wholeReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
  await addModel(chapar.storage, 'gone', ['standin'])
  await addModel(chapar.storage, 'resting', ['standin'])
  const { catalogue } = chapar.storage
  for (const [id, status] of [
    ['gone', 'discontinued'],
    ['resting', 'off'],
  ] as const) {
    const {
      card: _,
      created: __,
      ...entry
    } = (await catalogue.models()).find((each) => each.id === id) ?? never()
    await catalogue.saveModel({ ...entry, status }, [])
  }
  const vector = { ...((await catalogue.models()).find((each) => each.id === 'priced') ?? never()) }
  const { card: ___, created: ____, ...entry } = vector
  await catalogue.saveModel({ ...entry, id: 'vector', type: 'embedding' }, [
    { meter: 'input', unit: 'million', price: '1' },
  ])
  await chapar.gateway.reloadCatalogue()
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

function never(): never {
  throw new Error('not there')
}

interface Refused {
  readonly status: number
  readonly code: string | null
  readonly param: string | null
  readonly headers: Headers
}

/** A refusal: no vendor was asked, nothing was charged, nothing stays held, both languages speak. */
async function refused(
  send: (headers: Record<string, string>) => Promise<Response>,
): Promise<Refused> {
  const before = { seen: vendor.seen.length, balance: (await chapar.rest()).balance }
  const persian = await send({})
  const english = await send({ 'accept-language': 'en-GB,en;q=0.9' })
  const { error } = (await persian.json()) as {
    error: { message: string; code: string | null; param: string | null; type: string }
  }
  const other = (await english.json()) as { error: { message: string } }
  expect(error.message).toMatch(/[\u0600-\u06ff]{2}/)
  expect(other.error.message).not.toMatch(/[\u0600-\u06ff]/)
  expect(persian.headers.get('x-request-id')).toMatch(/^req_/)
  const { held, slots, balance } = await chapar.rest()
  expect({ held, slots, seen: vendor.seen.length, balance }).toEqual({
    held: 0,
    slots: 0,
    ...before,
  })
  return { status: persian.status, code: error.code, param: error.param, headers: persian.headers }
}

const post =
  (body: unknown, key = chapar.key, extra: Record<string, string> = {}) =>
  (headers: Record<string, string>) =>
    chapar.post(body, { authorization: `Bearer ${key}`, ...extra, ...headers })

/** What is wrong with a body, the body, and what is answered. */
type Wrong = readonly [
  name: string,
  body: unknown,
  status: number,
  code: string | null,
  param: string | null,
]

const bodies: readonly Wrong[] = [
  ['broken JSON', '{"model":', 400, 'invalid_json', null],
  ['an empty body', '', 400, 'invalid_json', null],
  ['no object', '[1]', 400, null, null],
  ['no model', { messages: [] }, 400, 'missing_model', 'model'],
  ['a model that is no string', { model: 3, messages: [{}] }, 400, 'invalid_model', 'model'],
  ['no messages', { model: 'priced' }, 400, 'missing_messages', 'messages'],
  ['empty messages', { model: 'priced', messages: [] }, 400, 'missing_messages', 'messages'],
  [
    '501 messages',
    {
      model: 'priced',
      messages: Array.from({ length: 501 }, () => ({ role: 'user', content: 'x' })),
    },
    400,
    'too_many_messages',
    'messages',
  ],
  [
    'a message without a role',
    { model: 'priced', messages: [{ role: 'user', content: 'a' }, { content: 'b' }] },
    400,
    'invalid_message',
    'messages[1].role',
  ],
  [
    'a role that is none',
    { model: 'priced', messages: [{ role: 'boss', content: 'a' }] },
    400,
    'invalid_message',
    'messages[0].role',
  ],
  [
    'content that is none',
    { model: 'priced', messages: [{ role: 'user', content: 5 }] },
    400,
    'invalid_message',
    'messages[0].content',
  ],
  [
    'a text part without text',
    { model: 'priced', messages: [{ role: 'user', content: [{ type: 'text' }] }] },
    400,
    'invalid_message',
    'messages[0].content[0].text',
  ],
  [
    'an image without a URL',
    {
      model: 'priced',
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc' } }] },
      ],
    },
    400,
    'invalid_message',
    'messages[0].content[0].image_url.url',
  ],
  ...[
    'http://a.example/a.png',
    'data:image/png,abc',
    'data:image/png;base64,***',
    'data:image/png;base64,',
    'data:text/plain;base64,aGVsbG8=',
    `data:image/png;${'a'.repeat(300)};base64,aGVsbG8=`,
  ].map((url): Wrong => [
    `an image at ${url.slice(0, 40)}`,
    {
      model: 'priced',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    },
    400,
    'invalid_message',
    'messages[0].content[0].image_url.url',
  ]),
  ...['***', '', '=', 'aGVsbG8=aGVsbG8='].map((data): Wrong => [
    `sound that is no base64: ${data}`,
    {
      model: 'priced',
      messages: [
        {
          role: 'user',
          content: [{ type: 'input_audio', input_audio: { data, format: 'mp3' } }],
        },
      ],
    },
    400,
    'invalid_message',
    'messages[0].content[0].input_audio.data',
  ]),
  [
    'a file of the vendor’s account',
    {
      model: 'priced',
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }],
    },
    400,
    'invalid_message',
    'messages[0].content[0].file.file_id',
  ],
  [
    'an answer to no tool call',
    { model: 'priced', messages: [{ role: 'tool', content: 'x' }] },
    400,
    'invalid_message',
    'messages[0].tool_call_id',
  ],
  ...(
    [
      ['temperature', 2.1],
      ['temperature', 'warm'],
      ['top_p', 1.5],
      ['n', 5],
      ['n', 0],
      ['max_tokens', 0],
      ['max_completion_tokens', 1.5],
      ['presence_penalty', 3],
      ['frequency_penalty', -3],
      ['seed', 'x'],
      ['stop', ['1', '2', '3', '4', '5']],
      ['stream', 'yes'],
      ['tools', 'none'],
      ['tool_choice', 'maybe'],
      ['parallel_tool_calls', 1],
      ['reasoning_effort', 'huge'],
      ['logprobs', 'x'],
      ['top_logprobs', 21],
      ['user', 5],
      ['response_format', { type: 'xml' }],
    ] as const
  ).map(
    ([field, value]) =>
      [
        `${field} ${JSON.stringify(value)}`,
        ask('priced', { [field]: value }),
        400,
        null,
        field,
      ] as const,
  ),
  [
    'a JSON schema that is missing',
    ask('priced', { response_format: { type: 'json_schema' } }),
    400,
    null,
    'response_format.json_schema',
  ],
  [
    'a function without a name',
    ask('priced', { tools: [{ type: 'function', function: {} }] }),
    400,
    null,
    'tools[0].function.name',
  ],
  ...['mcp_tool', 'local_shell', 'apply_patch', 'bash_20250124', ''].map((type): Wrong => [
    `a tool of type ${type || 'nothing'}`,
    ask('priced', { tools: [{ type: 'function', function: { name: 'f' } }, { type }] }),
    400,
    null,
    'tools[1].type',
  ]),
  ['a model that is not sold', ask('nothing'), 404, 'model_not_found', 'model'],
  ['a model that was sold', ask('gone'), 404, 'model_discontinued', 'model'],
  ['a model that rests', ask('resting'), 503, 'model_temporarily_unavailable', 'model'],
  ['a model of another endpoint', ask('vector'), 400, 'model_endpoint_mismatch', 'model'],
]

describe('bodies and models', () => {
  test.each(bodies)('%s', async (_, body, status, code, param) => {
    expect(await refused(post(body))).toMatchObject({ status, code, param })
  })

  test.each([
    [
      'UTF-16',
      new Uint8Array([
        0xff,
        0xfe,
        ...new Uint8Array(new Uint16Array(Array.from('{"a":1}', (c) => c.charCodeAt(0))).buffer),
      ]),
    ],
    ['Latin-1', new Uint8Array([...new TextEncoder().encode('{"model":"caf'), 0xe9, 0x22, 0x7d])],
  ])('bytes that are %s', async (_, bytes) => {
    const send = (headers: Record<string, string>) =>
      fetch(`${chapar.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}`, ...headers },
        body: bytes,
      })
    expect(await refused(send)).toMatchObject({ status: 400, code: 'invalid_json' })
  })

  test.each(['with a length', 'without a length'])('a body above the ceiling, %s', async (how) => {
    const small = await chapar.customer({ account: { maxRequestKb: 64 } })
    const big = JSON.stringify(ask('priced', { filler: 'x'.repeat(200_000) }))
    const send = (headers: Record<string, string>) =>
      fetch(`${chapar.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${small.key}`, ...headers },
        body: how === 'with a length' ? big : new Blob([big]).stream(),
      })
    expect(await refused(send)).toMatchObject({ status: 413, code: 'request_too_large' })
  })
})

const usd = (text: string) => parseUsd(text)
const states: readonly (readonly [string, CustomerOptions, number, string])[] = [
  ['a revoked key', { key: { state: 'revoked' } }, 401, 'api_key_revoked'],
  ['a disabled key', { key: { state: 'disabled' } }, 401, 'api_key_disabled'],
  ['an expired key', { key: { expiresAt: 1_000 as Ms } }, 401, 'api_key_expired'],
  ['a suspended account', { account: { status: 'suspended' } }, 403, 'account_suspended'],
  ['a project that is off', { project: { active: false } }, 403, 'project_inactive'],
  [
    'a model the key does not allow',
    { key: { allowedModels: ['other/*'] } },
    403,
    'model_not_allowed',
  ],
  [
    'a model the project does not allow',
    { project: { allowedModels: ['x'] } },
    403,
    'model_not_allowed',
  ],
  [
    'an address not in the list',
    { key: { allowedAddresses: ['10.0.0.0/8', '::1'] } },
    403,
    'ip_not_allowed',
  ],
  ['no money', { usd: '0.000001' }, 402, 'insufficient_credit'],
  ['a key’s spend limit', { key: { spendLimit: usd('0.000001') } }, 402, 'key_spend_limit_reached'],
  [
    'a project’s budget',
    { project: { monthlyBudget: usd('0.000001') } },
    402,
    'project_budget_exceeded',
  ],
  ['an account’s day', { account: { dailyCap: usd('0.000001') } }, 402, 'daily_cap_reached'],
]

describe('keys, states and caps', () => {
  test.each(states)('%s', async (_, options, status, code) => {
    expect(await refused(post(ask('priced'), (await chapar.customer(options)).key))).toMatchObject({
      status,
      code,
    })
  })

  test('no key, in neither header', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${chapar.url}/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(ask('priced')),
      })
    expect(await refused(send)).toMatchObject({ status: 401, code: 'missing_api_key' })
  })

  test('a wrong key, of either brand or none', async () => {
    for (const key of ['sk-chapar-v1-wrong', 'sk-barid-v1-wrong', 'sk-other'])
      expect(await refused(post(ask('priced'), key))).toMatchObject({
        status: 401,
        code: 'invalid_api_key',
      })
  })

  test('spending before verification', async () => {
    const { key } = await chapar.customer({ account: { verified: false } })
    // One choice of 16,384 tokens holds less than two dollars, four of a dearer model would not.
    const dear = ask('priced', { n: 4, max_tokens: 16_384 })
    expect((await chapar.post(dear, { authorization: `Bearer ${key}` })).status).toBe(200)
    const poor = await chapar.customer({ account: { verified: false }, usd: '100' })
    await chapar.gateway.parts.ledger.flush()
    // What an answer costs is less than what was held for it.
    const oneRefused = Promise.withResolvers<void>()
    const answer = replies()
    vendor.play(async (...given) => {
      await oneRefused.promise
      return await answer(...given)
    })
    const many = Array.from({ length: 8 }, async () => {
      const response = await chapar.post(dear, { authorization: `Bearer ${poor.key}` })
      if (response.status !== 200) oneRefused.resolve()
      return response
    })
    const codes = await Promise.all(
      many.map(
        async (each) => ((await (await each).json()) as { error?: { code: string } }).error?.code,
      ),
    )
    vendor.play(answer)
    expect(new Set(codes.filter((code) => code !== undefined))).toEqual(new Set(['kyc_required']))
  })

  test('concurrency, which costs no request of the minute', async () => {
    const busy = await chapar.customer({ account: { concurrency: 1, requestsPerMinute: 60 } })
    vendor.play(async () => {
      await Bun.sleep(150)
      return wholeReply('late')
    })
    const headers = { authorization: `Bearer ${busy.key}` }
    const first = chapar.post(ask('priced'), headers)
    await Bun.sleep(40)
    const second = await chapar.post(ask('priced'), headers)
    expect(((await second.json()) as { error: { code: string } }).error.code).toBe(
      'concurrency_limit',
    )
    expect(second.headers.get('retry-after')).toBe('1')
    expect(second.headers.get('x-ratelimit-remaining')).toBe('59')
    expect((await first).status).toBe(200)
    vendor.play(() => wholeReply('ok'))
  })

  test('requests per minute of a key, with its headers', async () => {
    const { key } = await chapar.customer({ key: { requestsPerMinute: 3 } })
    const answers = []
    for (let count = 0; count < 4; count++)
      answers.push(await chapar.post(ask('priced'), { authorization: `Bearer ${key}` }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(answers.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual([
      '2',
      '1',
      '0',
      '0',
    ])
    expect(answers[3]?.headers.get('x-ratelimit-limit')).toBe('3')
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('either header carries the key, and the sister’s brand is ours too', async () => {
    const body = JSON.stringify(ask('priced'))
    const answer = await fetch(`${chapar.url}/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': chapar.key },
      body,
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toContain('application/json')
  })
})

describe('addresses that do not answer', () => {
  const root = () => chapar.url.replace(/\/v1$/, '')
  test.each([
    ['GET', '/nothing', 404, 'unknown_url', null],
    ['POST', '/v1/files', 404, 'unknown_url', null],
    ['POST', '/v1/images/edits', 404, 'unknown_url', null],
    ['GET', '/v1/chat/completions', 405, 'method_not_allowed', 'POST'],
    ['POST', '/v1/models', 405, 'method_not_allowed', 'GET, HEAD'],
    ['DELETE', '/v1/models/sandbox/echo', 405, 'method_not_allowed', 'GET, HEAD'],
    ['DELETE', '/v1/videos/vid_1/content', 405, 'method_not_allowed', 'GET, HEAD'],
    ['POST', '/v1/videos/vid_1/content/', 405, 'method_not_allowed', 'GET, HEAD'],
    ['PUT', '/v1/videos/vid_1', 405, 'method_not_allowed', 'GET, DELETE, HEAD'],
    ['POST', '/v1/videos/edits', 404, 'unknown_url', null],
    ['POST', '/v1/videos/vid_1/remix', 404, 'unknown_url', null],
    ['GET', '/v1/videos/characters', 404, 'unknown_url', null],
    ['GET', '/v1/videos/characters/x1', 404, 'unknown_url', null],
    ['GET', '/v1/videos/characters/content', 404, 'unknown_url', null],
  ])('%s %s', async (method, path, status, code, allow) => {
    const send = (headers: Record<string, string>) => fetch(`${root()}${path}`, { method, headers })
    const { headers, ...rest } = await refused(send)
    expect(rest).toMatchObject({ status, code })
    expect(headers.get('allow')).toBe(allow)
  })

  test('but pages of any origin may call', async () => {
    const answer = await fetch(`${chapar.url}/chat/completions`, { method: 'OPTIONS' })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
  })

  test('and read why they are refused', async () => {
    const headers = { origin: 'https://page.example' }
    const answer = await fetch(`${chapar.url}/messages`, { method: 'POST', headers })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toContain('request-id')
    expect(exposed).toContain('retry-after')
  })
})

describe('models', () => {
  test('are listed without a key, by type, and found by raw, encoded, vendor and route names', async () => {
    const list = (await (await fetch(`${chapar.url}/models?type=chat`)).json()) as {
      object: string
      data: { id: string; type: string }[]
    }
    expect(list.object).toBe('list')
    expect(list.data.map(({ id }) => id)).toContain('priced')
    expect(list.data.map(({ id }) => id)).not.toContain('gone')
    for (const id of [
      'sandbox/echo',
      'sandbox%2Fecho',
      'priced',
      'standin/priced',
      'standin:priced',
    ])
      expect((await fetch(`${chapar.url}/models/${id}`)).status).toBe(200)
    const priced = (await (await fetch(`${chapar.url}/models/priced`)).json()) as Record<
      string,
      unknown
    >
    expect(priced).toMatchObject({
      object: 'model',
      pricing: { input_per_million: '1.5', output_per_million: '6' },
      is_free: false,
    })
  })

  test('of a type that is none', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(`${chapar.url}/models?type=x`, { headers })
    expect(await refused(send)).toMatchObject({ status: 400, code: null, param: 'type' })
  })
})

describe('many requests from one address', () => {
  test('are refused before the key is looked at, and wrong keys sooner', async () => {
    const narrow = await openTestGateway({
      vendorUrl: vendor.url,
      env: { CHAPAR_ADDRESS_RPM: '30', CHAPAR_FAILED_ATTEMPTS: '5' },
    })
    try {
      const codes: (string | undefined)[] = []
      for (let count = 0; count < 31; count++) {
        const answer = await narrow.post(ask('priced'), {
          authorization: 'Bearer sk-chapar-v1-guess',
        })
        codes.push(((await answer.json()) as { error: { code: string } }).error.code)
        if (answer.status === 429)
          expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'invalid_api_key'))
      expect(codes[5]).toBe('too_many_failed_attempts')
      expect(codes[30]).toBe('rate_limit_exceeded')
    } finally {
      await narrow.close()
    }
  })

  test('shut out nobody with a right key, however many wrong ones there were', async () => {
    const env = { CHAPAR_FAILED_ATTEMPTS: '3' }
    const guarded = await openTestGateway({ vendorUrl: vendor.url, env })
    const wrong = { authorization: 'Bearer sk-chapar-v1-guess' }
    const status = async (headers = {}, path = '/me') =>
      (
        await fetch(guarded.url + path, {
          method: path === '/me' ? 'GET' : 'POST',
          headers: { authorization: `Bearer ${guarded.key}`, ...headers },
          ...(path === '/me' ? {} : { body: JSON.stringify(ask('sandbox/echo')) }),
        })
      ).status
    try {
      const guesses: number[] = []
      for (let count = 0; count < 5; count++) guesses.push(await status(wrong))
      expect(guesses).toEqual([401, 401, 401, 429, 429])
      for (const path of ['/me', '/chat/completions', '/messages/count_tokens']) {
        expect(await status({}, path)).not.toBe(429)
        expect(await status(wrong, path)).toBe(429)
      }
      // No key at all is no guess.
      expect(await status({ authorization: '' })).toBe(401)
    } finally {
      await guarded.close()
    }
  })

  test('guess nothing by keys that exist, whatever stands in their way', async () => {
    const env = { CHAPAR_FAILED_ATTEMPTS: '1' }
    const guarded = await openTestGateway({ vendorUrl: vendor.url, env })
    const known: Readonly<Record<string, CustomerOptions>> = {
      api_key_revoked: { key: { state: 'revoked' } },
      api_key_disabled: { key: { state: 'disabled' } },
      api_key_expired: { key: { expiresAt: 1 as never } },
      ip_not_allowed: { key: { allowedAddresses: ['192.0.2.1'] } },
      account_suspended: { account: { status: 'suspended' } },
      project_inactive: { project: { active: false } },
    }
    const code = async (key: string) =>
      (
        (await (await guarded.post(ask('priced'), { authorization: `Bearer ${key}` })).json()) as {
          readonly error: { readonly code: string }
        }
      ).error.code
    try {
      for (const [expected, options] of Object.entries(known)) {
        const { key } = await guarded.customer(options)
        for (let times = 0; times < 3; times++) expect(await code(key)).toBe(expected)
      }
      const wrong = 'sk-chapar-v1-guess'
      expect([await code(wrong), await code(wrong)]).toEqual([
        'invalid_api_key',
        'too_many_failed_attempts',
      ])
    } finally {
      await guarded.close()
    }
  })

  test('may be in progress as long as they are few, streams and leavers too', async () => {
    const shared = await openTestGateway({ env: { CHAPAR_ADDRESS_CONCURRENCY: '2' } })
    const { addressSlots } = shared.gateway.parts.limits
    const stream = async (signal?: AbortSignal) => {
      const answer = await shared.post(ask('sandbox/slow', { stream: true }), {}, signal)
      const reader = answer.body?.getReader()
      await reader?.read()
      return { answer, reader }
    }
    try {
      const leaver = new AbortController()
      const [stays] = [await stream(), await stream(leaver.signal)]
      const refused = await shared.post(ask('sandbox/echo'))
      expect(refused.status).toBe(429)
      expect(refused.headers.get('retry-after')).toBe('1')
      expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
      // What probes ask is not theirs alone.
      expect((await fetch(shared.url.replace('/v1', '/healthz'))).status).toBe(200)
      leaver.abort()
      while (addressSlots.inUse() > 1) await Bun.sleep(1)
      expect((await shared.post(ask('sandbox/echo'))).status).toBe(200)
      await stays.reader?.cancel()
      while (addressSlots.inUse() > 0) await Bun.sleep(1)
    } finally {
      await shared.close()
    }
  })
})
