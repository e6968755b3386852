import type { Ms } from '../../domain/clock'
import {
  reasoningEfforts,
  type ModelEntry,
  type PriceLine,
  type VendorConfig,
} from '../../domain/model'
import { audioFormats } from '../../formats/speech/audio-format'
import { brokenConnections, faults } from './faults'
import { filmModels } from './film-models'
import { realtimeModels } from './realtime-models'

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
  marginPercent: '0',
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

const started = 1_760_000_000_000 as Ms

const failsWith = (fault: string): string => `Fails with ${fault.slice('error-'.length)}.`

const descriptions: Readonly<Record<string, string>> = {
  echo: 'Says again what it is told; calls tools, fills JSON schemas and reasons when asked to.',
  slow: 'As echo, but a word every 50 ms, or a second for a whole answer.',
}

function entry(vendorModel: string, isPriced: boolean): ModelEntry {
  const id = `sandbox/${vendorModel}${isPriced ? '-priced' : ''}`
  return {
    id,
    type: 'chat',
    name: `Sandbox ${vendorModel}${isPriced ? ' (priced)' : ''}`,
    ownedBy: 'sandbox',
    description: descriptions[vendorModel] ?? failsWith(vendorModel),
    contextLength: 128_000,
    maxOutputTokens,
    capabilities: { streaming: true, tools: true, json: true, vision: true, reasoning: true },
    traits: { efforts: reasoningEfforts },
    isFree: !isPriced,
    created: started,
    status: 'active',
    card: { version: 'sandbox-1', validFrom: started, lines: isPriced ? priced : free },
    routes: [{ vendor: 'sandbox', vendorModel, priority: 0, weight: 1 }],
  }
}

/** A model of vectors: a word is a token. */
const embedding = (isPriced: boolean): ModelEntry => ({
  ...entry('embed', isPriced),
  type: 'embedding',
  description: 'Unit vectors: the same for the same text, near for texts with words in common.',
  contextLength: 8192,
  maxOutputTokens: null,
  capabilities: {},
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: [{ meter: 'input', unit: 'million', price: isPriced ? '1.5' : '0' }],
  },
})

/** A judge that flags the words for its categories. */
const moderation: ModelEntry = {
  ...entry('moderate', false),
  type: 'moderation',
  description: 'Flags texts that name a category: hate, violence, self-harm …',
  contextLength: null,
  maxOutputTokens: null,
  capabilities: {},
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: [{ meter: 'request', unit: 'each', price: '0' }],
  },
}

/** A model of pictures. */
const drawing = (isPriced: boolean): ModelEntry => ({
  ...entry('draw', isPriced),
  type: 'image',
  description: 'Real PNG files of two colours: the same ones for the same prompt.',
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { sizes: ['256x256', '512x512', '1024x1024'], formats: ['png'] },
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: isPriced
      ? [
          { meter: 'image:low', unit: 'each', price: '0.01' },
          { meter: 'image:high', unit: 'each', price: '0.08' },
          { meter: 'image:high 1024x1024', unit: 'each', price: '0.16' },
          { meter: 'image:auto', unit: 'each', price: '0.08' },
        ]
      : [{ meter: 'image', unit: 'each', price: '0' }],
  },
})

/** A model that writes down recordings, or fails to. @param fault null for none */
const listening = (isPriced: boolean, fault: string | null = null): ModelEntry => ({
  ...entry(fault === null ? 'listen' : `listen-error-${fault}`, isPriced),
  type: 'audio_stt',
  description:
    fault === null
      ? 'Hears a sentence every four seconds: the same ones in the same recording.'
      : `Fails with ${fault} whatever it hears.`,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { formats: ['json', 'text', 'srt', 'vtt', 'verbose_json'], translation: true },
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: [{ meter: 'audio_second', unit: 'minute', price: isPriced ? '0.006' : '0' }],
  },
})

const voices = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(
  ' ',
)

/** A voice of tones. */
const speaking = (name: string, isPriced: boolean, description: string): ModelEntry => ({
  ...entry(name, isPriced),
  type: 'audio_tts',
  description,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { streaming: true, voices, formats: audioFormats },
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: [{ meter: 'character', unit: 'million', price: isPriced ? '15' : '0' }],
  },
})

/** A composer of tones. */
const composing = (name: string, isPriced: boolean, description: string): ModelEntry => ({
  ...entry(name, isPriced),
  type: 'music',
  description,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { formats: ['mp3'] },
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: [{ meter: 'request', unit: 'each', price: isPriced ? '0.04' : '0' }],
  },
})

const spoken = 'Real audio of a tone a word, in every format: the same for the same text and voice.'
const composed = 'A real MP3 file of some seconds: the same for the same prompt and seed.'

const failing = [...Object.keys(faults), ...brokenConnections].map((fault) => `error-${fault}`)

/** Free models for every behaviour and every failure, and priced twins for tests of billing. */
export const sandboxModels: readonly ModelEntry[] = [
  ...['echo', 'slow', ...failing].map((model) => entry(model, false)),
  ...['echo', 'slow', 'error-stream_interrupted', 'error-upstream_error'].map((model) =>
    entry(model, true),
  ),
  ...filmModels,
  ...realtimeModels,
  embedding(false),
  embedding(true),
  moderation,
  drawing(false),
  drawing(true),
  listening(false),
  listening(true),
  ...[...Object.keys(faults), 'upstream_unreachable', 'timeout'].map((fault) =>
    listening(false, fault),
  ),
  listening(true, 'upstream_error'),
  speaking('speak', false, spoken),
  speaking('speak', true, spoken),
  speaking('speak-slow', false, 'As speak, but a tone every 50 ms.'),
  speaking('speak-slow', true, 'As speak, but a tone every 50 ms.'),
  ...failing.map((fault) => speaking(`speak-${fault}`, false, failsWith(fault))),
  ...['error-stream_interrupted', 'error-upstream_error'].map((fault) =>
    speaking(`speak-${fault}`, true, failsWith(fault)),
  ),
  composing('compose', false, composed),
  composing('compose', true, composed),
  ...failing
    .filter((fault) => fault !== 'error-stream_interrupted')
    .map((fault) => composing(`compose-${fault}`, false, failsWith(fault))),
]
