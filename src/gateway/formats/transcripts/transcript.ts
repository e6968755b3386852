import type { Units } from '../../../domain/usage'
import type { Fields } from '../../json/fields'

/** Places in a recording are seconds from its start. */
interface Span {
  readonly start: number
  readonly end: number
}

/** A passage of a transcript. */
export interface Segment extends Span {
  readonly text: string
  /** Speaker label, where the vendor tells speakers apart. */
  readonly speaker?: string
  /** All that a vendor of the reference format tells of it. */
  readonly reported?: Fields
}

/** A word of a transcript. */
export interface Word extends Span {
  readonly word: string
  readonly speaker?: string
}

/**
 * Usage as a vendor counted it: `TranscriptTextUsageTokens` or `TranscriptTextUsageDuration` of
 * openai/openai-openapi.
 */
export type AudioUsage =
  | { readonly kind: 'seconds'; readonly seconds: number }
  | {
      readonly kind: 'tokens'
      readonly units: Units
      /** As the reference tells it; made up where the vendor speaks otherwise. */
      readonly reported: Fields
    }

/** Transcript of a recording, whatever the vendor. */
export interface Transcript {
  readonly text: string
  /** Code or English name, as the vendor says; null where it does not. */
  readonly language: string | null
  /** How long the recording is; null where the vendor does not tell. */
  readonly seconds: number | null
  readonly segments: readonly Segment[]
  readonly words: readonly Word[]
  readonly usage: AudioUsage | null
  /** How likely each token was, in the reference shape. */
  readonly logprobs?: unknown
}

/** Last second of a transcript; 0 without any times. */
export const lastSecond = ({ segments, words }: Transcript): number =>
  Math.max(0, segments.at(-1)?.end ?? 0, words.at(-1)?.end ?? 0)
