import type { NodeId } from '../../domain/ids'
import type { Batch, Scope } from '../store'
import type { SumScope } from '../store'

/** Calls of one exchange. What they add to sums stands in its lines. */
export type ExchangedCalls = Pick<Batch, 'opened' | 'reopened' | 'owed' | 'ended'>

/** Question for everything that other nodes can spare of a scope: begins, is repeated, is over. */
export type QuestionStep = 'open' | 'again' | 'done'

/** What a node tells and asks of one scope. Amounts are nano-dollars, none below zero. */
export interface Line {
  /** As `scopeName` writes it. */
  readonly scope: string
  /** Of a cap, as the node knows it; 0 for a balance; null for a sum without a cap, which is only counted. */
  readonly limit: number | null
  /** What the calls of this exchange cost. */
  readonly charged: number
  readonly give: number
  /** Whether it takes, or only wants to be told. */
  readonly takes: boolean
  /** Lacking for calls that wait. */
  readonly need: number
  /** Same, and for those that may come: given where there is plenty. */
  readonly want: number
  readonly ask: QuestionStep | null
  /** Number of the question that is answered with this; 0 for none. */
  readonly answer: number
  /** Nothing was held or ended here since the answer before. */
  readonly quiet: boolean
  /** By calls that run here: for people who look, and nothing is decided by it. */
  readonly held: number
}

/** Everything that a node tells and asks at a time: one commit. */
export interface LeaseExchange<Calls = ExchangedCalls> {
  readonly node: NodeId
  /** Counts up by one; the same number again where no answer came. */
  readonly no: number
  /** Null where it brings none, and nothing needs to be written for it. */
  readonly calls: Calls | null
  readonly durable: boolean
  readonly lines: readonly Line[]
}

/** Slice of another node. */
export interface OtherSlice {
  readonly node: NodeId
  readonly amount: number
  /** Number of the newest question that it answered. */
  readonly answered: number
  readonly quiet: boolean
}

/** Who asks for what others can spare, and under which number. */
export interface Slot {
  readonly no: number
  readonly mine: boolean
}

/** A scope after an exchange. */
export interface SliceRow {
  /** The node's slice. */
  readonly amount: number
  /** It was given less than it needs. */
  readonly short: boolean
  /** The balance, or what was spent. */
  readonly sum: number
  /** All slices together. */
  readonly leased: number
  readonly slot: Slot | null
  readonly others: readonly OtherSlice[]
  /** Slices of others were read at another moment than the sums: nobody may be refused by them. */
  readonly torn?: boolean
  /** By calls that run at other nodes, as these said last; absent where nobody knows. */
  readonly heldElsewhere?: number
}

export interface LeaseAnswer {
  readonly no: number
  /** The node was taken over: nothing that it holds or charged counts any more. */
  readonly fenced: boolean
  /** Done now, and not told again of what was done before. */
  readonly fresh: boolean
  /** One for each line, in their order; null where the scope is only counted. */
  readonly rows: readonly (SliceRow | null)[]
  /** Scopes of which this node has a slice and others ask for it. */
  readonly asked: readonly { readonly scope: string; readonly no: number }[]
}

/** Whoever answers exchanges. @throws where nobody knows whether it was done: ask again, with the same number */
export type Engine<Calls = ExchangedCalls> = (
  exchange: LeaseExchange<Calls>,
) => Promise<LeaseAnswer>

/** What may be in use at once, or begun in a minute: counted in the memory of whoever answers, and never kept. */
export interface LimitScope {
  /** `seats`: slots of an account's concurrency; the name is what processes of several versions say. */
  readonly kind: 'seats' | 'requests' | 'counts' | 'operator-requests'
  /** Account of `seats`, else a key. */
  readonly id: number
  readonly period: ''
}

/** What slices are made of. */
export type LeasedScope = SumScope | LimitScope

export const scopeName = ({ kind, id, period }: LeasedScope): string => `${kind} ${id} ${period}`

export function scopeOfName(name: string): LeasedScope {
  const [kind, id, period] = name.split(' ')
  return { kind, id: Number(id), period } as LeasedScope
}

const limitKinds: ReadonlySet<string> = new Set<LimitScope['kind']>([
  'seats',
  'requests',
  'counts',
  'operator-requests',
])

export const isLimitScope = (scope: LeasedScope): scope is LimitScope => limitKinds.has(scope.kind)

export const isCapScope = (scope: LeasedScope): scope is Scope =>
  scope.kind !== 'balance' && !limitKinds.has(scope.kind)

/** What slices can be made of. @param sum the balance, or what was spent */
export const baseOf = (scope: string, limit: number, sum: number): number =>
  scope.startsWith('balance ') ? sum : limit - sum

/** The engine rejects an exchange for good: nothing of it happened, and it would be rejected again. */
export class ExchangeRejected extends Error {
  constructor(cause: unknown) {
    super('exchange rejected', { cause })
    this.name = 'ExchangeRejected'
  }
}

const minBackoffMs = 50
const maxBackoffMs = 1000

/**
 * Sends an exchange with the same number until it is answered.
 * @param onFailed called each time that it is not
 * @throws ExchangeRejected
 */
export async function requestUntilAnswered(
  engine: Engine,
  exchange: LeaseExchange,
  onFailed: (fault: unknown) => void,
): Promise<LeaseAnswer> {
  for (let backoffMs = minBackoffMs; ; backoffMs = Math.min(2 * backoffMs, maxBackoffMs))
    try {
      return await engine(exchange)
    } catch (fault) {
      if (fault instanceof ExchangeRejected) throw fault
      onFailed(fault)
      await Bun.sleep(backoffMs)
    }
}
