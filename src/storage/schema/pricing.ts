import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { GroupId } from '../../domain/ids'
import { proposalKinds } from '../../domain/pricing-rules'
import { bases, ruledPrices, scopeKinds } from '../../domain/pricing-rules'

/** Every card a model was or will be sold by. Rows are only ever added; the newest decision is last. */
export const saleCards = sqliteTable(
  'sale_cards',
  {
    id: integer().primaryKey(),
    model: text().notNull(),
    /** What receipts call it: counted for each model; earlier releases named cards by their seed. */
    version: text().notNull(),
    /** Null: it explains what was charged by an earlier release, and holds at no time. */
    validFrom: integer('valid_from'),
    origin: text({ enum: ['typed', 'rule'] }).notNull(),
    /** The rule that made it. */
    rule: integer(),
    by: text(),
    decided: integer().notNull(),
    /** JSON. */
    lines: text().notNull(),
    /** The group of accounts that it is for; null for all others. */
    group: integer('account_group').$type<GroupId>(),
    /** Of a group's: version of the card in whose place it holds. */
    base: text(),
    /** JSON: the rule of the group that made it, as it was; null where it has the service's price. */
    terms: text(),
  },
  (table) => [
    uniqueIndex('sale_cards_version').on(table.model, table.version),
    check('sale_cards_origin', sql`${table.origin} in ('typed', 'rule')`),
  ],
)

/** What vendors bill for their models. Rows are only ever added: records of calls name them by id. */
export const costCards = sqliteTable(
  'cost_cards',
  {
    id: integer().primaryKey(),
    vendor: text().notNull(),
    vendorModel: text('vendor_model').notNull(),
    /** Counted for each vendor's model. */
    version: integer().notNull(),
    validFrom: integer('valid_from').notNull(),
    /** `seed DATE`, `typed by WHO` … */
    source: text().notNull(),
    /** JSON. */
    lines: text().notNull(),
  },
  (table) => [uniqueIndex('cost_cards_version').on(table.vendor, table.vendorModel, table.version)],
)

/** How sale cards come from cost cards, or those of a group; one of each scope. */
export const pricingRules = sqliteTable(
  'pricing_rules',
  {
    id: integer().primaryKey(),
    kind: text({ enum: scopeKinds }).notNull(),
    name: text().notNull(),
    markupPercent: text('markup_percent').notNull(),
    feePerCall: text('fee_per_call'),
    digits: integer(),
    basis: text({ enum: bases }).notNull(),
    /** The group of accounts whose rule it is; 0 for the service's. */
    group: integer('account_group').notNull().default(0),
    /** What the markup is on. */
    markedUp: text('marked_up', { enum: ruledPrices }).notNull().default('cost'),
  },
  (table) => [uniqueIndex('pricing_rules_scope').on(table.group, table.kind, table.name)],
)

/** Changes of prices that somebody has to decide on, and what became of each. */
export const priceProposals = sqliteTable(
  'price_proposals',
  {
    id: integer().primaryKey(),
    /** Of a sale price by its rule, of what a vendor bills, or the end of a model. */
    kind: text({ enum: proposalKinds }).notNull().default('sale'),
    /** The model; of a cost the first that it is a route of. */
    model: text().notNull(),
    /** Whose cost; empty for any other kind. */
    vendor: text().notNull().default(''),
    vendorModel: text('vendor_model').notNull().default(''),
    /** JSON: the sale card, or the cost card. */
    lines: text().notNull(),
    /** Rule of a sale price. */
    rule: integer(),
    /** JSON: the prices of a cost that move, with the sources that tell so. */
    moved: text(),
    cause: text().notNull(),
    created: integer().notNull(),
    status: text({ enum: ['pending', 'approved', 'rejected', 'withdrawn'] }).notNull(),
    by: text(),
    decided: integer(),
  },
  (table) => [
    uniqueIndex('price_proposals_pending')
      .on(table.kind, table.model)
      .where(sql`${table.status} = 'pending' and ${table.kind} <> 'cost'`),
    uniqueIndex('price_proposals_pending_cost')
      .on(table.vendor, table.vendorModel)
      .where(sql`${table.status} = 'pending' and ${table.kind} = 'cost'`),
    index('price_proposals_model').on(table.model),
    check(
      'price_proposals_status',
      sql`${table.status} in ('pending', 'approved', 'rejected', 'withdrawn')`,
    ),
    check('price_proposals_kind', sql`${table.kind} in ('sale', 'cost', 'discontinued')`),
  ],
)
