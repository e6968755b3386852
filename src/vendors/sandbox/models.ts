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
import { sandboxModel } from './sandbox-model'

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

const failsWith = (fault: string): string => `Fails with ${fault.slice('error-'.length)}.`

const descriptions: Readonly<Record<string, string>> = {
  echo: 'Says again what it is told; calls tools, fills JSON schemas and reasons when asked to.',
  slow: 'As echo, but a word every 50 ms, or a second for a whole answer.',
}

const talking = (name: string, isPriced: boolean): ModelEntry =>
  sandboxModel({
    name,
    isPriced,
    type: 'chat',
    description: descriptions[name] ?? failsWith(name),
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

/** A model that writes down recordings, or fails to. @param fault null for none */
const listening = (isPriced: boolean, fault: string | null = null): ModelEntry =>
  sandboxModel({
    name: fault === null ? 'listen' : `listen-error-${fault}`,
    isPriced,
    type: 'audio_stt',
    description:
      fault === null
        ? 'Hears a sentence every four seconds: the same ones in the same recording.'
        : `Fails with ${fault} whatever it hears.`,
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
const composing = (name: string, isPriced: boolean, description: string): ModelEntry =>
  sandboxModel({
    name,
    isPriced,
    type: 'music',
    description,
    capabilities: { formats: ['mp3'] },
    lines: [{ meter: 'request', unit: 'each', price: isPriced ? '0.04' : '0' }],
  })

const spoken = 'Real audio of a tone a word, in every format: the same for the same text and voice.'
const composed = 'A real MP3 file of some seconds: the same for the same prompt and seed.'

const failing = [...Object.keys(faults), ...brokenConnections].map((fault) => `error-${fault}`)

/** Free models for every behaviour and every failure, and priced twins for tests of billing. */
export const sandboxModels: readonly ModelEntry[] = [
  ...['echo', 'slow', ...failing].map((model) => talking(model, false)),
  ...['echo', 'slow', 'error-stream_interrupted', 'error-upstream_error'].map((model) =>
    talking(model, true),
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
