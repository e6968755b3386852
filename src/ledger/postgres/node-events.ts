import type { ClockReading } from '../../domain/synced-clock'
import type { NodeId } from '../../domain/ids'
import type { SpoolDamage } from '../store/spool-file'
import type { FenceCause } from './exchange'
import type { TakenOver } from './takeover'

/** Channels of what nodes tell each other: counts of addresses, and letters of their bus. */
export const toldChannels = ['chapar_told', 'chapar_bus'] as const
export type ReportedChannel = (typeof toldChannels)[number]

/** Events of a node and around it. */
export interface NodeNotes {
  /** Somebody changed something but calls, maybe: told with each answer and at once. */
  version(version: number): void
  /** Another node asks for what this one can spare of a scope. */
  question(scope: string, no: number): void
  /** Message of another node to all others. */
  told(channel: ReportedChannel, from: NodeId, message: string): void
  /** The database's time was read, with each sign of life. */
  clockRead(reading: ClockReading): void
  /** An exchange was answered. */
  answered?(tookMs: number): void
  tookOver(taken: TakenOver): void
  /** Slices of this node count no more; its ledger hears of it by the reply. */
  fenced(cause: FenceCause): void
  /** Told of a spool that an earlier process left. */
  spoolDamaged(damage: SpoolDamage): void
  /** This node does it for all from now on. */
  onDuty(name: string): void
  /** Accounts were charged, and their sums are written. */
  summed(accounts: readonly number[]): Promise<void>
  fault(what: string, fault: unknown): void
}
