import { and, count, desc, eq, isNull, max } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { costKey, heldAt, type CostCard, type SaleCard } from '../../gateway/catalogue/cards'
import type { NewProposal } from './proposals'
import type {
  NewCostCard,
  NewGroupCard,
  NewSaleCard,
  PriceChanges,
  PriceState,
  PriceStore,
} from './contract'
import { costCards, models, priceProposals, pricingRules, saleCards } from '../../storage/schema'
import { countCatalogue } from '../catalogue/version-store'
import type { Connection } from '../../storage/sqlite/connection'
import { openGroupPrices, ruleIn, writeRules } from './rule-store'
import { openCostCards, openSaleCards } from './card-store'
import {
  decisionsOf,
  openDecisions,
  openProposals,
  proposalOf,
  type ProposalDecision,
} from './proposal-store'
import type { Rows } from '../../storage/sqlite/sync-store'

/** What was decided before others have to wait. */
interface DecidedAhead<Changes extends PriceChanges> {
  /** Of the state that it was decided by. */
  readonly stamp: string
  readonly changes: Changes
}

/** The store, and its change in two steps for whoever does more in the same transaction. */
export interface PriceRows extends Rows<PriceStore> {
  /** Reads thousands of rows and reckons with them; nothing is written. */
  decideAhead<Changes extends PriceChanges>(
    decide: (state: PriceState) => Changes,
  ): DecidedAhead<Changes>
  /** Decides again only where something changed since. */
  changeAfter<Changes extends PriceChanges>(
    ahead: DecidedAhead<Changes>,
    decide: (state: PriceState) => Changes,
  ): Changes
}

/** Cards, rules and proposals, as rows. */
export function openPriceRows(connection: Connection, clock: Clock): PriceRows {
  const { orm, transaction } = connection
  const state = () => readState(connection, clock.now())
  const writers = {
    addSale: openSaleCards(connection),
    addCost: openCostCards(connection),
    addProposal: openProposals(connection),
    decide: openDecisions(connection),
  }
  const decideAhead: PriceRows['decideAhead'] = (decide) => {
    const stamp = stampOf(connection)
    return { stamp, changes: decide(state()) }
  }
  const changeAfter: PriceRows['changeAfter'] = (ahead, decide) => {
    let { changes } = ahead
    transaction(() => {
      if (stampOf(connection) !== ahead.stamp) changes = decide(state())
      write(connection, writers, changes, clock.now())
    })
    return changes
  }
  return {
    state,
    decideAhead,
    changeAfter,
    change: (decide) => changeAfter(decideAhead(decide), decide),
    renameVendor: (from, to) =>
      transaction(() => {
        const { costs, costsNow, now } = state()
        // What is to begin later still does.
        for (const cost of new Set([...costsNow.values(), ...costs.values()]))
          if (cost.vendor === from) {
            const validFrom = Math.max(cost.validFrom, now) as Ms
            writers.addCost({ ...cost, vendor: to, validFrom }, now)
          }
        const ruleOf = (name: string) =>
          and(eq(pricingRules.kind, 'vendor'), eq(pricingRules.name, name))
        // What an earlier vendor of that name left is not its own.
        orm.delete(pricingRules).where(ruleOf(to)).run()
        orm.update(pricingRules).set({ name: to }).where(ruleOf(from)).run()
        for (const { id, entry } of orm.select().from(models).all()) {
          const renamed = withRoutesOf(entry, from, to)
          if (renamed !== entry)
            orm.update(models).set({ entry: renamed }).where(eq(models.id, id)).run()
        }
        countCatalogue(orm)
      }),
    proposals(status) {
      const rows = orm
        .select()
        .from(priceProposals)
        .where(status === null ? undefined : eq(priceProposals.status, status))
        .orderBy(desc(priceProposals.id))
        .all()
      return rows.map(proposalOf)
    },
  }
}

const linesOf = (text: string): readonly PriceLine[] => JSON.parse(text) as PriceLine[]

/** A card as it is read, but for its lines: most are never looked at. */
export const saleCardOf = (row: typeof saleCards.$inferSelect): SaleCard => {
  let lines: readonly PriceLine[] | null = null
  return {
    id: row.id,
    model: row.model,
    version: row.version,
    validFrom: (row.validFrom ?? 0) as Ms,
    origin: row.origin,
    rule: row.rule,
    get lines() {
      return (lines ??= linesOf(row.lines))
    },
  }
}

/** Differs where cards, rules or what is proposed differ: rows are added or marked, and none is changed. */
function stampOf({ orm }: Connection): string {
  const sales = orm
    .select({ last: max(saleCards.id), held: count(saleCards.validFrom) })
    .from(saleCards)
    .get()
  const costs = orm
    .select({ last: max(costCards.id) })
    .from(costCards)
    .get()
  const proposals = orm
    .select({
      last: max(priceProposals.id),
      decided: count(priceProposals.decided),
      at: max(priceProposals.decided),
    })
    .from(priceProposals)
    .get()
  const rules = orm.select().from(pricingRules).orderBy(pricingRules.id).all()
  return JSON.stringify({ sales, costs, proposals, rules })
}

function readState({ orm }: Connection, now: Ms): PriceState {
  const sale = new Map<string, SaleCard[]>()
  const past = new Map<string, SaleCard[]>()
  const ruleRows = orm.select().from(pricingRules).orderBy(pricingRules.id).all()
  const groups = openGroupPrices(ruleRows)
  for (const row of orm.select().from(saleCards).orderBy(saleCards.id).all())
    if (row.group !== null) groups.add(row, saleCardOf(row))
    else addTo(row.validFrom === null ? past : sale, row.model, saleCardOf(row))
  const cards = new Map<string, CostCard[]>()
  for (const row of orm.select().from(costCards).orderBy(costCards.id).all())
    addTo(cards, costKey(row), costCardOf(row))
  const costs = new Map<string, CostCard>()
  const costsNow = new Map<string, CostCard>()
  for (const [key, of] of cards) {
    const [last, held] = [of.at(-1), heldAt(of, now)]
    if (last !== undefined) costs.set(key, last)
    if (held !== null) costsNow.set(key, held)
  }
  const rules = ruleRows.filter(({ group }) => group === 0).map(ruleIn)
  const numbers = [...ruleRows.map(({ id }) => id), ...rulesOfCards(sale), groups.lastRule()]
  const nextRule = 1 + Math.max(0, ...numbers)
  const prices = { rules, groups: groups.prices, nextRule }
  return { now, sale, past, costs, costsNow, ...prices, ...decisionsOf({ orm }) }
}

const rulesOfCards = (sale: PriceState['sale']): readonly number[] => [
  ...new Set([...sale.values()].flatMap((cards) => cards.flatMap(({ rule }) => rule ?? []))),
]

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

const costCardOf = (row: typeof costCards.$inferSelect): CostCard => {
  let lines: readonly PriceLine[] | null = null
  return {
    id: row.id,
    vendor: row.vendor,
    vendorModel: row.vendorModel,
    version: String(row.version),
    validFrom: row.validFrom as Ms,
    source: row.source,
    get lines() {
      return (lines ??= linesOf(row.lines))
    },
  }
}

/** What adds rows, inside of a transaction. */
interface Writers {
  addSale(card: NewSaleCard | NewGroupCard, now: Ms): void
  addCost(cost: NewCostCard, now: Ms): void
  addProposal(proposal: NewProposal, now: Ms): void
  decide(decision: ProposalDecision, now: Ms): void
}

/** Inside of a transaction. */
function write({ orm }: Connection, writers: Writers, changes: PriceChanges, now: Ms): void {
  const { costs = [], sales = [], revived = [], proposed = [], decided = [] } = changes
  const { groupSales = [] } = changes
  for (const cost of costs) writers.addCost(cost, now)
  for (const card of [...sales, ...groupSales]) writers.addSale(card, now)
  for (const { id, rule } of revived)
    orm
      .update(saleCards)
      .set({ validFrom: now, rule })
      .where(and(eq(saleCards.id, id), isNull(saleCards.validFrom)))
      .run()
  for (const decision of decided) writers.decide(decision, now)
  for (const proposal of proposed) writers.addProposal(proposal, now)
  for (const { id, moved } of changes.confirmed ?? [])
    orm
      .update(priceProposals)
      .set({ moved: JSON.stringify(moved) })
      .where(eq(priceProposals.id, id))
      .run()
  writeRules({ orm }, changes)
  const { rules = [], groupRules = [], removedRules = [] } = changes
  const moved = [costs, sales, groupSales, revived, rules, groupRules, removedRules]
  if (moved.some((each) => each.length > 0)) countCatalogue(orm)
}

/** The JSON of a model with its routes under another name of their vendor; the same where it has none. */
function withRoutesOf(entry: string, from: string, to: string): string {
  const parsed = JSON.parse(entry) as { readonly routes: readonly { readonly vendor: string }[] }
  if (!parsed.routes.some(({ vendor }) => vendor === from)) return entry
  const routes = parsed.routes.map((route) =>
    route.vendor === from ? { ...route, vendor: to } : route,
  )
  return JSON.stringify({ ...parsed, routes })
}
