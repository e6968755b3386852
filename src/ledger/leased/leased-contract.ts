import type { CapSettings } from '../caps'
import type { EndingSpool } from '../ending-spool'
import type { HoldRequest, Ledger } from '../ledger'
import type { Miscount } from '../watch'
import type { Engine } from './exchange'
import type { NodeId } from '../../domain/ids'
import type { LeasedHold } from './leased-hold'
import type { UnrecordedCall } from './rejected-calls'
import type { NodeSlices, SliceRules } from './node-slices'
import type { Asked, HoldResult } from './slice'

export interface LeasedLedgerParts {
  readonly node: NodeId
  /** It knows the node already. */
  readonly engine: Engine
  /** Keep what no exchange has brought; none for a ledger in memory. */
  readonly spools?: readonly [EndingSpool, EndingSpool] | null
  readonly settings: CapSettings & { readonly flushMs: number; readonly pendingAfterMs: number }
  readonly rules?: SliceRules
  /** How often it says that it lives; null where its end is seen otherwise. */
  readonly beatMs: number | null
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  onFault(fault: unknown): void
  /** What it holds counts no more: the process must end. */
  onFenced?(): void
  onMiscount?(miscount: Miscount): void
  onUnrecorded?(call: UnrecordedCall): void
}

export interface LeasedLedger extends Ledger {
  hold(request: HoldRequest): Promise<LeasedHold>
  /** Slices of everything, for limits too. */
  readonly slices: NodeSlices
  /** Decides in memory, or waits for exchanges. */
  grantingOf(asked: Asked): Promise<HoldResult>
  /** Sends what slices have to say, if they have. */
  urge(): void
  now(): number
  /** Another node asks for what this one can spare of a scope. */
  hint(scope: string, no: number): void
}
