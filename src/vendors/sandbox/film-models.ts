import type { Ms } from '../../domain/clock'
import type { ModelEntry, PriceLine } from '../../domain/model'
import { filmNames, films, filmSizes, type SandboxFilm } from './films'

const prices: readonly PriceLine[] = [
  { meter: 'video_second:1280x720', unit: 'each', price: '0.1' },
  { meter: 'video_second:720x1280', unit: 'each', price: '0.1' },
  { meter: 'video_second:1792x1024', unit: 'each', price: '0.3' },
  { meter: 'video_second:1024x1792', unit: 'each', price: '0.3' },
]
const free: readonly PriceLine[] = [{ meter: 'video_second', unit: 'each', price: '0' }]

const started = 1_760_000_000_000 as Ms

const entry = (vendorModel: SandboxFilm, isPriced: boolean): ModelEntry => ({
  id: `sandbox/${vendorModel}${isPriced ? '-priced' : ''}`,
  type: 'video',
  name: `Sandbox ${vendorModel}${isPriced ? ' (priced)' : ''}`,
  ownedBy: 'sandbox',
  description: films[vendorModel],
  contextLength: null,
  maxOutputTokens: null,
  capabilities: { sizes: filmSizes, seconds: ['4', '8', '12'], vision: true },
  traits: {},
  isFree: !isPriced,
  created: started,
  status: 'active',
  card: { version: 'sandbox-1', validFrom: started, lines: isPriced ? prices : free },
  routes: [{ vendor: 'sandbox', vendorModel, priority: 0, weight: 1 }],
})

/** Videos, free and with prices, and those that end otherwise. */
export const filmModels: readonly ModelEntry[] = filmNames.flatMap((name) => [
  entry(name, false),
  entry(name, true),
])
