import type { Ms } from './clock'

/**
 * `command:ali`, `person:7`, `operator:sara`, `operator-key:` and the beginning of a key, or `service`
 * for what the program does by itself.
 */
export type Actor =
  | `command:${string}`
  | `person:${number}`
  | `operator:${string}`
  | `operator-key:${string}`
  | 'service'

/** TrailFields of whatever was changed, as JSON; secrets as `•••`. */
export type TrailFields = Readonly<Record<string, unknown>>

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
  readonly before: TrailFields | null
  /** Same, as they are now; null where nothing is left. */
  readonly after: TrailFields | null
}

interface TrailQuery {
  /** Null for all. */
  readonly subject: string | null
  /** Null for everybody. */
  readonly who?: string | null
  /** Only lines before this one; null begins with the newest. */
  readonly before: number | null
  readonly max: number
}

/** Audit trail. Each line is written in the transaction of its change, and never edited. */
export interface Trail {
  /** Newest first. */
  list(query: TrailQuery): Promise<readonly TrailLine[]>
  find(id: number): Promise<TrailLine | null>
}

/** Looks at what is not shown to everybody; each is a line of the trail. */
export interface LookStore {
  /** @param what such as `account.phones` */
  record(subject: string, what: string): Promise<void>
}
