import type { ModelEntry, PriceLine } from '../../../domain/model'
import { sandboxModel } from './sandbox-model'

/** The sandbox's models of videos, by what becomes of their jobs. */
const films = {
  video: 'Makes a real MP4 in two seconds, with a thumbnail and a sprite sheet.',
  'video-failed': 'Takes the job, and fails it after a second by its rules.',
  'video-stalled': 'Takes the job, and never gets further than 40 %.',
  'video-lost': 'Takes the job, and then knows nothing of it.',
  'video-refused': 'Refuses every job at once.',
} as const
export type SandboxFilm = keyof typeof films

const filmNames = Object.keys(films) as readonly SandboxFilm[]

export const isFilm = (name: unknown): name is SandboxFilm =>
  typeof name === 'string' && Object.hasOwn(films, name)

export const filmSizes = ['1280x720', '720x1280', '1792x1024', '1024x1792'] as const

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
