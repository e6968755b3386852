import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { CatalogueStore } from '../../gateway/catalogue/contract'
import type { Clock, Ms } from '../../domain/clock'
import type { ModelEntry, PriceCard, PriceLine } from '../../domain/model'
import { heldAt, type GroupTerms, type SaleCard } from '../../gateway/catalogue/cards'
import {
  accountGroups,
  calibrations,
  modelAliases,
  models,
  pricingRules,
  saleCards,
} from '../../storage/schema'
import type { Vault } from '../../storage/files/vault'
import { countCatalogue, openCatalogueVersion } from './version-store'
import type { Connection } from '../../storage/sqlite/connection'
import { openSaleCards } from '../pricing/card-store'
import { saleCardOf } from '../pricing/store'
import { ruleIn } from '../pricing/rule-store'
import { openVendorRows } from './vendor-store'
import type { Rows } from '../../storage/sqlite/sync-store'

type StoredEntry = Omit<ModelEntry, 'id' | 'card' | 'created'>

/** Models, vendors and what was learnt of them, as rows. */
export function openCatalogueRows(
  connection: Connection,
  vault: Vault,
  clock: Clock,
): Rows<CatalogueStore> {
  const { orm, transaction } = connection
  const version = openCatalogueVersion(connection)
  const changed = () => countCatalogue(orm)

  const cardsOf = orm
    .select()
    .from(saleCards)
    .where(
      and(
        eq(saleCards.model, sql.placeholder('model')),
        isNotNull(saleCards.validFrom),
        isNull(saleCards.group),
      ),
    )
    .prepare()
  const heldBy = (model: string) => heldAt(cardsOf.all({ model }).map(saleCardOf), clock.now())
  const cardOf = (model: string): PriceCard | null => {
    const held = heldBy(model)
    return held === null ? null : priceCardOf(held)
  }
  const entryOf = (row: typeof models.$inferSelect): ModelEntry => ({
    ...(JSON.parse(row.entry) as StoredEntry),
    id: row.id,
    created: row.created as Ms,
    card: cardOf(row.id),
  })

  const model = (id: string): ModelEntry | null => {
    const row = orm.select().from(models).where(eq(models.id, id)).limit(1).get()
    return row === undefined ? null : entryOf(row)
  }

  const addSaleCard = openSaleCards(connection)
  /** Typed once more, the same prices are no new card. */
  const addCard = (model: string, lines: readonly PriceLine[]) => {
    const held = heldBy(model)
    if (held?.origin === 'typed' && JSON.stringify(held.lines) === JSON.stringify(lines)) return
    const now = clock.now()
    const card = { model, lines, validFrom: now, origin: 'typed', rule: null, by: null } as const
    addSaleCard(card, now)
  }

  return {
    card(model, version) {
      const row = orm
        .select()
        .from(saleCards)
        .where(and(eq(saleCards.model, model), eq(saleCards.version, version)))
        .get()
      return row === undefined ? null : priceCardOf(saleCardOf(row))
    },
    cardMaker(model, version) {
      const row = orm
        .select({ card: saleCards, group: accountGroups.name, rule: pricingRules })
        .from(saleCards)
        .leftJoin(accountGroups, eq(accountGroups.id, saleCards.group))
        .leftJoin(pricingRules, and(eq(pricingRules.id, saleCards.rule), eq(pricingRules.group, 0)))
        .where(and(eq(saleCards.model, model), eq(saleCards.version, version)))
        .get()
      if (row === undefined) return null
      const { card, group, rule } = row
      const terms = card.terms === null ? null : (JSON.parse(card.terms) as GroupTerms)
      return { origin: card.origin, rule: rule === null ? null : ruleIn(rule), group, terms }
    },
    keepCards(entries) {
      const kept = new Set(
        orm
          .select({ model: saleCards.model, version: saleCards.version })
          .from(saleCards)
          .all()
          .map(({ model, version: named }) => `${named} ${model}`),
      )
      const fresh = entries.flatMap(({ id, card, routes }) =>
        card === null ||
        routes.length === 0 ||
        isNumber(card.version) ||
        kept.has(`${card.version} ${id}`)
          ? []
          : { model: id, version: card.version, lines: JSON.stringify(card.lines) },
      )
      if (fresh.length === 0) return
      transaction(() => {
        // Another process may have been first.
        for (const row of fresh)
          orm
            .insert(saleCards)
            .values({ ...row, origin: 'rule', decided: clock.now() })
            .onConflictDoNothing()
            .run()
      })
    },
    models: () => orm.select().from(models).orderBy(models.id).all().map(entryOf),
    model,
    saveModel: ({ id, ...entry }, lines) =>
      transaction(() => {
        const text = JSON.stringify(entry)
        orm
          .insert(models)
          .values({ id, entry: text, created: clock.now() })
          .onConflictDoUpdate({ target: models.id, set: { entry: text } })
          .run()
        if (lines.length > 0) addCard(id, lines)
        changed()
        const saved = model(id)
        if (saved === null) throw new Error(`model ${id} was not saved`)
        return saved
      }),
    removeModel: (id) =>
      transaction(() => {
        orm.delete(models).where(eq(models.id, id)).run()
        changed()
      }),
    aliases: () => orm.select().from(modelAliases).orderBy(modelAliases.id).all(),
    alias: (id) =>
      orm.select().from(modelAliases).where(eq(modelAliases.id, id)).limit(1).get() ?? null,
    saveAlias: (alias) =>
      transaction(() => {
        orm
          .insert(modelAliases)
          .values(alias)
          .onConflictDoUpdate({ target: modelAliases.id, set: alias })
          .run()
        changed()
      }),
    removeAlias: (id) =>
      transaction(() => {
        const removed = orm
          .delete(modelAliases)
          .where(eq(modelAliases.id, id))
          .returning({ id: modelAliases.id })
          .all()
        if (removed.length > 0) changed()
        return removed.length > 0
      }),
    ...openVendorRows(connection, vault, changed),
    version,
    calibrations: () =>
      new Map(
        orm
          .select()
          .from(calibrations)
          .all()
          .map((row) => [row.model, row.factor]),
      ),
    saveCalibrations: (factors, now) =>
      transaction(() => {
        for (const [model, factor] of factors)
          orm
            .insert(calibrations)
            .values({ model, factor, updated: now })
            .onConflictDoUpdate({ target: calibrations.model, set: { factor, updated: now } })
            .run()
      }),
  }
}

const priceCardOf = ({ version, validFrom, lines }: SaleCard): PriceCard => ({
  version,
  validFrom,
  lines,
})

/** Versions of cards that were decided are counted, all others have names. */
const isNumber = (version: string): boolean => /^\d{1,9}$/.test(version)
