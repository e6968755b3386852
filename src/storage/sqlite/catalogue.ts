import { and, desc, eq, sql } from 'drizzle-orm'
import type { CatalogueStore } from '../../catalogue/store'
import type { Clock, Ms } from '../../domain/clock'
import type { ModelEntry, PriceCard, PriceLine } from '../../domain/model'
import {
  calibrations,
  modelAliases,
  models,
  priceCards,
  settings,
  soldCards,
  vendors,
} from '../schema'
import type { Vault } from '../files/vault'
import type { Connection } from './database'

type StoredEntry = Omit<ModelEntry, 'id' | 'card' | 'created'>

/** Models, vendors and what was learnt of them, as rows. */
export function openCatalogueRows(
  connection: Connection,
  vault: Vault,
  clock: Clock,
): CatalogueStore {
  const { orm, transaction } = connection
  const version = orm
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.key, 'catalogue_version'))
    .limit(1)
    .prepare()
  const changed = () =>
    orm
      .update(settings)
      .set({ value: sql`cast(${settings.value} as integer) + 1` })
      .where(eq(settings.key, 'catalogue_version'))
      .run()

  const newestCard = orm
    .select()
    .from(priceCards)
    .where(eq(priceCards.model, sql.placeholder('model')))
    .orderBy(desc(priceCards.version))
    .limit(1)
    .prepare()
  const cardOf = (model: string): PriceCard | null => {
    const row = newestCard.get({ model })
    if (row === undefined) return null
    const lines = JSON.parse(row.lines) as PriceLine[]
    return { version: String(row.version), validFrom: row.validFrom as Ms, lines }
  }
  const cardOfVersion = (model: string, version: number): PriceCard | null => {
    const row = orm
      .select()
      .from(priceCards)
      .where(and(eq(priceCards.model, model), eq(priceCards.version, version)))
      .get()
    if (row === undefined) return null
    const lines = JSON.parse(row.lines) as PriceLine[]
    return { version: String(row.version), validFrom: row.validFrom as Ms, lines }
  }
  const credentialIn = (sealed: string): string => {
    const credential = vault.open(sealed)
    if (credential !== null) return credential
    throw new RangeError(
      'a vendor credential cannot be read: secret.key is not the one it was sealed with',
    )
  }
  const entryOf = (row: typeof models.$inferSelect): ModelEntry => ({
    ...(JSON.parse(row.entry) as StoredEntry),
    id: row.id,
    created: row.created as Ms,
    card: cardOf(row.id),
  })

  /** A card is never changed: new prices make a new one. */
  const addCard = (model: string, lines: readonly PriceLine[]) => {
    const current = cardOf(model)
    const text = JSON.stringify(lines)
    if (current !== null && JSON.stringify(current.lines) === text) return
    const number = Number(current?.version ?? 0) + 1
    orm
      .insert(priceCards)
      .values({ model, version: number, validFrom: clock.now(), lines: text })
      .run()
  }

  const soldCard = (model: string, version: string): PriceCard | null => {
    const row = orm
      .select()
      .from(soldCards)
      .where(and(eq(soldCards.model, model), eq(soldCards.version, version)))
      .get()
    if (row === undefined) return null
    return { version, validFrom: 0 as Ms, lines: JSON.parse(row.lines) as PriceLine[] }
  }

  return {
    card: (model, version) =>
      isNumber(version) ? cardOfVersion(model, Number(version)) : soldCard(model, version),
    keepCards(entries) {
      const kept = new Set(
        orm
          .select({ model: soldCards.model, version: soldCards.version })
          .from(soldCards)
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
        for (const row of fresh) orm.insert(soldCards).values(row).onConflictDoNothing().run()
      })
    },
    models: () => orm.select().from(models).orderBy(models.id).all().map(entryOf),
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
        const row = orm.select().from(models).where(eq(models.id, id)).limit(1).get()
        if (row === undefined) throw new Error(`model ${id} was not saved`)
        return entryOf(row)
      }),
    removeModel: (id) =>
      transaction(() => {
        orm.delete(models).where(eq(models.id, id)).run()
        changed()
      }),
    aliases: () => orm.select().from(modelAliases).orderBy(modelAliases.id).all(),
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
    vendors: () =>
      orm
        .select()
        .from(vendors)
        .orderBy(vendors.name)
        .all()
        .map((row) => ({
          ...row,
          credential: row.credential === null ? null : credentialIn(row.credential),
          source: 'command' as const,
        })),
    saveVendor: ({ source: _, ...vendor }) =>
      transaction(() => {
        const credential = vendor.credential === null ? null : vault.seal(vendor.credential)
        const row = { ...vendor, credential }
        orm.insert(vendors).values(row).onConflictDoUpdate({ target: vendors.name, set: row }).run()
        changed()
      }),
    removeVendor: (name) =>
      transaction(() => {
        orm.delete(vendors).where(eq(vendors.name, name)).run()
        changed()
      }),
    version: () => Number(version.get()?.value ?? 0),
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

/** Versions of cards that an operator set are counted, all others have names. */
const isNumber = (version: string): boolean => /^\d{1,9}$/.test(version)
