import type { Caller } from '../../domain/caller'
import type { NanoUsd } from '../../domain/money'
import type { ErrorCode } from '../../errors/codes'
import type { CapSettings } from '../caps'
import type { EndingSpool } from '../ending-spool'
import type { HoldRequest, Ledger } from '../ledger'
import type { Miscount } from '../watch'
import type { Engine, LeasedScope, NodeId, NodeStanding } from './exchange'
import type { LeasedHold } from './leased-hold'
import type { LeasedJournal } from './leased-journal'
import type { NodeSlices, SliceRules } from './node-slices'
import type { Asked, Granting } from './slice'

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
  /** All nodes of the machine flush at the same time, for an engine that writes what comes together at once. */
  readonly flushesAlike?: boolean
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  onFault(fault: unknown): void
  /** What it holds counts no more: the process must end. */
  onFenced?(): void
  onMiscount?(miscount: Miscount): void
  /** A cap, or the balance, did not give what a call needs. */
  onRefused?(refused: CapRefusal): void
}

interface CapRefusal {
  readonly caller: Caller
  readonly code: ErrorCode
  readonly needed: NanoUsd
}

/** What a node says to an engine that does not know it. */
export interface LedgerStanding extends NodeStanding {
  /** Calls that may have a pending row. */
  readonly pending: ReturnType<LeasedJournal['pending']>
}

export interface LeasedLedger extends Ledger {
  hold(request: HoldRequest): Promise<LeasedHold>
  /** Slices of everything, for limits too. */
  readonly slices: NodeSlices
  /** Decides in memory, or waits for exchanges. */
  grantingOf(asked: Asked): Promise<Granting>
  /** Sends what slices have to say, if they have. */
  urge(): void
  now(): number
  /** Sums of these are asked for anew before anybody is told of them. */
  doubt(scopes: readonly LeasedScope[]): void
  standing(): LedgerStanding
  /** Nobody answers exchanges for now: what is here can be held for so long. */
  holdOn(forMs: number): void
  /** Another node asks for what this one can spare of a scope. */
  hint(scope: string, no: number): void
  /** The engine is gone: nothing that it holds counts any more. */
  fence(): void
}
