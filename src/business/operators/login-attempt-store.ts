import { and, count, eq, inArray, lte, notLike, sql } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { OperatorAccessStore, WrongCodeScope } from './access-contract'
import { operatorTries } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'

type TryRows = Pick<
  OperatorAccessStore,
  'beginTry' | 'forgiveTries' | 'countWrongCode' | 'wrongCodes'
>

/** What wrong one-time codes begin with, which are kept for longer than other tries. */
const codes = 'code:'

/** Wrong codes of a name whose password was known, or of guesses. No name has a space. */
const codesOf = ({ name, isKnown }: Omit<WrongCodeScope, 'bucket'>): string =>
  `${isKnown ? codes : 'guess:'}${name} `

// A length as it stands: PostgreSQL takes no other type for a parameter of `substr`.
const isAt = (where: string) =>
  sql`substr(${operatorTries.who}, 1, ${sql.raw(String(where.length))}) = ${where}`

/** Codes of a name are taken everywhere again: its password is another one. */
export function forgetWrongCodes({ orm }: Connection, name: string): void {
  orm
    .delete(operatorTries)
    .where(isAt(codesOf({ name, isKnown: true })))
    .run()
}

/** Failed sign-ins of operators, as rows. */
export function openOperatorTryRows(connection: Connection): TryRows {
  const { orm, transaction } = connection
  const lockedUntilOf = (who: readonly string[]): Ms => {
    const rows = orm
      .select({ until: operatorTries.lockedUntil })
      .from(operatorTries)
      .where(inArray(operatorTries.who, [...who]))
      .all()
    return Math.max(0, ...rows.map(({ until }) => until)) as Ms
  }
  const add = adderOf(orm)
  return {
    beginTry: async (counts, lockMs, now) =>
      transaction(() => {
        orm
          .delete(operatorTries)
          .where(
            and(
              lte(operatorTries.last, (now - lockMs) as Ms),
              notLike(operatorTries.who, `${codes}%`),
            ),
          )
          .run()
        const lockedUntil = lockedUntilOf(counts.map(({ who }) => who))
        if (lockedUntil > now) return lockedUntil
        const until = (now + lockMs) as Ms
        let isBehind = false
        for (const { who, max } of counts) {
          const tries = add(who, now)
          if (tries < max) continue
          // This one is looked at; whoever comes behind it is not, until it was right.
          orm
            .update(operatorTries)
            .set({ lockedUntil: until })
            .where(eq(operatorTries.who, who))
            .run()
          // Another connection may have locked it since this one looked.
          isBehind ||= tries > max
        }
        return isBehind ? until : null
      }),
    forgiveTries: async (counts) =>
      transaction(() => {
        orm
          .delete(operatorTries)
          .where(
            inArray(
              operatorTries.who,
              counts.map(({ who }) => who),
            ),
          )
          .run()
      }),
    ...wrongCodeRows(connection),
  }
}

/** Counts a try. @returns how many there are by now */
function adderOf(orm: Connection['orm']) {
  return (who: string, now: Ms): number => {
    const [row] = orm
      .insert(operatorTries)
      .values({ who, wrong: 1, lockedUntil: 0 as Ms, last: now })
      .onConflictDoUpdate({
        target: operatorTries.who,
        set: { wrong: sql`${operatorTries.wrong} + 1`, last: now },
      })
      .returning()
      .all()
    return row?.wrong ?? 1
  }
}

function wrongCodeRows({
  orm,
  transaction,
}: Connection): Pick<TryRows, 'countWrongCode' | 'wrongCodes'> {
  const add = adderOf(orm)
  return {
    countWrongCode: async (place, keepMs, now) =>
      transaction(() => {
        orm
          .delete(operatorTries)
          .where(lte(operatorTries.last, (now - keepMs) as Ms))
          .run()
        add(`${codesOf(place)}${place.bucket}`, now)
      }),
    async wrongCodes(place) {
      const where = codesOf(place)
      const here = orm
        .select({ wrong: operatorTries.wrong })
        .from(operatorTries)
        .where(eq(operatorTries.who, `${where}${place.bucket}`))
        .get()
      const [all] = orm.select({ places: count() }).from(operatorTries).where(isAt(where)).all()
      return { here: here?.wrong ?? 0, places: all?.places ?? 0 }
    },
  }
}
