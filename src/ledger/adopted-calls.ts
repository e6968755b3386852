import type { Caller } from '../domain/caller'
import type { AccountId, RequestId } from '../domain/ids'
import { minus, zeroUsd, type NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'
import { noUsage } from '../domain/usage'
import { isGatewayError } from '../errors/gateway-error'
import type { HandedMoney, HandedCall, LocalLedger, MoneyAuthority } from './handover'
import type { Hold, HoldRequest } from './ledger'
import type { SpoolRecord } from './spool-record'
import type { Batch } from './store'

/** A call that another process ends, with its money here. */
interface Adopted {
  readonly hold: Hold
  readonly caller: Caller
  /** By which model it is answered. */
  opening: CallOpening
  /** Null when nothing. */
  owed: AccruedCost | null
}

/** Calls that an earlier process ends beside this one: their money is decided about, and written, here. */
export class AdoptedCalls implements Pick<
  MoneyAuthority,
  'grow' | 'lower' | 'chargeable' | 'hold' | 'commit'
> {
  readonly #calls = new Map<RequestId, Adopted>()
  readonly #ledger: LocalLedger

  constructor(ledger: LocalLedger) {
    this.#ledger = ledger
  }

  async begin(handed: readonly HandedCall[]): Promise<void> {
    const holds = await this.#ledger.adopt(handed)
    for (const [at, { caller, opening, owed }] of handed.entries()) {
      const hold = holds[at]
      if (hold !== undefined) this.#calls.set(opening.id, { hold, caller, opening, owed })
    }
  }

  /** Calls as the process that leaves has them by now: those that grew meanwhile, and those that began. */
  async adjust(handed: readonly HandedCall[]): Promise<void> {
    await this.begin(handed.filter(({ opening }) => !this.#calls.has(opening.id)))
    for (const { opening, held, owed } of handed) {
      const { hold, caller } = this.#of(opening.id)
      this.#answerAs(opening)
      if (hold.amount > held) hold.lower(minus(hold.amount, held))
      if (hold.amount < held) growAsFarAs(hold, minus(held, hold.amount), caller)
      if (owed !== null) this.#owe(opening.id, owed)
    }
  }

  /** Calls that are not over. */
  running(): readonly RequestId[] {
    return [...this.#calls.keys()]
  }

  grow(call: RequestId, by: NanoUsd, caller: Caller): void {
    this.#of(call).hold.grow(by, caller)
  }

  lower(call: RequestId, by: NanoUsd): void {
    this.#of(call).hold.lower(by)
  }

  chargeable(call: RequestId, cost: NanoUsd): NanoUsd {
    const { hold, caller } = this.#of(call)
    const most = hold.chargeable(cost)
    // Else another call could have it before this one is over.
    if (most > hold.amount) hold.grow(minus(most, hold.amount), caller)
    return most
  }

  async hold(request: HoldRequest): Promise<HandedMoney> {
    const hold = await this.#ledger.hold(request)
    const { caller, opening } = request
    this.#calls.set(opening.id, { hold, caller, opening, owed: null })
    return { held: hold.amount, reserved: zeroUsd, metered: hold.metered }
  }

  async commit(batch: Batch, durable: boolean): Promise<ReadonlyMap<AccountId, NanoUsd>> {
    for (const opening of batch.reopened ?? []) this.#answerAs(opening)
    for (const { opening, owed } of batch.owed ?? []) this.#owe(opening.id, owed)
    for (const { opening, ending, held, carried = null } of batch.ended) {
      const { hold } = this.#calls.get(opening.id) ?? {}
      // What was sent before is over.
      if (hold === undefined) continue
      this.#answerAs(opening)
      if (carried !== null) hold.carry(carried)
      this.#settle(opening.id, ending, held)
    }
    await this.#ledger.flush(durable)
    const accounts = new Set(batch.ended.map(({ opening }) => opening.account))
    const balances = await Promise.all(
      [...accounts].map(
        async (account) => [account, (await this.#ledger.funds(account)).balance] as const,
      ),
    )
    return new Map(balances)
  }

  /**
   * Ends what is left of a process that is gone, as after a kill.
   * @param records what it spooled
   * @returns how many calls
   */
  lose(records: readonly SpoolRecord[]): number {
    const left = this.#calls.size
    for (const record of records) {
      const { id } = record.opening
      if ('owed' in record) this.#owe(id, record.owed)
      else if (this.#calls.has(id)) this.#settle(id, record.ending, record.held)
    }
    for (const [id, { hold, owed }] of this.#calls) this.#settle(id, lostEnding(owed), hold.amount)
    return left
  }

  #of(call: RequestId): Adopted {
    const found = this.#calls.get(call)
    if (found === undefined) throw new Error(`the money of ${call} is not here`)
    return found
  }

  #answerAs(opening: CallOpening): void {
    const found = this.#calls.get(opening.id)
    if (found === undefined || isSameAnswer(found.opening, opening)) return
    found.hold.answerAs(opening)
    found.opening = opening
  }

  #owe(call: RequestId, owed: AccruedCost): void {
    const found = this.#calls.get(call)
    if (found === undefined || owed.cost <= (found.owed?.cost ?? 0)) return
    found.hold.owe(owed)
    found.owed = owed
  }

  #settle(call: RequestId, ending: CallEnding, held: NanoUsd): void {
    const { hold } = this.#of(call)
    if (hold.amount > held) hold.lower(minus(hold.amount, held))
    this.#calls.delete(call)
    hold.settle(ending)
  }
}

/** Nobody else had any of the money meanwhile; a cap may have been lowered. */
function growAsFarAs(hold: Hold, by: NanoUsd, caller: Caller): void {
  try {
    hold.grow(by, caller)
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown
  }
}

const isSameAnswer = (one: CallOpening, other: CallOpening): boolean =>
  one.model === other.model && one.cardVersion === other.cardVersion

/** As recovery ends a call: it costs what it owed. */
const lostEnding = (owed: AccruedCost | null): CallEnding => ({
  usage: noUsage,
  cost: zeroUsd,
  vendor: null,
  vendorModel: null,
  ...owed,
  status: 'error',
  error: 'gateway_error',
  latencyMs: 0,
  firstByteMs: null,
})
