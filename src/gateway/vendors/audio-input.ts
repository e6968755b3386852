import type { Traits } from '../../domain/model'
import type { AudioBody, AudioTask } from '../formats/transcripts/schema'

/** Transcription request. */
export interface AudioQuestion {
  readonly task: AudioTask
  /** As the client asked for it. */
  readonly model: string
  readonly traits: Traits
  readonly body: AudioBody
  readonly file: {
    readonly filename: string
    readonly contentType: string
    /** By its own bytes; null when they do not tell. */
    readonly seconds: number | null
  }
  /** Forms of answer that the model has; undefined when the catalogue does not know. */
  readonly formats: readonly string[] | undefined
  /** Stands nowhere in the recording. */
  readonly boundary: string
}

/** A request with the recording somewhere in its body. */
export interface AudioRequest {
  readonly path: string
  readonly contentType: string
  /** Text as it is; the recording as it is or in base64. */
  readonly body: readonly (string | { readonly file: 'bytes' | 'base64' })[]
}
