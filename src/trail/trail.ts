import type { Ms } from '../domain/clock'

/** `command:ali`, `person:7`, or `service` for what the program does by itself. */
export type Actor = `command:${string}` | `person:${number}` | 'service'

/** Fields of whatever was changed, as JSON; secrets as `•••`. */
export type Fields = Readonly<Record<string, unknown>>

/** One change. */
export interface TrailLine {
  readonly id: number
  readonly at: Ms
  readonly who: string
  /** Such as `key.set`. */
  readonly what: string
  /** Such as `key:7`. */
  readonly subject: string
  /** The fields that changed, as they were; null where there was nothing before. */
  readonly before: Fields | null
  /** Same, as they are now; null where nothing is left. */
  readonly after: Fields | null
}

export interface TrailQuery {
  /** Null for all. */
  readonly subject: string | null
  /** Only lines before this one; null begins with the newest. */
  readonly before: number | null
  readonly max: number
}

/** Who changed what. Each line is written in the transaction of its change, and never edited. */
export interface Trail {
  /** Newest first. */
  list(query: TrailQuery): Promise<readonly TrailLine[]>
}
