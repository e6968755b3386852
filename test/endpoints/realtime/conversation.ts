import { openTestGateway, type TestGateway, type TestGatewayOptions } from '../../support/gateway'
import { openRealtimeClient, type RealtimeClient } from '../../support/realtime-client'
import { openRealtimeStandIn, type RealtimeStandIn } from '../../support/realtime-stand-in'
import type { PriceLine } from '../../../src/domain/model'
import type { RecordedCall } from '../../../src/domain/reports/report'
import type { Storage } from '../../../src/business/data/storage'
import { addVendor } from '../../support/gateway'

/** Dollars per million; one token of text in costs 4 µ$. */
export const voicePrices = {
  input: '4',
  cached_input: '0.4',
  output: '16',
  input_audio: '32',
  cached_input_audio: '0.5',
  output_audio: '64',
  input_image: '5',
  cached_input_image: '0.6',
} as const

const cards: readonly PriceLine[] = (Object.keys(voicePrices) as (keyof typeof voicePrices)[]).map(
  (meter) => ({ meter, unit: 'million', price: voicePrices[meter] }),
)

/** What `turnUsage` costs in nano-dollars: 59 text, 60 cached, 9 heard, 4 cached, 30 said, 91 spoken. */
export const turnNanos = 59 * 4000 + 60 * 400 + 9 * 32_000 + 4 * 500 + 30 * 16_000 + 91 * 64_000

/** A model that speaks, at these vendors in this order. */
export async function saveVoice(
  storage: Storage,
  id: string,
  vendors: readonly string[],
): Promise<void> {
  await storage.catalogue.saveModel(
    {
      ...common,
      id,
      type: 'chat',
      name: id,
      traits: { realtime: true },
      routes: vendors.map((vendor, priority) => ({
        vendor,
        vendorModel: `vendor-${id}`,
        priority,
        weight: 1,
      })),
    },
    cards,
  )
}

const common = {
  ownedBy: 'standin',
  description: null,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { realtime: true },
  isFree: false,
  status: 'active' as const,
}

export interface Conversing {
  readonly vendor: RealtimeStandIn
  readonly chapar: TestGateway
  readonly address: string
  /** A socket with a key in the header. */
  call(key?: string, headers?: Record<string, string>): RealtimeClient
  /** Newest first, of the realtime channel. */
  records(): Promise<readonly RecordedCall[]>
  close(): Promise<void>
}

/** A gateway in front of a stand-in that speaks: models `voice`, `ears` and `seconds`. */
export async function openConversing(options: TestGatewayOptions = {}): Promise<Conversing> {
  const vendor = openRealtimeStandIn()
  const route = (vendorModel: string) => [
    { vendor: 'standin', vendorModel, priority: 0, weight: 1 },
  ]
  const chapar = await openTestGateway({
    ...options,
    async prepare(storage) {
      await addVendor(storage, 'standin', vendor.url)
      await saveVoice(storage, 'voice', ['standin'])
      const ears = { ...common, type: 'audio_stt' as const, capabilities: {}, traits: {} }
      await storage.catalogue.saveModel(
        { ...ears, id: 'ears', name: 'ears', routes: route('vendor-ears') },
        [
          { meter: 'input', unit: 'million', price: '1' },
          { meter: 'input_audio', unit: 'million', price: '3' },
          { meter: 'output', unit: 'million', price: '5' },
        ],
      )
      await storage.catalogue.saveModel(
        { ...ears, id: 'seconds', name: 'seconds', routes: route('vendor-seconds') },
        [{ meter: 'audio_second', unit: 'minute', price: '0.006' }],
      )
      await options.prepare?.(storage)
    },
  })
  const address = `${chapar.url.replace('http', 'ws')}/realtime?model=voice`
  return {
    vendor,
    chapar,
    address,
    call: (key = chapar.key, headers = {}) =>
      openRealtimeClient(address, { headers: { authorization: `Bearer ${key}`, ...headers } }),
    async records() {
      await chapar.gateway.parts.ledger.flush()
      const any = { account: null, project: null, key: null, model: null, status: null, most: 100 }
      const to = 9e15 as never
      return (await chapar.storage.reports.calls({ from: 0 as never, to, ...any })).filter(
        ({ endpoint }) => endpoint === 'realtime',
      )
    },
    async close() {
      await chapar.close()
      await vendor.close()
    },
  }
}
