import { parseUsd } from '../../src/domain/money'
import type { Ms } from '../../src/domain/clock'
import type { ErrorCode } from '../../src/errors/codes'
import { arrivingBodies, sweepBodies } from '../../src/gateway/http/slow-body-guard'
import type { Storage } from '../../src/business/data/storage'
import { addModel, ask, type TestGateway, type TestGatewayOptions } from '../support/gateway'
import { failure, type Script } from '../support/stand-in'

/** One way to meet a code. */
export interface Case {
  readonly code: ErrorCode
  readonly how: string
  readonly status: number
  readonly param?: string
  /** Whether the key was known: then its rate-limit headers are there. */
  readonly keyed: boolean
  /** What `x-should-retry` says. */
  readonly hopeless?: true
  /** What `Retry-After` says, where it is known. */
  readonly retryAfter?: number
  /** Whether the vendor is asked. */
  readonly asked?: true
  readonly gateway?: TestGatewayOptions
  readonly vendor?: Script
  /** What comes first. @returns what undoes it before the books are looked at */
  readonly arrange?: (chapar: TestGateway) => void | (() => void) | Promise<void>
  readonly send?: Send
  /** Asked at another endpoint, which alone can refuse so. */
  readonly apart?: true
}

type Send = (chapar: TestGateway, headers: Record<string, string>) => Promise<Response>

const cap = parseUsd('0.000001')
const body =
  (what: unknown): Send =>
  (chapar, headers) =>
    chapar.post(what, headers)
const withKey =
  (key: string): Send =>
  (chapar, headers) =>
    chapar.post(ask('priced'), { ...headers, authorization: `Bearer ${key}` })
const at =
  (method: string, path: string): Send =>
  (chapar, headers) =>
    fetch(chapar.url.replace(/\/v1$/, path), { method, headers })
const stored =
  (id: string, change: object) =>
  async (storage: Storage): Promise<void> => {
    await addModel(storage, id, ['standin'])
    const made = (await storage.catalogue.models()).find((each) => each.id === id)
    if (made === undefined) throw new Error('not there')
    const { card, created: _, ...entry } = made
    await storage.catalogue.saveModel({ ...entry, ...change }, card?.lines ?? [])
  }
const asDialect =
  (dialect: string) =>
  async (storage: Storage): Promise<void> => {
    for (const vendor of await storage.catalogue.vendors())
      await storage.catalogue.saveVendor({ ...vendor, dialect })
  }
const setting =
  (name: string, text: string) =>
  (storage: Storage): Promise<void> =>
    storage.settings.set(name, text)

/** To another endpoint, by its path below the version. */
const to =
  (path: string, what: unknown): Send =>
  ({ url, key }, headers) =>
    fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(what),
    })

/** A form with its file. */
const form =
  (path: string, fields: Readonly<Record<string, string>>, file?: Blob): Send =>
  ({ url, key }, headers) => {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
    if (file !== undefined) body.append('file', file, 'recording.mp3')
    const sent = { authorization: `Bearer ${key}`, ...headers }
    return fetch(url + path, { method: 'POST', headers: sent, body })
  }

const bad = (code: ErrorCode, how: string, what: unknown, param?: string): Case => ({
  code,
  how,
  status: 400,
  keyed: true,
  send: body(what),
  ...(param === undefined ? {} : { param }),
})
const many = Array.from({ length: 501 }, () => ({ role: 'user', content: 'x' }))

const speaking = { model: 'sandbox/speak', input: 'x', voice: 'alloy' }
const composing = { model: 'sandbox/compose', prompt: 'x' }
const atAudio = (
  code: ErrorCode,
  how: string,
  param: string,
  [path, what]: readonly ['/audio/speech' | '/audio/music', object],
): Case => ({ code, how, status: 400, param, keyed: true, apart: true, send: to(path, what) })

/** What voices and composers refuse, none of it by asking a vendor. */
const spokenAndComposed: readonly Case[] = [
  ...[undefined, null, ''].map((input) =>
    atAudio('missing_input', `nothing to say: ${JSON.stringify(input)}`, 'input', [
      '/audio/speech',
      { ...speaking, input },
    ]),
  ),
  atAudio('input_too_long', 'a text of 4097 letters of two units each', 'input', [
    '/audio/speech',
    { ...speaking, input: '😀'.repeat(4097) },
  ]),
  atAudio('invalid_field', 'no voice', 'voice', [
    '/audio/speech',
    { ...speaking, voice: undefined },
  ]),
  atAudio('invalid_field', 'a voice that the model does not have', 'voice', [
    '/audio/speech',
    { ...speaking, voice: 'Kore' },
  ]),
  atAudio('invalid_field', 'a format that nobody gives', 'response_format', [
    '/audio/speech',
    { ...speaking, response_format: 'midi' },
  ]),
  atAudio('invalid_field', 'a voice that is too fast', 'speed', [
    '/audio/speech',
    { ...speaking, speed: 4.5 },
  ]),
  atAudio('missing_prompt', 'nothing to compose', 'prompt', [
    '/audio/music',
    { ...composing, prompt: '' },
  ]),
  atAudio('prompt_too_long', 'a prompt of 4001 letters', 'prompt', [
    '/audio/music',
    { ...composing, prompt: 'ل'.repeat(4001) },
  ]),
  atAudio('model_endpoint_mismatch', 'a voice that is to compose', 'model', [
    '/audio/music',
    { ...composing, model: 'sandbox/speak' },
  ]),
]

/** Refusals of keys, accounts, money and bodies, of models, vendors and the service itself. */
export const cases: readonly Case[] = [
  bad('invalid_json', 'a body that is cut', '{"model":'),
  bad('invalid_field', 'a field out of range', ask('priced', { temperature: 3 }), 'temperature'),
  bad('missing_model', 'no model', { messages: [] }, 'model'),
  bad('invalid_model', 'a model that is a number', { model: 3 }, 'model'),
  bad('missing_messages', 'no messages', { model: 'priced' }, 'messages'),
  bad('too_many_messages', '501 messages', { model: 'priced', messages: many }, 'messages'),
  bad(
    'invalid_message',
    'a message without a role',
    { model: 'priced', messages: [{ content: 'a' }] },
    'messages[0].role',
  ),
  {
    ...bad('model_endpoint_mismatch', 'a model of another endpoint', ask('vector'), 'model'),
    gateway: { prepare: stored('vector', { type: 'embedding' }) },
  },
  {
    ...bad('streaming_disabled', 'a stream', ask('priced', { stream: true }), 'stream'),
    gateway: { prepare: setting('streaming', 'off') },
  },
  {
    ...bad('upstream_rejected', 'a vendor that refuses', ask('priced')),
    asked: true,
    vendor: failure(400, { message: 'no such thing', type: 'invalid_request_error' }),
  },
  {
    ...bad('endpoint_not_supported', 'a vendor without chat', ask('priced')),
    arrange({ gateway: { parts } }) {
      const { openai } = parts.vendors
      Object.assign(parts, { vendors: { openai: { ...openai, abilities: {} } } })
    },
  },
  {
    code: 'missing_api_key',
    how: 'no key',
    status: 401,
    keyed: false,
    send: (chapar, headers) =>
      fetch(`${chapar.url}/chat/completions`, { method: 'POST', headers, body: '{}' }),
  },
  {
    code: 'invalid_api_key',
    how: 'a wrong key',
    status: 401,
    keyed: false,
    send: withKey('sk-chapar-v1-wrong'),
  },
  ...(
    [
      ['api_key_revoked', 401, { key: { state: 'revoked' } }],
      ['api_key_disabled', 401, { key: { state: 'disabled' } }],
      ['api_key_expired', 401, { key: { expiresAt: 1 as Ms } }],
      ['ip_not_allowed', 403, { key: { allowedAddresses: ['10.0.0.0/8'] } }],
      ['account_suspended', 403, { account: { status: 'suspended' } }],
      ['project_inactive', 403, { project: { active: false } }],
    ] as const
  ).map(([code, status, gateway]): Case => ({
    code,
    how: 'its state',
    status,
    keyed: false,
    gateway,
  })),
  ...(
    [
      ['insufficient_credit', 402, { usd: '0.000001' }],
      ['key_spend_limit_reached', 402, { key: { spendLimit: cap } }],
      ['project_budget_exceeded', 402, { project: { monthlyBudget: cap } }],
      ['daily_cap_reached', 402, { account: { dailyCap: cap } }],
      [
        'kyc_required',
        403,
        { account: { verified: false }, env: { CHAPAR_KYC_CEILING: '0.000001' } },
      ],
    ] as const
  ).map(([code, status, gateway]): Case => ({
    code,
    how: 'a dear call',
    status,
    keyed: true,
    gateway,
  })),
  ...(['key', 'project'] as const).map((by): Case => ({
    code: 'model_not_allowed',
    how: `a ${by} without it`,
    status: 403,
    param: 'model',
    keyed: true,
    gateway: { [by]: { allowedModels: ['other/*'] } },
  })),
  {
    code: 'model_not_found',
    how: 'an unknown id',
    status: 404,
    param: 'model',
    keyed: true,
    send: body(ask('nothing')),
  },
  {
    code: 'model_discontinued',
    how: 'a model that was sold',
    status: 404,
    param: 'model',
    keyed: true,
    gateway: { prepare: stored('gone', { status: 'discontinued' }) },
    send: body(ask('gone')),
  },
  {
    code: 'unknown_url',
    how: 'a path that is none',
    status: 404,
    keyed: false,
    send: at('POST', '/v1/files'),
  },
  {
    code: 'request_not_found',
    how: 'a call that was never made',
    status: 404,
    param: 'id',
    keyed: true,
    send: (chapar, headers) =>
      fetch(`${chapar.url}/requests/req_nobody`, {
        headers: { ...headers, authorization: `Bearer ${chapar.key}` },
      }),
  },
  {
    code: 'method_not_allowed',
    how: 'a method that is none',
    status: 405,
    keyed: false,
    send: at('GET', '/v1/chat/completions'),
  },
  {
    code: 'request_too_large',
    how: 'a body above the ceiling',
    status: 413,
    keyed: true,
    gateway: { account: { maxRequestKb: 1 } },
    send: body(ask('priced', { filler: 'x'.repeat(2000) })),
  },
  {
    code: 'unsupported_encoding',
    how: 'a body in two encodings',
    status: 415,
    keyed: true,
    send: (chapar, headers) =>
      chapar.post(ask('priced'), { ...headers, 'content-encoding': 'gzip, br' }),
  },
  {
    code: 'rate_limit_exceeded',
    how: 'a key that is used too often',
    status: 429,
    keyed: true,
    retryAfter: 60,
    gateway: { key: { requestsPerMinute: 1 } },
    arrange: async (chapar) => void (await chapar.post(ask('sandbox/echo'))),
  },
  {
    code: 'rate_limit_exceeded',
    how: 'an address that asks too often',
    status: 429,
    keyed: false,
    retryAfter: 60,
    gateway: { env: { CHAPAR_ADDRESS_RPM: '1' } },
    arrange: async (chapar) => void (await chapar.post(ask('sandbox/echo'))),
  },
  {
    code: 'concurrency_limit',
    how: 'a second call at once',
    status: 429,
    keyed: true,
    gateway: { account: { concurrency: 1 } },
    async arrange({ gateway: { parts }, key }) {
      const caller = await parts.identity.identify(key as never)
      const slot = await parts.limits.takeSlot(caller)
      return () => slot.release()
    },
  },
  {
    code: 'too_many_failed_attempts',
    how: 'a guess too many',
    status: 429,
    keyed: false,
    hopeless: true,
    retryAfter: 300,
    gateway: { env: { CHAPAR_FAILED_ATTEMPTS: '1' } },
    arrange: async (chapar) => void (await withKey('sk-chapar-v1-guess')(chapar, {})),
    send: withKey('sk-chapar-v1-guess'),
  },
  {
    code: 'rate_limit_exceeded',
    how: 'an address with too many requests at once',
    status: 429,
    keyed: false,
    retryAfter: 1,
    gateway: { env: { CHAPAR_ADDRESS_CONCURRENCY: '1' } },
    arrange({ gateway: { parts } }) {
      const slot = parts.limits.addressSlots.take('127.0.0.1')
      return () => slot.release()
    },
  },
  {
    code: 'upgrade_not_offered',
    how: 'a WebSocket at an address that has none',
    status: 426,
    keyed: false,
    send: ({ url }, headers) =>
      fetch(`${url}/responses`, {
        headers: { ...headers, connection: 'Upgrade', upgrade: 'websocket' },
      }),
  },
  {
    code: 'request_timeout',
    how: 'a body that does not come',
    status: 408,
    keyed: true,
    apart: true,
    hopeless: true,
    async send({ url, key }, headers) {
      const answer = fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${key}` },
        body: new ReadableStream({ pull: () => new Promise<void>(() => {}) }),
      })
      while (arrivingBodies() === 0) await Bun.sleep(1)
      for (const lateMs of [0, 61_000]) sweepBodies(performance.now() + lateMs)
      return answer
    },
  },
  ...(
    [
      ['upstream_rate_limited', 429, failure(429, { message: 'slow' }, { 'retry-after': '7' }), 7],
      ['upstream_capacity_full', 429, failure(503, { code: 'overloaded', message: 'full' }), 10],
      ['upstream_error', 502, failure(500, { message: 'oops' }), undefined],
      ['upstream_unreachable', 502, () => Promise.reject(new Error('never')), undefined],
    ] as const
  ).map(([code, status, vendor, retryAfter]): Case => ({
    code,
    how: 'a vendor in trouble',
    status,
    keyed: true,
    asked: true,
    vendor,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })),
  {
    code: 'model_temporarily_unavailable',
    how: 'a model that rests',
    status: 503,
    param: 'model',
    keyed: true,
    retryAfter: 30,
    gateway: { prepare: stored('resting', { status: 'off' }) },
    send: body(ask('resting')),
  },
  {
    code: 'gateway_disabled',
    how: 'a service that is closed',
    status: 503,
    keyed: true,
    retryAfter: 60,
    gateway: { prepare: setting('gateway', 'off') },
  },
  {
    code: 'daily_capacity_reached',
    how: 'a service that is full',
    status: 503,
    keyed: true,
    hopeless: true,
    // The test's clock stands at noon.
    retryAfter: 43_200,
    gateway: { prepare: setting('day-capacity', '0') },
  },
  {
    code: 'internal_error',
    how: 'a fault of ours',
    status: 500,
    keyed: true,
    hopeless: true,
    arrange({ gateway: { parts } }) {
      Object.assign(parts, {
        safetyId() {
          throw new Error('sk-vendor-secret is broken')
        },
      })
    },
  },
  ...([undefined, null, '', []] as const).map((input): Case => ({
    code: 'missing_input',
    how: `an input of ${JSON.stringify(input)}`,
    status: 400,
    param: 'input',
    keyed: true,
    apart: true,
    send: to('/responses', { model: 'priced', input }),
  })),
  ...([undefined, null, '', [], ['a', 'b'], [1, 2]] as const).map((prompt): Case => ({
    code: 'missing_prompt',
    how: `a prompt of ${JSON.stringify(prompt)}`,
    status: 400,
    param: 'prompt',
    keyed: true,
    apart: true,
    send: to('/completions', { model: 'priced', prompt }),
  })),
  ...(['transcriptions', 'translations'] as const).flatMap((name): Case[] => {
    const base = { keyed: true, apart: true } as const
    const audio = (fields: Readonly<Record<string, string>>, file?: Blob) =>
      form(`/audio/${name}`, { model: 'sandbox/listen-priced', ...fields }, file)
    return [
      {
        ...base,
        code: 'missing_file',
        how: `a form without a file for ${name}`,
        status: 400,
        param: 'file',
        send: audio({}),
      },
      {
        ...base,
        code: 'invalid_field',
        how: `no form for ${name}`,
        status: 400,
        param: 'body',
        send: to(`/audio/${name}`, { model: 'sandbox/listen' }),
      },
      {
        ...base,
        code: 'request_too_large',
        how: `a recording above the ceiling for ${name}`,
        status: 413,
        gateway: { account: { maxRequestKb: 1 } },
        send: audio({}, new Blob(['x'.repeat(2000)])),
      },
      {
        ...base,
        code: 'insufficient_credit',
        how: `a long recording for ${name}`,
        status: 402,
        gateway: { usd: '0.000001' },
        send: audio({}, new Blob(['ID3\x04\0\0\0\0\0\0', 'x'.repeat(9000)])),
      },
      {
        ...base,
        code: 'upstream_rejected',
        how: `a vendor that refuses ${name}`,
        status: 400,
        send: audio(
          { model: 'sandbox/listen-error-upstream_rejected' },
          new Blob(['ID3\x04\0\0\0\0\0\0']),
        ),
      },
    ]
  }),
  {
    code: 'invalid_size',
    how: 'a size that the model does not make',
    status: 400,
    param: 'size',
    keyed: true,
    apart: true,
    send: to('/images/generations', { model: 'sandbox/draw', prompt: 'x', size: '77x77' }),
  },
  ...spokenAndComposed,
  {
    code: 'request_not_found',
    how: 'an answer of nobody to go on from',
    status: 404,
    param: 'previous_response_id',
    keyed: true,
    gateway: { prepare: asDialect('openai') },
    apart: true,
    send: to('/responses', {
      model: 'priced',
      input: 'on',
      previous_response_id: `resp_${'0'.repeat(32)}`,
    }),
  },
  {
    code: 'endpoint_not_supported',
    how: 'an earlier answer at a vendor that keeps none',
    status: 400,
    param: 'previous_response_id',
    keyed: true,
    apart: true,
    send: to('/responses', { model: 'priced', input: 'on', previous_response_id: 'resp_1' }),
  },
  {
    code: 'endpoint_not_supported',
    how: 'a tool of the vendor that has no price',
    status: 400,
    param: 'tools[0].type',
    keyed: true,
    gateway: { prepare: asDialect('openai') },
    apart: true,
    send: to('/responses', {
      model: 'priced',
      input: 'draw',
      tools: [{ type: 'image_generation' }],
    }),
  },
  ...(
    [
      ['no role', [{ content: 'a' }], 'input[0].role'],
      ['a call without its id', [{ type: 'function_call', name: 'f' }], 'input[0].call_id'],
      ['an item of another account', [{ type: 'item_reference', id: 'x' }], 'input[0].type'],
    ] as const
  ).map(([how, input, param]): Case => ({
    code: 'invalid_message',
    how: `an item with ${how}`,
    status: 400,
    param,
    keyed: true,
    apart: true,
    send: to('/responses', { model: 'priced', input }),
  })),
  {
    code: 'too_many_messages',
    how: '501 items',
    status: 400,
    param: 'input',
    keyed: true,
    apart: true,
    send: to('/responses', { model: 'priced', input: many }),
  },
  ...(['/responses', '/completions'] as const).flatMap((path): Case[] => {
    const asking = path === '/responses' ? { input: 'Hi' } : { prompt: 'Hi' }
    const vendors = [
      ['upstream_rejected', 400, failure(400, { message: 'no', type: 'invalid_request_error' })],
      ['upstream_rate_limited', 429, failure(429, { message: 'slow' }, { 'retry-after': '7' })],
      ['upstream_capacity_full', 429, failure(503, { code: 'overloaded', message: 'full' })],
      ['upstream_error', 502, failure(500, { message: 'oops' })],
    ] as const
    const base = { how: `at ${path}`, keyed: true, apart: true } as const
    return [
      ...vendors.map(([code, status, vendor]): Case => ({
        ...base,
        code,
        status,
        vendor,
        asked: true,
        ...(code === 'upstream_rate_limited' ? { retryAfter: 7 } : {}),
        ...(code === 'upstream_capacity_full' ? { retryAfter: 10 } : {}),
        send: to(path, { model: 'priced', ...asking }),
      })),
      { ...base, code: 'missing_model', status: 400, param: 'model', send: to(path, asking) },
      {
        ...base,
        code: 'model_not_found',
        status: 404,
        param: 'model',
        send: to(path, { model: 'nothing', ...asking }),
      },
      {
        ...base,
        code: 'model_endpoint_mismatch',
        status: 400,
        param: 'model',
        gateway: { prepare: stored('vector', { type: 'embedding' }) },
        send: to(path, { model: 'vector', ...asking }),
      },
      {
        ...base,
        code: 'streaming_disabled',
        status: 400,
        param: 'stream',
        gateway: { prepare: setting('streaming', 'off') },
        send: to(path, { model: 'priced', ...asking, stream: true }),
      },
      {
        ...base,
        code: 'insufficient_credit',
        status: 402,
        gateway: { usd: '0.000001' },
        send: to(path, { model: 'priced', ...asking }),
      },
    ]
  }),
  ...(
    [
      ['missing_prompt', 'no prompt', { prompt: '' }, 'prompt'],
      ['prompt_too_long', '4001 characters', { prompt: 'آ'.repeat(4001) }, 'prompt'],
      ['invalid_seconds', 'seconds that it does not make', { seconds: '5' }, 'seconds'],
      ['invalid_size', 'a size that it does not make', { size: '640x480' }, 'size'],
      ['invalid_field', 'seconds that are none', { seconds: true }, 'seconds'],
    ] as const
  ).map(([code, how, rest, param]): Case => ({
    code,
    how: `a video of ${how}`,
    status: 400,
    param,
    keyed: true,
    apart: true,
    send: to('/videos', { model: 'sandbox/video-priced', prompt: 'sea', ...rest }),
  })),
  ...(['GET', 'DELETE'] as const).map((method): Case => ({
    code: 'video_not_found',
    how: `${method} of a video that is not there`,
    status: 404,
    param: 'id',
    keyed: true,
    apart: true,
    send: ({ url, key }, headers) =>
      fetch(`${url}/videos/vid_none`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...headers },
      }),
  })),
  {
    code: 'gateway_error',
    how: 'books that are closed',
    status: 503,
    keyed: true,
    arrange: ({ gateway }) => gateway.parts.ledger.close(),
  },
]

/** Codes that no endpoint of today can raise, and the first endpoint that will. */
export const later: Readonly<Partial<Record<ErrorCode, string>>> = {}
