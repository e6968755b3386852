/** The sandbox's models of videos, by what becomes of their jobs. */
export const films = {
  video: 'Makes a real MP4 in two seconds, with a thumbnail and a sprite sheet.',
  'video-failed': 'Takes the job, and fails it after a second by its rules.',
  'video-stalled': 'Takes the job, and never gets further than 40 %.',
  'video-lost': 'Takes the job, and then knows nothing of it.',
  'video-refused': 'Refuses every job at once.',
} as const
export type SandboxFilm = keyof typeof films

export const filmNames = Object.keys(films) as readonly SandboxFilm[]

export const isFilm = (name: unknown): name is SandboxFilm =>
  typeof name === 'string' && Object.hasOwn(films, name)

export const filmSizes = ['1280x720', '720x1280', '1792x1024', '1024x1792'] as const
