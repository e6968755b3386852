import type { ProjectId, RequestId } from './ids'
import type { CallOpening } from './record'
import type { NanoUsd } from './money'
import type { Units } from './usage'

/** A call as it is on record. */
export interface RecordedCall extends Omit<CallOpening, 'address' | 'id'> {
  readonly id: RequestId
  readonly status: 'pending' | 'success' | 'error' | 'cancelled'
  readonly units: Units
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly reasoningTokens: number
  /** Counted by us because the vendor did not tell. */
  readonly estimated: boolean
  readonly cost: NanoUsd
  /** What was set aside when it ended; nothing is known of it while it runs. */
  readonly held: NanoUsd
  readonly vendor: string | null
  readonly vendorModel: string | null
  readonly error: string | null
  readonly latencyMs: number | null
  readonly firstByteMs: number | null
}

/** What calls came to, over a day or for a model. */
export interface UsageSum {
  /** The day, `YYYY-MM-DD`, or the model. */
  readonly key: string
  readonly requests: number
  readonly errors: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: NanoUsd
}

export interface UsageQuery {
  readonly project: ProjectId
  /** Days since 1970, both included. */
  readonly fromDay: number
  readonly toDay: number
  readonly group: 'day' | 'model'
}

/** What can be asked about the past. Cold reads, each by an index. */
export interface Reports {
  /**
   * Null when there is no such call on record.
   * @param project of this project alone; null of any
   */
  call(id: string, project: ProjectId | null): RecordedCall | null
  /** Calls that ended and are written: days in their order, models with the dearest first. */
  usage(query: UsageQuery): readonly UsageSum[]
}
