import type { Ms } from '../../domain/clock'
import type { ModelEntry, PriceLine } from '../../domain/model'

const prices = {
  input: '1.5',
  cached_input: '0.75',
  output: '6',
  input_audio: '12',
  cached_input_audio: '1.2',
  output_audio: '24',
  input_image: '2',
} as const

const lines = (isPriced: boolean): readonly PriceLine[] =>
  (Object.keys(prices) as (keyof typeof prices)[]).map((meter) => ({
    meter,
    unit: 'million',
    price: isPriced ? prices[meter] : '0',
  }))

const entry = (vendorModel: string, isPriced: boolean, description: string): ModelEntry => ({
  id: `sandbox/${vendorModel}${isPriced ? '-priced' : ''}`,
  type: 'chat',
  name: `Sandbox ${vendorModel}${isPriced ? ' (priced)' : ''}`,
  ownedBy: 'sandbox',
  description,
  contextLength: 128_000,
  maxOutputTokens: null,
  capabilities: { streaming: true, tools: true, audio_input: true, realtime: true },
  traits: { realtime: true },
  isFree: !isPriced,
  created: 1_760_000_000_000 as Ms,
  status: 'active',
  card: {
    version: 'sandbox-1',
    validFrom: 1_760_000_000_000 as Ms,
    lines: lines(isPriced),
  },
  routes: [{ vendor: 'sandbox', vendorModel, priority: 0, weight: 1 }],
})

const speaks = 'Over the realtime channel: says again what it is told, in words and tones.'
const breaks = 'Over the realtime channel: drops the connection in the middle of its answer.'

/** Conversations, free and with prices, and one that breaks off. */
export const realtimeModels: readonly ModelEntry[] = [
  entry('realtime', false, speaks),
  entry('realtime', true, speaks),
  entry('realtime-error-stream_interrupted', false, breaks),
  entry('realtime-error-stream_interrupted', true, breaks),
]
