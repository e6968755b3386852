import type { Ms } from './clock'
import type { AccountId, KeyId, ProjectId, RequestId } from './ids'
import type { EndpointName } from './model'
import type { Span } from './reports/report'

/** Stands for the sources of all strangers that there was no room for. */
export const otherSources = '*'

/**
 * Calls that were refused before money was held for them: of one key, or of strangers from one
 * source, with one code, within one minute.
 */
export interface RefusedCalls {
  /** The minute's beginning. */
  readonly minute: Ms
  readonly code: string
  /** Null: no key of ours was sent, as is `account` and `project` then. */
  readonly key: KeyId | null
  readonly project: ProjectId | null
  readonly account: AccountId | null
  /** Address or IPv6 prefix of strangers, or `otherSources`; empty for a known key. */
  readonly source: string
  readonly count: number
  /** Of the last of them. */
  readonly endpoint: EndpointName | null
  readonly address: string
  readonly request: RequestId
  readonly time: Ms
}

/** Query over refused calls. Null: of any. */
interface RefusalQuery extends Span {
  readonly account: AccountId | null
  readonly project: ProjectId | null
  readonly key: KeyId | null
}

/** The newest refusals; those before them are forgotten. */
export interface RefusalStore {
  /** Adds to the lines that are there, all or nothing. */
  add(lines: readonly RefusedCalls[]): Promise<void>
  /** Newest first. */
  list(query: RefusalQuery): Promise<readonly RefusedCalls[]>
}
