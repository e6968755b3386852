import { and, desc, eq, lt } from 'drizzle-orm'
import type { LookStore, Trail } from '../../domain/audit-log'
import { trail } from '../../storage/schema'
import { retoldLine } from './audit-fields'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from './audit-log-sql'

/** The trail, as rows. */
export const openTrailRows = ({ orm }: Connection): Trail => ({
  list: async ({ subject, who = null, before, max }) =>
    orm
      .select()
      .from(trail)
      .where(
        and(
          subject === null ? undefined : eq(trail.subject, subject),
          who === null ? undefined : eq(trail.who, who),
          before === null ? undefined : lt(trail.id, before),
        ),
      )
      .orderBy(desc(trail.id))
      .limit(max)
      .all()
      .map(retoldLine),
  find: async (id) => {
    const line = orm.select().from(trail).where(eq(trail.id, id)).limit(1).get()
    return line === undefined ? null : retoldLine(line)
  },
})

/** Looks, as lines of the trail. */
export const openAuditLookRows = (record: WriteAudit): LookStore => ({
  record: async (subject, what) =>
    record({
      what,
      work: () => {},
      subject: () => subject,
      before: () => null,
      after: () => ({ looked: true }),
    }),
})
