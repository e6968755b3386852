import { integer, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Models an operator added or changed. Everything but prices is one JSON text: it is read whole. */
export const models = sqliteTable('models', {
  id: text().primaryKey(),
  entry: text().notNull(),
  created: integer().notNull(),
})

/** Other ids of models, whether an operator added those or not. */
export const modelAliases = sqliteTable('model_aliases', {
  id: text().primaryKey(),
  model: text().notNull(),
  listed: integer({ mode: 'boolean' }).notNull(),
})

export const vendors = sqliteTable('vendors', {
  name: text().primaryKey(),
  kind: text().notNull(),
  dialect: text().notNull(),
  baseUrl: text('base_url').notNull(),
  /** AES-256-GCM, base64. */
  credential: text(),
  timeoutMs: integer('timeout_ms').notNull(),
  active: integer({ mode: 'boolean' }).notNull(),
  /** The client that carries its calls. */
  transport: text({ enum: ['own', 'fetch'] })
    .notNull()
    .default('own'),
})

/** Actual over estimated prompt tokens, per model. */
export const calibrations = sqliteTable('calibrations', {
  model: text().primaryKey(),
  factor: real().notNull(),
  updated: integer().notNull(),
})

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text().notNull(),
})
