import { and, desc, gte, inArray, lt, ne, type SQL } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import type { PriceLine } from '../../domain/model'
import { plus, zeroUsd } from '../../domain/money'
import type {
  OperatorReader,
  RepricedCard,
  RepricedSum,
} from '../../domain/reports/operator-reader'
import type { Units } from '../../domain/usage'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { vendorPrice } from '../../gateway/metering/price'
import { compileCard, hasRate, type CompiledCard } from '../../gateway/metering/price-card'
import { requests } from '../../storage/schema'
import type { ReadConnection } from '../../storage/sqlite/connection'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'
import { unitsOf } from '../usage/reports'

/** Calls looked at in one read: a few milliseconds. */
const callsInRead = 2000

/** What recorded calls come to by other prices, in short reads by their ids, newest first. */
export function openRepricedCalls(
  { orm }: ReadConnection,
  deadline: ReadDeadline,
): OperatorReader['repricedCalls'] {
  const endOf = (before: string, earliest: string) =>
    orm
      .select({ id: requests.id, created: requests.created })
      .from(requests)
      .where(and(lt(requests.id, before), gte(requests.id, earliest)))
      .orderBy(desc(requests.id))
      .limit(1)
      .offset(callsInRead - 1)
      .get() ?? null
  const read = (where: readonly (SQL | undefined)[]) =>
    orm
      .select({
        model: requests.model,
        units: requests.units,
        inputTokens: requests.inputTokens,
        cachedTokens: requests.cachedTokens,
        outputTokens: requests.outputTokens,
      })
      .from(requests)
      .where(and(...where))
      .all()

  return async ({ from, to, cards }) => {
    const sums = new Map(cards.map((card) => [card.model, new RepricedModel(card)]))
    const told = () => [...sums.values()].map((sum) => sum.told())
    const wanted = [ne(requests.status, 'pending'), inArray(requests.model, [...sums.keys()])]
    const earliest = firstRequestIdAt(from)
    let before: string = firstRequestIdAt(to)
    for (;;) {
      const last = endOf(before, earliest)
      const place = [lt(requests.id, before), gte(requests.id, last?.id ?? earliest)]
      for (const { model, ...row } of read([...place, ...wanted]))
        sums.get(model)?.add(unitsOf(row))
      if (last === null) return { sums: told(), since: null }
      before = last.id
      if (deadline.isNear()) return { sums: told(), since: last.created as Ms }
      await yieldToLoop()
    }
  }
}

class RepricedModel {
  readonly #model: string
  readonly #before: CompiledCard
  readonly #after: CompiledCard
  #calls = 0
  #unpriced = 0
  #sumBefore = zeroUsd
  #sumAfter = zeroUsd

  constructor({ model, before, after }: RepricedCard) {
    this.#model = model
    this.#before = compiled(before)
    this.#after = compiled(after)
  }

  add(units: Units): void {
    this.#calls++
    const [before, after] = [priceBy(units, this.#before), priceBy(units, this.#after)]
    if (before === null || after?.complete !== true) {
      this.#unpriced++
      return
    }
    this.#sumBefore = plus(this.#sumBefore, before.amount)
    this.#sumAfter = plus(this.#sumAfter, after.amount)
  }

  told(): RepricedSum {
    return {
      model: this.#model,
      calls: this.#calls,
      before: this.#sumBefore,
      after: this.#sumAfter,
      unpriced: this.#unpriced,
    }
  }
}

const compiled = (lines: readonly PriceLine[]): CompiledCard =>
  compileCard({ version: '', validFrom: 0 as Ms, lines })

/** A fee for the call is asked by the card, not counted by anybody. */
function priceBy(units: Units, card: CompiledCard) {
  const { request, ...counted } = units
  return vendorPrice(request === undefined || hasRate(card.base, 'request') ? units : counted, card)
}
