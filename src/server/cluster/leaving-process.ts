import type { Caller } from '../../domain/caller'
import type { AccountId, RequestId } from '../../domain/ids'
import { AdoptedCalls } from '../../ledger/adopted-calls'
import { answerOf, answersBy, type LocalLedger } from '../../ledger/handover'
import type { SpoolRecord } from '../../ledger/spool-record'
import type { LimitsHandover } from '../../gateway/limits/handover'
import type { Limits } from '../../gateway/limits/limits'
import type { AddressBlock } from '../../gateway/net/address'
import type { Handed, HandedSince, ServingQuestion } from './next-process'
import type { PrivateAnswers } from './private-door'

interface ServingParts {
  readonly ledger: LocalLedger
  readonly limits: Limits & LimitsHandover
}

/** A process that ends its calls beside this one, which decides about their money and limits. */
export class LeavingCalls {
  readonly #money: AdoptedCalls
  readonly #slots = new Map<AccountId, number>()
  readonly #parts: ServingParts
  readonly #adopted = Promise.withResolvers<void>()

  constructor(parts: ServingParts) {
    this.#parts = parts
    this.#money = new AdoptedCalls(parts.ledger)
  }

  /** Calls and limits while it still decides. @param handed calls that are not over */
  async adopt({ calls, limits }: Handed): Promise<void> {
    this.#parts.limits.adopt(limits)
    await this.#money.begin(calls)
  }

  /** This process decides now. @param since what has changed */
  async decide({ calls, slots }: HandedSince): Promise<void> {
    this.#parts.limits.adoptSlots(slots)
    for (const [account, count] of slots) this.#slots.set(account, count)
    await this.#money.adjust(calls)
    this.#adopted.resolve()
  }

  running(): readonly RequestId[] {
    return this.#money.running()
  }

  /** The process is gone: its calls end as after a kill. @returns how many */
  lose(records: readonly SpoolRecord[]): number {
    for (const [account, count] of this.#slots) this.#parts.limits.leaveSlots(account, count)
    this.#slots.clear()
    return this.#money.lose(records)
  }

  /** Answers to its questions. */
  answers(): PrivateAnswers {
    const { ledger, limits } = this.#parts
    const money = this.#money
    const table: PrivateAnswers = {
      ...answersBy((question, ...given) => answerOf(ledger, question, ...given)),
      grow: money.grow.bind(money),
      lower: money.lower.bind(money),
      chargeable: money.chargeable.bind(money),
      hold: money.hold.bind(money),
      commit: async (...batch: Parameters<AdoptedCalls['commit']>) => [
        ...(await money.commit(...batch)),
      ],
      takeAddress: (address: string) => limits.takeAddress(address),
      takeAttempt: async (blocks: readonly AddressBlock[]) =>
        void (await limits.takeAttempt(blocks)),
      forgiveAttempt: (blocks: readonly AddressBlock[]) => limits.forgiveAttempt(blocks),
      takeSlot: async (caller: Caller) => {
        await limits.takeSlot(caller)
        const { id } = caller.account
        this.#slots.set(id, (this.#slots.get(id) ?? 0) + 1)
      },
      leaveSlot: (account: AccountId) => this.#leaveSlot(account),
      takeRequest: limits.takeRequest.bind(limits),
      takeCount: limits.takeCount.bind(limits),
      takeOperatorRequest: limits.takeOperatorRequest.bind(limits),
    } satisfies Record<ServingQuestion, PrivateAnswers[string]>
    // A question that comes while the calls are on their way here waits for them.
    return Object.fromEntries(
      Object.entries(table).map(([name, answer]) => [
        name,
        async (...given: never[]) => {
          await this.#adopted.promise
          return await answer(...given)
        },
      ]),
    )
  }

  #leaveSlot(account: AccountId): void {
    const count = this.#slots.get(account) ?? 0
    if (count === 0) return
    this.#slots.set(account, count - 1)
    this.#parts.limits.leaveSlots(account, 1)
  }
}
