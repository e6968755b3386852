import { ephemeralKey, generousTerms } from '../business/accounts/ephemeral-account'
import { systemClock, systemMonotonic, systemRandom } from '../domain/clock'
import { openLog } from '../gateway/observability/log'
import { openObserving } from '../gateway/observability/observing'
import { fetchOnce } from '../gateway/outbound/fetch-once'
import { openStorage } from '../business/data/open'
import type { Storage } from '../business/data/storage'
import { noDiscovery } from '../gateway/vendors/discover'
import { keyPrefix, readConfig } from './config'
import { openDoors } from './listeners/listeners'
import { closeAll } from './process/drain'
import { openGateway } from './gateway'
import { openPaymentService } from './composition/payment-service'

const model = 'warm-up'
/** A model of the sandbox that costs something. */
const answeredBy = 'sandbox/echo'
const loopback = '127.0.0.1'
const messages = [{ role: 'user', content: 'Say this again, word by word.' }] as const

/** Calls of each format that clients speak, whole and streamed. */
const calls: readonly (readonly [path: string, body: object])[] = [
  ['chat/completions', { messages }],
  ['chat/completions', { messages, stream: true }],
  ['messages', { messages, max_tokens: 64 }],
  ['messages', { messages, max_tokens: 64, stream: true }],
  ['responses', { input: messages[0].content }],
  ['responses', { input: messages[0].content, stream: true }],
]

/** By then functions on the way of a call are compiled; a slow machine stops before. */
const rounds = 40
const atOnce = 4
const maxMs = 3000

/**
 * Plays calls of every text format on a gateway in memory, whose vendor is that gateway itself, so that the first calls
 * of customers do not wait until their code is compiled. Nothing of it is kept, logged or counted.
 */
export async function warmUp(): Promise<void> {
  const config = readConfig({
    CHAPAR_LOG: 'silent',
    CHAPAR_WEB: '0',
    CHAPAR_SANDBOX: 'on',
    CHAPAR_OVERLOAD_LAG: '0',
    CHAPAR_ADDRESS_RPM: '1000000',
  })
  const storage = openStorage({ folder: null, exclusive: true, clock: systemClock })
  const log = openLog('silent')
  const observing = openObserving({ metrics: null, traces: null })
  const system = { clock: systemClock, monotonic: systemMonotonic, random: systemRandom }
  const given = { ...system, config, storage, discovery: noDiscovery, log, observing }
  const gateway = await openGateway(given)
  const payments = openPaymentService({ ...given, gateway })
  const parts = { ...given, describeCommands: () => '', payments, metrics: null }
  const { server } = openDoors(gateway, parts, { host: loopback, port: 0 })
  try {
    const terms = { ...generousTerms, requestsPerMinute: 1_000_000 }
    const key = await ephemeralKey(storage, keyPrefix(config.services[0]), terms)
    await sell(storage, server.url, key)
    await gateway.reloadCatalogue()
    await play(`${server.url}/v1`, key)
  } finally {
    await closeAll({ server, gateway, storage, watching: observing })
  }
}

/** Sells a model that this gateway answers by itself, over HTTP. */
async function sell({ catalogue }: Storage, url: string, key: string): Promise<void> {
  await catalogue.saveVendor({
    name: model,
    kind: 'openai',
    dialect: 'generic',
    baseUrl: `${url}/v1`,
    credential: key,
    timeoutMs: maxMs,
    transport: 'own',
    active: true,
    source: 'command',
  })
  await catalogue.saveModel(
    {
      id: model,
      type: 'chat',
      name: model,
      ownedBy: model,
      description: null,
      contextLength: 128_000,
      maxOutputTokens: 4096,
      capabilities: { streaming: true, tools: true },
      traits: {},
      isFree: false,
      status: 'active',
      routes: [{ vendor: model, vendorModel: answeredBy, priority: 0, weight: 1 }],
    },
    [
      { meter: 'input', unit: 'million', price: '1.5' },
      { meter: 'output', unit: 'million', price: '6' },
    ],
  )
}

async function play(url: string, key: string): Promise<void> {
  const until = performance.now() + maxMs
  let left = rounds
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const playRounds = async () => {
    while (left-- > 0 && performance.now() < until)
      for (const [path, body] of calls) {
        const response = await fetchOnce(`${url}/${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ model, ...body }),
        })
        await response.arrayBuffer()
      }
  }
  await Promise.all(Array.from({ length: atOnce }, playRounds))
}
