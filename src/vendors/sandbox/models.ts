import type { Ms } from '../../domain/clock'
import {
  reasoningEfforts,
  type ModelEntry,
  type PriceLine,
  type VendorConfig,
} from '../../domain/model'
import { filmNames, films, filmSizes, type SandboxFilm } from './films'
import { brokenConnections, faults } from './faults'

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

const descriptions: Readonly<Record<string, string>> = {
  echo: 'Says again what it is told; calls tools, fills JSON schemas and reasons when asked to.',
  slow: 'As echo, but a word every 50 ms, or a second for a whole answer.',
}

function entry(vendorModel: string, isPriced: boolean): ModelEntry {
  const id = `sandbox/${vendorModel}${isPriced ? '-priced' : ''}`
  const fault = vendorModel.startsWith('error-') ? vendorModel.slice('error-'.length) : null
  return {
    id,
    type: 'chat',
    name: `Sandbox ${vendorModel}${isPriced ? ' (priced)' : ''}`,
    ownedBy: 'sandbox',
    description: descriptions[vendorModel] ?? `Fails with ${fault}.`,
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

const filmPrices: readonly PriceLine[] = [
  { meter: 'video_second:1280x720', unit: 'each', price: '0.1' },
  { meter: 'video_second:720x1280', unit: 'each', price: '0.1' },
  { meter: 'video_second:1792x1024', unit: 'each', price: '0.3' },
  { meter: 'video_second:1024x1792', unit: 'each', price: '0.3' },
]

/** A model of videos. */
const filming = (vendorModel: SandboxFilm, isPriced: boolean): ModelEntry => ({
  ...entry(vendorModel, isPriced),
  type: 'video',
  description: films[vendorModel],
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { sizes: filmSizes, seconds: ['4', '8', '12'], vision: true },
  traits: {},
  card: {
    version: 'sandbox-1',
    validFrom: started,
    lines: isPriced ? filmPrices : [{ meter: 'video_second', unit: 'each', price: '0' }],
  },
})

const failing = [...Object.keys(faults), ...brokenConnections].map((fault) => `error-${fault}`)

/** Free models for every behaviour and every failure, and priced twins for tests of billing. */
export const sandboxModels: readonly ModelEntry[] = [
  ...['echo', 'slow', ...failing].map((model) => entry(model, false)),
  ...['echo', 'slow', 'error-stream_interrupted', 'error-upstream_error'].map((model) =>
    entry(model, true),
  ),
  embedding(false),
  embedding(true),
  moderation,
  drawing(false),
  drawing(true),
  ...filmNames.flatMap((name) => [filming(name, false), filming(name, true)]),
]
