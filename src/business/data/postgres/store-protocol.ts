import { storageFault } from '../../../domain/storage-fault'
import { ReadRefused } from '../../../domain/reports/account-reader'
import { BelowFloor } from '../../../domain/reports/movement'
import { AllowanceExceeded } from '../../operators/allowance'
import type { Actor } from '../../../domain/audit-log'
import type { EndOrder } from '../../../storage/worker-thread'
import type { DatabaseAddress } from '../../../storage/database-address'
import { DutyLost, type DutyClaim } from '../../../ledger/postgres/duty-fencing'
import type { TurnMemory } from '../../../storage/postgres/session-turns'
import { DatabaseFault } from '../../../storage/postgres/database-fault'
import type { SharedAnswer } from '../../../storage/postgres/blocking-statement'

/** What a thread of stores needs. */
export interface StoreParts {
  readonly address: DatabaseAddress
  /** Seen in `pg_stat_activity`. */
  readonly name: string
  /** Where `secret.key` lies. */
  readonly folder: string
  readonly actor: Actor
  readonly statementTimeoutMs: number
  /** Its connection is given back after so long without a statement; null keeps it. */
  readonly idleMs: number | null
  /** Nodes move money by exchanges, and write the sums of it. */
  readonly isExchanged: boolean
  /** Lock of its session: a thread that begins in the place of a lost one has the same. */
  readonly lock: bigint
  /** Of the stores and the chores of a node; null for stores that wait for no other session. */
  readonly turns: TurnMemory | null
}

/** A method of a store; `made` is how the store itself is come by, where it is not there already. */
export interface StorePlace {
  readonly made: {
    readonly by: 'by' | 'untold' | 'places'
    readonly args: readonly unknown[]
  } | null
  /** Empty for a method of the storage itself. */
  readonly store: string
  readonly method: string
}

/** What is given: a function is called back. */
export type Argument = { readonly plain: unknown } | { readonly callback: number }

/** Messages to the thread. `now` is the time by the clock of who asks. */
export type StoreOrder =
  | { readonly order: 'begin'; readonly parts: StoreParts }
  | {
      readonly order: 'call'
      readonly id: number
      readonly now: number
      readonly place: StorePlace
      readonly args: readonly Argument[]
      /** What is written counts only while the duty is that node's; null for what is no duty's. */
      readonly claim: DutyClaim | null
    }
  /** The next elements of what was called under the id. */
  | { readonly order: 'pull'; readonly id: number; readonly max: number }
  | { readonly order: 'zone'; readonly zone: string; readonly now: number }
  | EndOrder

/** Names of methods, by store. */
export type Shape = Readonly<Record<string, readonly string[]>>

export interface Shapes {
  readonly storage: Shape
  readonly changes: Shape
  readonly untold: readonly string[]
  readonly places: readonly string[]
}

/** Messages of the thread. */
export type StoreAnswer =
  | {
      readonly ready: Shapes
      readonly databaseId: string
      /** Mark of the generation of the key that is in use. */
      readonly mark: string | null
    }
  | { readonly unready: Fault }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly items: readonly unknown[]; readonly isOver: boolean }
  | { readonly id: number; readonly fault: Fault }
  /** The thread stands still until `shared` has what it came to. */
  | {
      readonly id: number
      readonly callback: number
      readonly args: readonly unknown[]
      readonly shared: SharedAnswer
    }

/** What a callback came to, as bytes of `serialize`. */
export type CallbackResult = { readonly value: unknown } | { readonly thrown: number }

/** An error on its way between threads. */
type Fault =
  /** What a callback threw, where it was thrown. */
  | { readonly thrown: number }
  | { readonly kind: string; readonly message: string; readonly fields: object }

/** A callback threw: what, its own thread knows. */
export class CallbackThrown extends Error {
  constructor(readonly number: number) {
    super('a callback threw')
  }
}

/** Errors that somebody tells apart by their class. */
const kinds = {
  AllowanceExceeded,
  BelowFloor,
  ReadRefused,
  DatabaseFault,
  DutyLost,
  RangeError,
  TypeError,
} as const

export function faultMessage(thrown: unknown): Fault {
  if (thrown instanceof CallbackThrown) return { thrown: thrown.number }
  if (!(thrown instanceof Error)) return { kind: 'Error', message: String(thrown), fields: {} }
  const [kind = 'Error'] = Object.entries(kinds).find(([, made]) => thrown instanceof made) ?? []
  // Causes lose their codes on the way.
  const code = storageFault(thrown)
  const fields = {
    ...Object.fromEntries(Object.entries(thrown)),
    ...(code === null ? {} : { code }),
  }
  return { kind, message: thrown.message, fields }
}

/** @param thrown by callbacks of the call, by number */
export function revived(fault: Fault, thrown: readonly unknown[] = []): unknown {
  if ('thrown' in fault) return thrown[fault.thrown]
  const made = kinds[fault.kind as keyof typeof kinds] ?? Error
  const error = new Error(fault.message)
  Object.setPrototypeOf(error, made.prototype)
  return Object.assign(error, fault.fields)
}
