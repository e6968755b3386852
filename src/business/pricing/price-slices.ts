import { settleCosts, settleModels, settleStale, type Known, type Settled } from './settle'
import type { PriceStore } from './contract'

/**
 * Rows written in one transaction, for which a serving gateway has to wait: a few milliseconds, also
 * beside others that want the processor.
 */
export const priceRowsAtOnce = 150

/** Rows of an approved cost: cards of cost and sale and the decision, each with its line of the trail. */
export const rowsOfApproval = 6
/** Rows of a rejected proposal: the decision, and its line of the trail. */
export const rowsOfRejection = 2

/**
 * Parts of a long list, each with all that concerns a model.
 * @param rowsOfEach rows that one of them writes
 */
export function slicesByModel<Each extends { readonly model: string }>(
  all: readonly Each[],
  rowsOfEach: number,
): readonly (readonly Each[])[] {
  const slices: Each[][] = []
  for (const ofModel of Map.groupBy(all, ({ model }) => model).values()) {
    const last = slices.at(-1)
    if (last === undefined || (last.length + ofModel.length) * rowsOfEach > priceRowsAtOnce)
      slices.push([...ofModel])
    else last.push(...ofModel)
  }
  return slices
}

/** Parts of a list in its order. @param rowsOfEach rows that one of them writes */
export function slicesOf<Each>(
  all: readonly Each[],
  rowsOfEach: number,
): readonly (readonly Each[])[] {
  const size = Math.max(1, Math.floor(priceRowsAtOnce / rowsOfEach))
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  )
}

/** Rows of a cost or a price that settling decides: a new card or proposal, and one withdrawn. */
const rowsOfSettled = 2

/**
 * Writes what settling comes to in several transactions: costs, prices of models, then what is stale.
 * Each part is decided by what is on record by then, so that whoever is interrupted settles the rest
 * the next time.
 * @param planned what all of it comes to, as a look ahead told
 */
export async function settleInSlices(
  prices: PriceStore,
  known: Known,
  planned: Settled,
  cause: string,
): Promise<Settled> {
  const done: Partial<Settled>[] = []
  for (const some of slicesOf(planned.costs, rowsOfSettled))
    done.push(await prices.change((state) => settleCosts(state, some)))
  const concerned = await modelsOf(prices, planned)
  const models = known.models.filter(({ id }) => concerned.has(id))
  for (const some of slicesOf(models, rowsOfSettled))
    done.push(await prices.change((state) => settleModels(state, known, some, cause)))
  for (;;) {
    const { decided } = await prices.change((state) => ({
      decided: settleStale(state, known).decided.slice(0, priceRowsAtOnce),
    }))
    done.push({ decided })
    if (decided.length < priceRowsAtOnce) break
  }
  return {
    costs: done.flatMap(({ costs: written = [] }) => written),
    sales: done.flatMap(({ sales = [] }) => sales),
    revived: done.flatMap(({ revived = [] }) => revived),
    proposed: done.flatMap(({ proposed = [] }) => proposed),
    decided: done.flatMap(({ decided = [] }) => decided),
  }
}

/** Models whose prices were to be settled. */
async function modelsOf(prices: PriceStore, planned: Settled): Promise<ReadonlySet<string>> {
  const { sales, revived, proposed, decided } = planned
  const withdrawn = new Set(decided.map(({ id }) => id))
  const { pending } = await prices.state()
  return new Set([
    ...[...sales, ...revived, ...proposed].map(({ model }) => model),
    ...[...pending.values()].filter(({ id }) => withdrawn.has(id)).map(({ model }) => model),
  ])
}
