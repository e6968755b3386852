import { and, desc, eq, lt } from 'drizzle-orm'
import type { Trail } from '../../trail/trail'
import { trail } from '../schema'
import type { Connection } from './database'

/** The trail, as rows. */
export const openTrailRows = ({ orm }: Connection): Trail => ({
  list: async ({ subject, before, max }) =>
    orm
      .select()
      .from(trail)
      .where(
        and(
          subject === null ? undefined : eq(trail.subject, subject),
          before === null ? undefined : lt(trail.id, before),
        ),
      )
      .orderBy(desc(trail.id))
      .limit(max)
      .all(),
})
