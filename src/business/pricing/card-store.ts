import { and, count, eq, max, sql } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import { once } from '../../domain/memoize'
import type { NewCostCard, NewGroupCard, NewSaleCard } from './contract'
import { costCards, saleCards } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

/**
 * A writer of sale cards, inside of a transaction. A card is never changed: what is decided anew is
 * a new one, with the next number of its model.
 */
export function openSaleCards({
  orm,
}: Connection): (card: NewSaleCard | NewGroupCard, now: Ms) => void {
  // A catalogue of hundreds of models goes on sale at once: compiled anew for each, that is felt.
  const statements = once(() => ({
    newest: orm
      .select({ version: max(sql<number>`cast(${saleCards.version} as integer)`) })
      .from(saleCards)
      .where(
        and(
          eq(saleCards.model, sql.placeholder('model')),
          sql`trim(${saleCards.version}, '0123456789') = ''`,
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
        group: sql.placeholder('group'),
        base: sql.placeholder('base'),
        terms: sql.placeholder('terms'),
      })
      .prepare(),
  }))
  return ({ lines, ...card }, now) => {
    const { newest, insert } = statements()
    const version = String(1 + Number(newest.get({ model: card.model })?.version ?? 0))
    const place =
      'group' in card ? { group: card.group, base: card.base } : { group: null, base: null }
    const terms = 'group' in card && card.terms !== null ? JSON.stringify(card.terms) : null
    const row = { ...card, ...place, terms, version, decided: now }
    insert.run({ ...row, lines: JSON.stringify(lines) })
  }
}

/** A writer of cost cards, inside of a transaction. */
export function openCostCards({ orm }: Connection): (cost: NewCostCard, now: Ms) => void {
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
