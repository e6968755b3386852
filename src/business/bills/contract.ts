import type { Ms } from '../../domain/clock'
import type { RequestId } from '../../domain/ids'
import type { NanoUsd } from '../../domain/money'
import type { RecordedCall } from '../../domain/reports/report'
import type { CostCard } from '../../gateway/catalogue/cards'
import type { BillUnits } from './bill'

/** Recorded vendor cost of a model on a day. */
export interface BilledDay {
  /** `YYYY-MM-DD`, UTC. */
  readonly day: string
  readonly vendor: string
  /** Our id of the model. */
  readonly model: string
  readonly calls: number
  readonly vendorCost: NanoUsd
  /** Calls whose cost nobody knows. */
  readonly uncosted: number
}

/** Sum of alike calls of our records. */
export interface RecordedSum {
  /** Our id of the model. */
  readonly model: string
  /** The vendor's name of it; null where no vendor answered and none bills it. */
  readonly vendorModel: string | null
  readonly status: RecordedCall['status']
  /** Whether the vendor answered them or bills them, as far as we know. */
  readonly known: boolean
  /** Counted by us, or billed although nothing was answered. */
  readonly estimated: boolean
  /** Cost card that they are priced by. */
  readonly card: number | null
  readonly calls: number
  readonly units: BillUnits
  readonly vendorCost: NanoUsd
  readonly uncosted: number
}

/** A call that a vendor may have billed otherwise than we think: it was cut, failed, or was counted by us. */
export interface DoubtfulCall {
  readonly id: RequestId
  readonly created: Ms
  readonly model: string
  readonly vendorModel: string | null
  readonly status: RecordedCall['status']
  readonly error: string | null
  /** Null where nobody knows. */
  readonly vendorCost: NanoUsd | null
}

/** Calls of a span that vendors of these names answered or bill. */
export interface BilledQuery {
  readonly vendors: readonly string[]
  /** Our ids of models that they may have been asked for: calls that nobody answered count for these. */
  readonly models: readonly string[]
  readonly from: Ms
  readonly to: Ms
}

export interface BilledCalls {
  readonly sums: readonly RecordedSum[]
  /** The first of each model and status. */
  readonly doubtful: readonly DoubtfulCall[]
}

/** Recorded vendor costs. Cold reads. */
export interface BillRecords {
  /** From sums of days: as long as the span, whatever the history. */
  days(query: {
    readonly vendors: readonly string[]
    readonly fromDay: number
    readonly toDay: number
  }): Promise<readonly BilledDay[]>
  /** Looks at every call of the span, in short reads, between which everybody else has a turn. */
  calls(query: BilledQuery): Promise<BilledCalls>
  /** Cost cards by their numbers. */
  cards(ids: readonly number[]): Promise<ReadonlyMap<number, CostCard>>
}
