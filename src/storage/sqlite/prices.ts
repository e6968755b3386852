import { and, count, desc, eq, isNull, max, sql } from 'drizzle-orm'
import type { Clock, Ms } from '../../domain/clock'
import type { PriceLine } from '../../domain/model'
import { cardAt, costKey, type CostCard, type SaleCard } from '../../pricing/cards'
import type {
  NewCostCard,
  NewSaleCard,
  PriceChanges,
  PriceState,
  PriceStore,
} from '../../pricing/store'
import { costCards, models, priceProposals, pricingRules, saleCards } from '../schema'
import { countCatalogue } from './catalogue-version'
import type { Connection } from './database'
import { addProposal, decisionsOf, proposalOf } from './price-proposals'
import type { Rows } from './store-rows'

/** Cards, rules and proposals, as rows. */
export function openPriceRows(connection: Connection, clock: Clock): Rows<PriceStore> {
  const { orm, transaction } = connection
  const state = () => readState(connection, clock.now())
  const cards = { addSale: openSaleCards(connection), addCost: openCostCards(connection) }
  return {
    state,
    change: (decide) => {
      let decided: ReturnType<typeof decide> | null = null
      transaction(() => {
        decided = decide(state())
        write(connection, cards, decided, clock.now())
      })
      if (decided === null) throw new Error('nothing was decided')
      return decided
    },
    renameVendor: (from, to) =>
      transaction(() => {
        const { costs, costsNow, now } = state()
        // What is to begin later still does.
        for (const cost of new Set([...costsNow.values(), ...costs.values()]))
          if (cost.vendor === from) {
            const validFrom = Math.max(cost.validFrom, now) as Ms
            cards.addCost({ ...cost, vendor: to, validFrom }, now)
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

function readState({ orm }: Connection, now: Ms): PriceState {
  const sale = new Map<string, SaleCard[]>()
  const past = new Map<string, SaleCard[]>()
  for (const row of orm.select().from(saleCards).orderBy(saleCards.id).all())
    addTo(row.validFrom === null ? past : sale, row.model, saleCardOf(row))
  const cards = new Map<string, CostCard[]>()
  for (const row of orm.select().from(costCards).orderBy(costCards.id).all())
    addTo(cards, costKey(row), costCardOf(row))
  const costs = new Map<string, CostCard>()
  const costsNow = new Map<string, CostCard>()
  for (const [key, of] of cards) {
    const [last, held] = [of.at(-1), cardAt(of, now)]
    if (last !== undefined) costs.set(key, last)
    if (held !== null) costsNow.set(key, held)
  }
  const rules = orm.select().from(pricingRules).orderBy(pricingRules.id).all()
  const numbers = [...rules.map(({ id }) => id), ...rulesOfCards(sale)]
  const nextRule = 1 + Math.max(0, ...numbers)
  return { now, sale, past, costs, costsNow, rules, nextRule, ...decisionsOf({ orm }) }
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

/** What adds cards, inside of a transaction. */
interface CardWriters {
  addSale(card: NewSaleCard, now: Ms): void
  addCost(cost: NewCostCard, now: Ms): void
}

/** Inside of a transaction. */
function write({ orm }: Connection, cards: CardWriters, changes: PriceChanges, now: Ms): void {
  const { costs = [], sales = [], revived = [], proposed = [], decided = [] } = changes
  for (const cost of costs) cards.addCost(cost, now)
  for (const card of sales) cards.addSale(card, now)
  for (const { id, rule } of revived)
    orm
      .update(saleCards)
      .set({ validFrom: now, rule })
      .where(and(eq(saleCards.id, id), isNull(saleCards.validFrom)))
      .run()
  for (const { id, status, by } of decided)
    orm
      .update(priceProposals)
      .set({ status, by, decided: now })
      .where(eq(priceProposals.id, id))
      .run()
  for (const proposal of proposed) addProposal({ orm }, proposal, now)
  for (const { id, moved } of changes.confirmed ?? [])
    orm
      .update(priceProposals)
      .set({ moved: JSON.stringify(moved) })
      .where(eq(priceProposals.id, id))
      .run()
  writeRules({ orm }, changes)
  const { rules = [], removedRules = [] } = changes
  const moved = [costs, sales, revived, rules, removedRules]
  if (moved.some((each) => each.length > 0)) countCatalogue(orm)
}

function writeRules(
  { orm }: Pick<Connection, 'orm'>,
  { rules = [], removedRules = [] }: PriceChanges,
): void {
  for (const { id, kind, name, markupPercent, feePerCall, digits, basis } of rules) {
    const row = { id, kind, name, markupPercent, feePerCall, digits, basis }
    orm
      .insert(pricingRules)
      .values(row)
      .onConflictDoUpdate({ target: [pricingRules.kind, pricingRules.name], set: row })
      .run()
  }
  for (const id of removedRules) orm.delete(pricingRules).where(eq(pricingRules.id, id)).run()
}

/**
 * A writer of sale cards, inside of a transaction. A card is never changed: what is decided anew is
 * a new one, with the next number of its model.
 */
export function openSaleCards({ orm }: Connection): (card: NewSaleCard, now: Ms) => void {
  // A catalogue of hundreds of models goes on sale at once: compiled anew for each, that is felt.
  const statements = once(() => ({
    newest: orm
      .select({ version: max(sql<number>`cast(${saleCards.version} as integer)`) })
      .from(saleCards)
      .where(
        and(
          eq(saleCards.model, sql.placeholder('model')),
          sql`${saleCards.version} not glob '*[^0-9]*'`,
        ),
      )
      .prepare(),
    insert: orm
      .insert(saleCards)
      .values({
        model: sql.placeholder('model'),
        version: sql.placeholder('version'),
        validFrom: sql.placeholder('validFrom'),
        origin: sql.placeholder('origin'),
        rule: sql.placeholder('rule'),
        by: sql.placeholder('by'),
        decided: sql.placeholder('decided'),
        lines: sql.placeholder('lines'),
      })
      .prepare(),
  }))
  return ({ lines, ...card }, now) => {
    const { newest, insert } = statements()
    const version = String(1 + Number(newest.get({ model: card.model })?.version ?? 0))
    insert.run({ ...card, version, decided: now, lines: JSON.stringify(lines) })
  }
}

/** A writer of cost cards, inside of a transaction. */
function openCostCards({ orm }: Connection): (cost: NewCostCard, now: Ms) => void {
  const statements = once(() => ({
    count: orm
      .select({ cards: count() })
      .from(costCards)
      .where(
        and(
          eq(costCards.vendor, sql.placeholder('vendor')),
          eq(costCards.vendorModel, sql.placeholder('vendorModel')),
        ),
      )
      .prepare(),
    insert: orm
      .insert(costCards)
      .values({
        vendor: sql.placeholder('vendor'),
        vendorModel: sql.placeholder('vendorModel'),
        version: sql.placeholder('version'),
        validFrom: sql.placeholder('validFrom'),
        source: sql.placeholder('source'),
        lines: sql.placeholder('lines'),
      })
      .prepare(),
  }))
  return ({ vendor, vendorModel, source, lines, validFrom }, now) => {
    const { count: counted, insert } = statements()
    const version = 1 + (counted.get({ vendor, vendorModel })?.cards ?? 0)
    const row = { vendor, vendorModel, version, source, validFrom: validFrom ?? now }
    insert.run({ ...row, lines: JSON.stringify(lines) })
  }
}

/** Made when it is first wanted. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => (made ??= make())
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
