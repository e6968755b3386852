import type { ModelEntry, PriceLine } from '../../domain/model'
import { sandboxModel } from './sandbox-model'

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

const conversing = (isPriced: boolean): ModelEntry =>
  sandboxModel({
    name: 'realtime',
    isPriced,
    type: 'chat',
    description: 'Over the realtime channel: says again what it is told, in words and tones.',
    contextLength: 128_000,
    capabilities: { streaming: true, tools: true, audio_input: true, realtime: true },
    traits: { realtime: true },
    lines: lines(isPriced),
  })

/** Conversations, free and with prices. */
export const realtimeModels: readonly ModelEntry[] = [conversing(false), conversing(true)]
