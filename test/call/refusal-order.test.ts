import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { endpoints } from '../../src/gateway/catalogue/endpoints'
import type { EndpointName, PriceLine } from '../../src/domain/model'
import { parseUsd, zeroUsd } from '../../src/domain/money'
import { addCustomer, openTestGateway, type Customer, type TestGateway } from '../support/gateway'
import { sandboxModels } from '../support/sandbox-models'
import { secondOfSilence } from '../support/silence'

let chapar: TestGateway

beforeAll(async () => {
  chapar = await openTestGateway({
    async prepare({ catalogue }) {
      for (const [name, { type }] of Object.entries(endpoints))
        await catalogue.saveModel(
          {
            id: `priced-${name}`,
            type,
            name,
            ownedBy: 'sandbox',
            description: null,
            contextLength: 128_000,
            maxOutputTokens: 16_384,
            capabilities: { streaming: true, voices: ['alloy'], translation: true },
            traits: name === 'realtime' ? { realtime: true } : {},
            isFree: false,
            status: 'active',
            routes: [
              {
                vendor: 'sandbox',
                vendorModel: sandboxModels[name as EndpointName],
                priority: 0,
                weight: 1,
              },
            ],
          },
          lines,
        )
    },
  })
})
afterAll(() => chapar.close())

const lines: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '1000' },
  { meter: 'output', unit: 'million', price: '1000' },
  { meter: 'cached_input', unit: 'million', price: '1000' },
  { meter: 'input_audio', unit: 'million', price: '1000' },
  { meter: 'cached_input_audio', unit: 'million', price: '1000' },
  { meter: 'output_audio', unit: 'million', price: '1000' },
  { meter: 'input_image', unit: 'million', price: '1000' },
  { meter: 'request', unit: 'each', price: '1' },
  { meter: 'image', unit: 'each', price: '1' },
  { meter: 'audio_second', unit: 'minute', price: '1' },
  { meter: 'character', unit: 'million', price: '1000' },
  { meter: 'video_second', unit: 'each', price: '1' },
]

const said = { messages: [{ role: 'user', content: 'hello' }] }
/** The least that each endpoint takes, and whether it can stream. */
const bodies: Readonly<
  Record<EndpointName, { readonly least: object; readonly streams: boolean }>
> = {
  realtime: { least: {}, streams: true },
  chat: { least: said, streams: true },
  messages: { least: { ...said, max_tokens: 10 }, streams: true },
  responses: { least: { input: 'hello' }, streams: true },
  compact: { least: { input: 'hello' }, streams: false },
  completions: { least: { prompt: 'hello' }, streams: true },
  embeddings: { least: { input: 'hello' }, streams: false },
  moderations: { least: { input: 'hello' }, streams: false },
  images: { least: { prompt: 'hello' }, streams: false },
  transcriptions: { least: {}, streams: true },
  translations: { least: {}, streams: false },
  speech: { least: { input: 'hello', voice: 'alloy' }, streams: false },
  music: { least: { prompt: 'hello' }, streams: false },
  videos: { least: { prompt: 'hello' }, streams: false },
}

/** Every refusal before a vendor is asked, in their order: the earlier one is told. */
const order = [
  'missing_api_key',
  'invalid_api_key',
  'api_key_disabled',
  'account_suspended',
  'project_inactive',
  'ip_not_allowed',
  'gateway_disabled',
  'concurrency_limit',
  'rate_limit_exceeded',
  'bad body',
  'streaming_disabled',
  'model_not_found',
  'model_not_allowed',
  'key_spend_limit_reached',
  'project_budget_exceeded',
  'daily_cap_reached',
  'kyc_required',
  'insufficient_credit',
] as const
type Fault = (typeof order)[number]

/** Makes what stands behind a key as these faults have it. */
async function arrange(customer: Customer, faults: ReadonlySet<Fault>): Promise<void> {
  const { storage, gateway } = chapar
  const { directory, settings } = storage
  const cap = (fault: Fault) => (faults.has(fault) ? zeroUsd : null)
  const project = (await directory.findKey(customer.keyId))?.project
  if (project === undefined) throw new Error('no such key')
  await directory.setAccount(customer.account, {
    status: faults.has('account_suspended') ? 'suspended' : 'active',
    concurrency: faults.has('concurrency_limit') ? 0 : 10,
    verified: !faults.has('kyc_required'),
    dailyCap: cap('daily_cap_reached'),
  })
  await directory.setProject(project, {
    active: !faults.has('project_inactive'),
    monthlyBudget: cap('project_budget_exceeded'),
    allowedModels: faults.has('model_not_allowed') ? ['none/*'] : null,
  })
  await directory.setKey(customer.keyId, {
    state: faults.has('api_key_disabled') ? 'disabled' : 'active',
    spendLimit: cap('key_spend_limit_reached'),
    allowedAddresses: faults.has('ip_not_allowed') ? ['192.0.2.1'] : null,
    requestsPerMinute: faults.has('rate_limit_exceeded') ? 1 : null,
  })
  await settings.set('gateway', faults.has('gateway_disabled') ? 'off' : 'on')
  await settings.set('streaming', faults.has('streaming_disabled') ? 'off' : 'on')
  await settings.set('kyc-ceiling', faults.has('kyc_required') ? '0' : '2')
  await gateway.reloadSettings()
  gateway.parts.identity.expire()
}

/** The one request of the minute is used up. */
async function useUpMinute({ key }: Customer): Promise<void> {
  const { identity, limits } = chapar.gateway.parts
  const caller = await identity.identify(key as never)
  for (let tries = 0; limits.allowance(caller, '127.0.0.1').remaining > 0 && tries < 5; tries++)
    await limits.takeRequest(caller)
}

function send(
  name: EndpointName,
  customer: Customer,
  faults: ReadonlySet<Fault>,
  dry: boolean,
  sold = `priced-${name}`,
) {
  const { least, streams } = bodies[name]
  const key = faults.has('invalid_api_key') ? 'sk-chapar-v1-wrong' : customer.key
  const headers: Record<string, string> = {
    ...(faults.has('missing_api_key') ? {} : { authorization: `Bearer ${key}` }),
    ...(dry ? { 'x-dry-run': '1' } : {}),
  }
  const model = faults.has('model_not_found') ? 'nobody/sells-this' : sold
  const path = endpoints[name].path.replace('/v1', '')
  const isBad = faults.has('bad body')
  if (name === 'realtime') {
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    }
    const query = isBad ? '' : `?model=${model}`
    return fetch(`${chapar.url}${path}${query}`, {
      headers: { ...headers, ...(dry ? {} : upgrade) },
    })
  }
  if (name === 'transcriptions' || name === 'translations') {
    const form = new FormData()
    if (!isBad) form.append('model', model)
    if (streams) form.append('stream', 'true')
    form.append('file', new Blob([secondOfSilence]), 'recording.wav')
    return fetch(chapar.url + path, { method: 'POST', headers, body: form })
  }
  const body = isBad
    ? '{"model":'
    : JSON.stringify({ model, ...least, ...(streams ? { stream: true } : {}) })
  return fetch(chapar.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  })
}

const errorCode = async (response: Response): Promise<string> => {
  const { error } = (await response.json()) as {
    readonly error?: { readonly code?: string | null }
  }
  return response.status === 400 && error?.code !== 'streaming_disabled'
    ? 'bad body'
    : (error?.code ?? `status ${response.status}`)
}

/** The Messages format knows types of errors alone; ours go along as a header. */
async function codeOf(response: Response): Promise<string> {
  const code = response.headers.get('x-error-code')
  return code ?? errorCode(response)
}

describe('a call with every fault at once is refused for the earliest', () => {
  test.each(Object.keys(endpoints) as EndpointName[])('%s', async (name) => {
    const customer = await addCustomer(chapar.storage, { usd: '0', account: { verified: false } })
    const expected = order.filter((fault) => fault !== 'streaming_disabled' || bodies[name].streams)
    const left = new Set<Fault>(expected)
    const seen: string[] = []
    for (const fault of expected) {
      await arrange(customer, left)
      if (fault === 'rate_limit_exceeded') await useUpMinute(customer)
      seen.push(await codeOf(await send(name, customer, left, false)))
      left.delete(fault)
    }
    expect(seen).toEqual([...expected])

    await chapar.storage.directory.deposit({
      account: customer.account,
      amount: parseUsd('1000'),
      kind: 'topup',
      reference: `order-${name}`,
    })
    await arrange(customer, left)
    chapar.gateway.parts.ledger.refresh()
    const dry = await send(name, customer, left, true)
    expect(dry.status).toBe(200)
    expect(await dry.json()).toMatchObject({ object: 'dry_run', model: `priced-${name}` })
    expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
  })
})

describe('an unverified account that has spent all that it may', () => {
  const none: ReadonlySet<Fault> = new Set()
  const beyond: ReadonlySet<Fault> = new Set(['kyc_required'])

  test.each(Object.keys(endpoints) as EndpointName[])(
    'is refused free models too: %s',
    async (name) => {
      const customer = await addCustomer(chapar.storage, {
        usd: '10',
        account: { verified: false },
      })
      const free = `sandbox/${sandboxModels[name]}`
      await arrange(customer, beyond)
      for (const dry of [false, true]) {
        const response = await send(name, customer, none, dry, free)
        expect([response.status, await codeOf(response)]).toEqual([403, 'kyc_required'])
      }
      expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })

      await arrange(customer, none)
      expect((await send(name, customer, none, true, free)).status).toBe(200)
    },
  )
})
