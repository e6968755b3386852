import type { EndpointName } from './model'

const megabyte = 1_048_576

/** Kinds of answers that are read whole: of every endpoint, and what vendors tell beside them. */
export type AnswerFamily =
  Exclude<EndpointName, 'realtime'> | 'token count' | 'video job' | 'failure'

/** Content of an answer beyond the usual. */
interface AnswerSize {
  /** Number of pictures or vectors of the request. */
  readonly count?: number
  /** Pictures or sound may stand between its words. */
  readonly hasMedia?: boolean
}

/** Bytes that an answer may have. */
interface AnswerCeiling {
  readonly bytes: number
  /** With pictures or sound in it. */
  readonly media?: number
  /** Of each picture or vector, where that comes to more. */
  readonly each?: number
}

/** Text alone never comes near; the longest ones hold the probability of each token. */
const text: AnswerCeiling = { bytes: 16 * megabyte, media: 64 * megabyte }
/** Seven hours with the time of each word are half of it. */
const transcript: AnswerCeiling = { bytes: 16 * megabyte }

/** Most that is read of a vendor's whole answer: one without an end must not fill the memory. */
const ceilings: Readonly<Record<AnswerFamily, AnswerCeiling>> = {
  chat: text,
  messages: text,
  responses: text,
  compact: text,
  completions: text,
  // A vector of 4096 numbers has 86 KB in decimal digits.
  embeddings: { bytes: 64 * megabyte, each: 98_304 },
  moderations: { bytes: 16 * megabyte },
  images: { bytes: 64 * megabyte, each: 64 * megabyte },
  transcriptions: transcript,
  translations: transcript,
  // The longest text, spoken slowly, twice.
  speech: { bytes: 64 * megabyte },
  // Four minutes of two channels without compression, in base64.
  music: { bytes: 64 * megabyte },
  videos: { bytes: megabyte },
  'video job': { bytes: megabyte },
  'token count': { bytes: 65_536 },
  failure: { bytes: 65_536 },
}

/** Most bytes of a whole answer. */
export function maxAnswerBytes(
  family: AnswerFamily,
  { count = 1, hasMedia = false }: AnswerSize = {},
): number {
  const { bytes, media = bytes, each = 0 } = ceilings[family]
  return Math.max(hasMedia ? media : bytes, each * count)
}
