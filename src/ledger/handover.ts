import type { Caller } from '../domain/caller'
import type { RequestId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { CallOpening, AccruedCost } from '../domain/record'
import type { Hold, HoldRequest, Ledger } from './ledger'
import type { LedgerStore } from './store'

/** A call of one process whose money is in the ledger of another. Plain data, which is sent between them. */
export interface HandedCall {
  readonly caller: Caller
  readonly opening: CallOpening
  readonly held: NanoUsd
  readonly reserved: NanoUsd
  readonly metered: boolean
  /** What it owes before it has ended; null when nothing. */
  readonly owed: AccruedCost | null
  /** Its pending row is in the database. */
  readonly written: boolean
}

/** Money that a ledger set aside for a call of another process. */
export type HandedMoney = Pick<HandedCall, 'held' | 'reserved' | 'metered'>

/** Questions that change nothing. */
const ledgerQuestions = [
  'check',
  'room',
  'funds',
  'caps',
  'spentByKey',
  'spentByAccount',
  'spentByAccountOn',
  'spentByProject',
] as const satisfies readonly (keyof Ledger)[]

type LedgerQuestion = (typeof ledgerQuestions)[number]
export type LedgerAnswers = Pick<Ledger, LedgerQuestion>

/** Answers to every question, each by one function. */
export const answersBy = (
  answer: (question: LedgerQuestion, ...given: never[]) => Promise<unknown>,
): LedgerAnswers =>
  Object.fromEntries(
    ledgerQuestions.map((question) => [
      question,
      (...given: never[]) => answer(question, ...given),
    ]),
  ) as LedgerAnswers

/** Answers of a ledger to any of them. */
export const answerOf = (
  ledger: LedgerAnswers,
  question: LedgerQuestion,
  ...given: never[]
): Promise<unknown> => (ledger[question] as (...given: never[]) => Promise<unknown>)(...given)

/** The ledger of the process that serves, for one that ends its calls beside it. */
export interface MoneyAuthority extends LedgerAnswers {
  /** It alone writes the database; what is sent once more is written once. */
  readonly commit: LedgerStore['commit']
  /** Waits for nothing but the answer. @throws what `Hold.grow` throws */
  grow(call: RequestId, by: NanoUsd, caller: Caller): void
  /** Gives a part back. Where nobody answers, that is done once the call is over. */
  lower(call: RequestId, by: NanoUsd): void
  /** As `Hold.chargeable`, and sets it aside; null where nobody answers. */
  chargeable(call: RequestId, cost: NanoUsd): NanoUsd | null
  /** @throws what `Ledger.hold` throws */
  hold(request: HoldRequest): Promise<HandedMoney>
}

/** How the ledger of one process becomes that of the next. */
export interface LedgerHandover {
  /** Writes everything; from then on no commit begins, and calls go on in memory. */
  rest(): Promise<void>
  /** Decides and commits again, with what another process has written of its calls meanwhile. */
  resume(): Promise<void>
  /** No commit comes to anything any more: what the spool has is another process's to write. */
  abandon(): void
  /**
   * From this moment another ledger decides about the money of all calls here.
   * @param began called with calls that run here, and those that have ended and are in no commit
   */
  follow(authority: MoneyAuthority, began: (calls: readonly HandedCall[]) => void): Promise<void>
  /** Calls that run here, and those that have ended and that no commit has written. */
  calls(): readonly HandedCall[]
  /** Takes over the money of calls that another process ends. @returns their holds, in their order */
  adopt(calls: readonly HandedCall[]): Promise<readonly Hold[]>
}

/** The ledger of a process that has the data for itself. */
export type LocalLedger = Ledger & LedgerHandover
