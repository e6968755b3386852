import type { ModelEntry, PriceLine } from '../../domain/model'
import { filmNames, films, filmSizes, type SandboxFilm } from './films'
import { sandboxModel } from './sandbox-model'

const prices: readonly PriceLine[] = [
  { meter: 'video_second:1280x720', unit: 'each', price: '0.1' },
  { meter: 'video_second:720x1280', unit: 'each', price: '0.1' },
  { meter: 'video_second:1792x1024', unit: 'each', price: '0.3' },
  { meter: 'video_second:1024x1792', unit: 'each', price: '0.3' },
]
const free: readonly PriceLine[] = [{ meter: 'video_second', unit: 'each', price: '0' }]

const filming = (name: SandboxFilm, isPriced: boolean): ModelEntry =>
  sandboxModel({
    name,
    isPriced,
    type: 'video',
    description: films[name],
    capabilities: { sizes: filmSizes, seconds: ['4', '8', '12'], vision: true },
    lines: isPriced ? prices : free,
  })

/** Videos, free and with prices, and those that end otherwise. */
export const filmModels: readonly ModelEntry[] = filmNames.flatMap((name) => [
  filming(name, false),
  filming(name, true),
])
