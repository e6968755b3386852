import {
  reasoningEfforts,
  type ModelEntry,
  type PriceLine,
  type VendorConfig,
} from '../../../domain/model'
import { audioFormats } from '../../media/audio-format'
import { filmModels } from './films'
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
const realtimeModels: readonly ModelEntry[] = [conversing(false), conversing(true)]

/** Longest answer, in words. */
export const maxOutputTokens = 16_384

/** The vendor inside the program. */
export const sandboxVendor: VendorConfig = {
  name: 'sandbox',
  kind: 'sandbox',
  dialect: 'generic',
  baseUrl: 'http://sandbox.invalid/v1',
  credential: null,
  timeoutMs: 90_000,
  transport: 'own',
  active: true,
  source: 'builtin',
}

const free: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '0' },
  { meter: 'output', unit: 'million', price: '0' },
]
const priced: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '1.5' },
  { meter: 'cached_input', unit: 'million', price: '0.75' },
  { meter: 'output', unit: 'million', price: '6' },
]

const descriptions = {
  echo: 'Says again what it is told; calls tools, fills JSON schemas and reasons when asked to.',
  slow: 'As echo, but a word every 50 ms, or a second for a whole answer.',
} as const

const talking = (name: keyof typeof descriptions, isPriced: boolean): ModelEntry =>
  sandboxModel({
    name,
    isPriced,
    type: 'chat',
    description: descriptions[name],
    contextLength: 128_000,
    maxOutputTokens,
    capabilities: { streaming: true, tools: true, json: true, vision: true, reasoning: true },
    traits: { efforts: reasoningEfforts },
    lines: isPriced ? priced : free,
  })

/** A model of vectors: a word is a token. */
const embedding = (isPriced: boolean): ModelEntry =>
  sandboxModel({
    name: 'embed',
    isPriced,
    type: 'embedding',
    description: 'Unit vectors: the same for the same text, near for texts with words in common.',
    contextLength: 8192,
    capabilities: {},
    lines: [{ meter: 'input', unit: 'million', price: isPriced ? '1.5' : '0' }],
  })

/** A judge that flags the words for its categories. */
const moderation = sandboxModel({
  name: 'moderate',
  isPriced: false,
  type: 'moderation',
  description: 'Flags texts that name a category: hate, violence, self-harm …',
  capabilities: {},
  lines: [{ meter: 'request', unit: 'each', price: '0' }],
})

/** A model of pictures. */
const drawing = (isPriced: boolean): ModelEntry =>
  sandboxModel({
    name: 'draw',
    isPriced,
    type: 'image',
    description: 'Real PNG files of two colours: the same ones for the same prompt.',
    capabilities: {
      streaming: true,
      sizes: ['256x256', '512x512', '1024x1024'],
      formats: ['png'],
    },
    lines: isPriced
      ? [
          { meter: 'image:low', unit: 'each', price: '0.01' },
          { meter: 'image:high', unit: 'each', price: '0.08' },
          { meter: 'image:high 1024x1024', unit: 'each', price: '0.16' },
          { meter: 'image:auto', unit: 'each', price: '0.08' },
          { meter: 'image:partial', unit: 'each', price: '0.005' },
        ]
      : [{ meter: 'image', unit: 'each', price: '0' }],
  })

/** A model that writes down recordings. */
const listening = (isPriced: boolean): ModelEntry =>
  sandboxModel({
    name: 'listen',
    isPriced,
    type: 'audio_stt',
    description: 'Hears a sentence every four seconds: the same ones in the same recording.',
    capabilities: { formats: ['json', 'text', 'srt', 'vtt', 'verbose_json'], translation: true },
    lines: [{ meter: 'audio_second', unit: 'minute', price: isPriced ? '0.006' : '0' }],
  })

const voices = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(
  ' ',
)

/** A voice of tones. */
const speaking = (name: string, isPriced: boolean, description: string): ModelEntry =>
  sandboxModel({
    name,
    isPriced,
    type: 'audio_tts',
    description,
    capabilities: { streaming: true, voices, formats: audioFormats },
    lines: [{ meter: 'character', unit: 'million', price: isPriced ? '15' : '0' }],
  })

/** A composer of tones. */
const composing = (isPriced: boolean): ModelEntry =>
  sandboxModel({
    name: 'compose',
    isPriced,
    type: 'music',
    description: 'A real MP3 file of some seconds: the same for the same prompt and seed.',
    capabilities: { formats: ['mp3'] },
    lines: [{ meter: 'request', unit: 'each', price: isPriced ? '0.04' : '0' }],
  })

const spoken = 'Real audio of a tone a word, in every format: the same for the same text and voice.'
const spokenSlowly = 'As speak, but a tone every 50 ms.'

const freeAndPriced = [false, true]

/** Free models for every behaviour, and priced twins for tests of billing. Those that fail by name are in no list. */
export const sandboxModels: readonly ModelEntry[] = [
  ...filmModels,
  ...realtimeModels,
  moderation,
  ...freeAndPriced.flatMap((isPriced) => [
    talking('echo', isPriced),
    talking('slow', isPriced),
    embedding(isPriced),
    drawing(isPriced),
    listening(isPriced),
    speaking('speak', isPriced, spoken),
    speaking('speak-slow', isPriced, spokenSlowly),
    composing(isPriced),
  ]),
]
