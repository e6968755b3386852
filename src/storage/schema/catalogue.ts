import { integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { transports } from '../../domain/fields/vendor-fields'
import { vendorTroubles, type RecentCalls } from '../../domain/vendor-state'

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
  /** Whether that one signs calls. */
  credentialActive: integer('credential_active', { mode: 'boolean' }).notNull().default(true),
  timeoutMs: integer('timeout_ms').notNull(),
  /** Longest wait for the first output of a stream; null as the setting says. */
  firstTokenTimeoutMs: integer('first_token_timeout_ms'),
  active: integer({ mode: 'boolean' }).notNull(),
  /** The client that carries its calls. */
  transport: text({ enum: transports }).notNull().default('own'),
})

/** Credentials beside the one in the row of their vendor. */
export const vendorCredentials = sqliteTable(
  'vendor_credentials',
  {
    vendor: text().notNull(),
    name: text().notNull(),
    /** AES-256-GCM, base64. */
    secret: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.vendor, table.name] })],
)

/** What the serving gateway knows of vendors, written when it changes. */
export const vendorStates = sqliteTable(
  'vendor_states',
  {
    vendor: text().notNull(),
    /** Its name; '' for the vendor itself. */
    credential: text().notNull(),
    trouble: text({ enum: vendorTroubles }),
    since: integer(),
    coolingUntil: integer('cooling_until'),
    balance: text(),
    currency: text(),
    checked: integer(),
    failureCode: text('failure_code'),
    failedAt: integer('failed_at'),
    /** Its last calls; null for a credential. */
    recent: text({ mode: 'json' }).$type<RecentCalls>(),
  },
  (table) => [primaryKey({ columns: [table.vendor, table.credential] })],
)

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
