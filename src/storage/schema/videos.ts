import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { money } from './columns'

/** Videos that were asked for: never a prompt, a picture or where the file lies. */
export const videoJobs = sqliteTable(
  'video_jobs',
  {
    id: text().primaryKey(),
    /** Its call: that of its charge, and of its refund. */
    request: text().notNull(),
    account: integer().notNull(),
    project: integer().notNull(),
    key: integer().notNull(),
    model: text().notNull(),
    seconds: text().notNull(),
    size: text().notNull(),
    cost: money().notNull(),
    created: integer().notNull(),
    status: text({
      enum: ['creating', 'queued', 'in_progress', 'completed', 'failed', 'cancelled'],
    }).notNull(),
    progress: integer().notNull(),
    vendor: text(),
    vendorModel: text('vendor_model'),
    vendorJob: text('vendor_job'),
    /** Name of the credential that ordered it; null where the vendor had one alone. */
    vendorCredential: text('vendor_credential'),
    error: text(),
    ended: integer(),
    expires: integer(),
    deleted: integer(),
    /** When an open job is to be looked at, or its claim ends. */
    due: integer(),
    /** How often it was claimed: only the last claim may change it. */
    claim: integer().notNull().default(0),
    /** Looks in a row that failed, and that found no such job. */
    failures: integer().notNull().default(0),
    missing: integer().notNull().default(0),
  },
  (table) => [
    // A project's list, newest first; what a customer never sees is not in it.
    index('video_jobs_shown')
      .on(table.project, table.id)
      .where(sql`${table.deleted} is null and ${table.status} <> 'creating'`),
    index('video_jobs_open')
      .on(table.status, table.created)
      .where(sql`${table.status} in ('creating', 'queued', 'in_progress')`),
    // What is due at each vendor; one that is full must not hide the others.
    index('video_jobs_due')
      .on(table.vendor, table.due)
      .where(sql`${table.status} in ('queued', 'in_progress')`),
    check(
      'video_jobs_status',
      sql`${table.status} in ('creating', 'queued', 'in_progress', 'completed', 'failed', 'cancelled')`,
    ),
  ],
)
