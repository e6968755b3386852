import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { addModel, addVendor } from '../../support/gateway'
import { openRealtimeClient } from '../../support/realtime-client'
import { refusingUrl } from '../../support/stand-in'
import { openConversing, saveVoice, type Conversing } from './conversation'

let it: Conversing
beforeAll(async () => {
  const nowhere = await refusingUrl()
  it = await openConversing({
    env: { CHAPAR_FAILED_ATTEMPTS: '1000' },
    async prepare(storage) {
      await addVendor(storage, 'gone', nowhere)
      await addModel(storage, 'chatty', ['standin'])
      await saveVoice(storage, 'unreachable', ['gone'])
      await saveVoice(storage, 'second-way', ['gone', 'standin'])
    },
  })
})
afterAll(() => it.close())
afterEach(() => it.vendor.refuse(null))

const key = (secret: string) => `openai-insecure-api-key.${secret}`
/** The address over HTTP, for what is refused before there is a socket. */
const plain = (query = '?model=voice') => `${it.chapar.url}/realtime${query}`
const handshake = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
}
const refusedWith = async (headers: Record<string, string>, query?: string) => {
  const leaving = new AbortController()
  const asked = { headers: { ...handshake, ...headers }, signal: leaving.signal }
  const response = await fetch(plain(query), asked)
  if (response.status === 101) {
    leaving.abort()
    return { status: 101, code: null, param: null }
  }
  const body = (await response.json()) as { error: { code: string | null; param: string | null } }
  return { status: response.status, code: body.error.code, param: body.error.param }
}
const bearer = (secret = it.chapar.key) => ({ authorization: `Bearer ${secret}` })

describe('a key is taken', () => {
  test.each([
    ['from Authorization', () => ({ headers: bearer() })],
    ['from X-API-Key', () => ({ headers: { 'x-api-key': it.chapar.key } })],
    ['from a sub-protocol', () => ({ protocols: ['realtime', key(it.chapar.key)] })],
    [
      'from a header before a sub-protocol',
      () => ({ headers: bearer(), protocols: ['realtime', key('sk-chapar-v1-wrong')] }),
    ],
  ])('%s', async (_, options) => {
    const client = openRealtimeClient(it.address, options())
    await client.next('session.created')
    client.close()
    await client.closed
  })

  test('and only the sub-protocol without it is answered', async () => {
    const leaving = new AbortController()
    const response = await fetch(plain(), {
      headers: { ...handshake, 'sec-websocket-protocol': `realtime, ${key(it.chapar.key)}` },
      signal: leaving.signal,
    })
    expect(response.status).toBe(101)
    expect(response.headers.get('sec-websocket-protocol')).toBe('realtime')
    expect(JSON.stringify([...response.headers])).not.toContain(it.chapar.key)
    expect(response.headers.get('x-request-id')).toStartWith('req_')
    expect(response.headers.get('x-ratelimit-limit')).not.toBeNull()
    leaving.abort()
  })

  test('and no sub-protocol is answered where none was offered', async () => {
    const client = openRealtimeClient(it.address, { headers: bearer() })
    await client.opened
    expect(client.protocol()).toBe('')
    client.close()
    await client.closed
  })
})

describe('refused before there is a socket, as an ordinary answer', () => {
  test.each([
    ['without a key', {}, 401, 'missing_api_key'],
    ['with a wrong key', bearerOf('sk-chapar-v1-wrong'), 401, 'invalid_api_key'],
  ] as const)('%s', async (_, headers, status, code) => {
    expect(await refusedWith(headers)).toMatchObject({ status, code })
  })

  test.each([
    ['without a model', '', 400, 'missing_model', 'model'],
    ['a model that is not sold', '?model=nothing', 404, 'model_not_found', 'model'],
    ['a model that only writes', '?model=chatty', 400, 'model_endpoint_mismatch', 'model'],
    ['a call of another channel', '?call_id=rtc_1', 400, null, 'call_id'],
    ['transcriptions alone', '?intent=transcription', 400, null, 'intent'],
    ['a vendor that is not there', '?model=unreachable', 502, 'upstream_unreachable', null],
  ] as const)('%s', async (_, query, status, code, param) => {
    expect(await refusedWith(bearer(), query)).toMatchObject({ status, code, param })
  })

  test.each([
    [401, 502, 'upstream_error'],
    [429, 429, 'upstream_rate_limited'],
    [500, 502, 'upstream_error'],
  ] as const)('a vendor that answers %i', async (answered, status, code) => {
    it.vendor.refuse(answered)
    expect(await refusedWith(bearer())).toMatchObject({ status, code })
  })

  test('a request that asks for no socket', async () => {
    const response = await fetch(plain(), { headers: bearer() })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: null, param: 'Upgrade' } })
  })

  test.each([
    ['another version', { 'sec-websocket-version': '8' }],
    ['no key of its own', { 'sec-websocket-key': '' }],
    ['a key of no use', { 'sec-websocket-key': 'short' }],
  ])('a handshake with %s, before money and a vendor are asked for', async (_, wrong) => {
    const before = it.vendor.sockets.length
    expect(await refusedWith({ ...bearer(), ...wrong })).toMatchObject({
      status: 400,
      param: 'Upgrade',
    })
    expect(it.vendor.sockets.length).toBe(before)
  })

  test('the form before the release', async () => {
    const beta = { ...bearer(), 'openai-beta': 'realtime=v1' }
    expect(await refusedWith(beta)).toMatchObject({ status: 400, param: 'OpenAI-Beta' })
  })

  test('a key without money, without a slot, or not for this model', async () => {
    const poor = await it.chapar.customer({ usd: '0.05' })
    expect(await refusedWith(bearer(poor.key))).toMatchObject({
      status: 402,
      code: 'insufficient_credit',
    })
    const narrow = await it.chapar.customer({ key: { allowedModels: ['chatty'] } })
    expect(await refusedWith(bearer(narrow.key))).toMatchObject({
      status: 403,
      code: 'model_not_allowed',
    })
    const alone = await it.chapar.customer({ account: { concurrency: 1 } })
    const client = it.call(alone.key)
    await client.next('session.created')
    expect(await refusedWith(bearer(alone.key))).toMatchObject({
      status: 429,
      code: 'concurrency_limit',
    })
    client.close()
    await client.closed
  })

  test('holds nothing and keeps no slot', async () => {
    it.vendor.refuse(500)
    await refusedWith(bearer())
    expect(await it.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
    expect((await it.records())[0]).toMatchObject({ status: 'error', cost: 0 as never })
    expect((await it.chapar.audit()).differences).toEqual([])
  })
})

describe('refused in a socket, for clients that can read nothing else', () => {
  const closedWith = async (secret: string, address = it.address, protocols = ['realtime']) => {
    const client = openRealtimeClient(address, { protocols: [...protocols, key(secret)] })
    const [{ error }, { code, reason }] = await Promise.all([client.next('error'), client.closed])
    return { code, reason, error: error as { code: string; type: string } }
  }

  test('each with an event and a code of its own', async () => {
    const poor = await it.chapar.customer({ usd: '0.05' })
    const narrow = await it.chapar.customer({ key: { allowedModels: ['chatty'] } })
    const address = it.address.replace('voice', 'nothing')
    expect(await closedWith('sk-chapar-v1-wrong')).toMatchObject({
      code: 4401,
      reason: 'invalid_api_key',
      error: { code: 'invalid_api_key', type: 'authentication_error' },
    })
    expect(await closedWith(poor.key)).toMatchObject({ code: 4402, reason: 'insufficient_credit' })
    expect(await closedWith(narrow.key)).toMatchObject({ code: 4403, reason: 'model_not_allowed' })
    expect(await closedWith(it.chapar.key, address)).toMatchObject({ code: 4404 })
    const beta = ['realtime', 'openai-beta.realtime-v1']
    expect(await closedWith(it.chapar.key, it.address, beta)).toMatchObject({ code: 4400 })
    it.vendor.refuse(500)
    expect(await closedWith(it.chapar.key)).toMatchObject({ code: 1011, reason: 'upstream_error' })
  })

  test('in English when the client asks for it', async () => {
    const client = openRealtimeClient(it.address, {
      headers: { 'accept-language': 'en' },
      protocols: ['realtime', key('sk-chapar-v1-wrong')],
    })
    const { error } = await client.next('error')
    expect((error as { message: string }).message).toMatch(/^[\x20-\x7e]+$/)
    await client.closed
  })

  test('wrong keys count as they do everywhere', async () => {
    const guarded = await openConversing({ env: { CHAPAR_FAILED_ATTEMPTS: '2' } })
    const codes: number[] = []
    for (let tries = 0; tries < 3; tries++) {
      const protocols = ['realtime', key('sk-chapar-v1-wrong')]
      codes.push((await openRealtimeClient(guarded.address, { protocols }).closed).code)
    }
    expect(codes).toEqual([4401, 4401, 4429])
    await guarded.close()
  })
})

test('another route is taken when a vendor gives no socket', async () => {
  const client = openRealtimeClient(it.address.replace('voice', 'second-way'), {
    headers: bearer(),
  })
  await client.next('session.created')
  client.close()
  await client.closed
  await it.chapar.rest()
  expect((await it.records())[0]).toMatchObject({ model: 'second-way', vendor: 'standin' })
})

test('a model that speaks is refused where it could only write', async () => {
  const messages = [{ role: 'user', content: 'hi' }]
  const bodies = {
    'chat/completions': { messages },
    responses: { input: 'hi' },
    messages: { messages, max_tokens: 9 },
    completions: { prompt: 'hi' },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const response = await fetch(`${it.chapar.url}/${path}`, {
      method: 'POST',
      headers: { ...bearer(), 'accept-language': 'en' },
      body: JSON.stringify({ model: 'voice', ...body }),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('of type realtime')
  }
})

test('with X-Dry-Run what would be held is told, and nothing else happens', async () => {
  const sockets = it.vendor.sockets.length
  const response = await fetch(plain(), { headers: { ...bearer(), 'x-dry-run': '1' } })
  expect(await response.json()).toMatchObject({
    object: 'dry_run',
    endpoint: 'realtime',
    hold_usd: '0.100000',
  })
  expect(it.vendor.sockets.length).toBe(sockets)
  expect(await it.chapar.rest()).toMatchObject({ held: 0, slots: 0 })
})

test('a gateway that is closed, or does not stream, opens no socket', async () => {
  const { settings } = it.chapar.storage
  const set = async (name: string, value: string) => {
    await settings.set(name, value)
    await it.chapar.gateway.reloadSettings()
  }
  await set('gateway', 'off')
  expect(await refusedWith(bearer())).toMatchObject({ status: 503, code: 'gateway_disabled' })
  await set('gateway', 'on')
  await set('streaming', 'off')
  expect(await refusedWith(bearer())).toMatchObject({ status: 400, code: 'streaming_disabled' })
  await set('streaming', 'on')
})

function bearerOf(secret: string) {
  return { authorization: `Bearer ${secret}` }
}
