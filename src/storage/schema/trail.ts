import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Ms } from '../../domain/clock'
import type { TrailFields } from '../../domain/audit-log'

/** Who changed what, and when. Rows are only ever added. */
export const trail = sqliteTable(
  'trail',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull().$type<Ms>(),
    who: text().notNull(),
    what: text().notNull(),
    subject: text().notNull(),
    before: text({ mode: 'json' }).$type<TrailFields>(),
    after: text({ mode: 'json' }).$type<TrailFields>(),
  },
  (table) => [index('trail_subject').on(table.subject), index('trail_who').on(table.who)],
)
