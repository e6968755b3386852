import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import type { Ms } from '../../domain/clock'
import type { Phone } from '../../people/phone'
import type { KeptCode, SignInStore } from '../../people/sign-in-store'
import { signInAsks, signInCodes, signInHours } from '../schema'
import type { Connection } from './database'

const hourMs = 3_600_000

const hourOf = (time: Ms): string => new Date(time).toISOString().slice(0, 13)

/** Sign-in codes, as rows. */
export function openSignInRows({ orm, transaction }: Connection): SignInStore {
  const codeOf = (phone: Phone): KeptCode | null =>
    orm.select().from(signInCodes).where(eq(signInCodes.phone, phone)).limit(1).get() ?? null
  const keep = (phone: Phone, code: KeptCode) =>
    orm
      .insert(signInCodes)
      .values({ ...code, phone })
      .onConflictDoUpdate({ target: signInCodes.phone, set: code })
      .run()
  const asksOf = (who: string, now: Ms): Ms[] =>
    orm
      .select({ at: signInAsks.at })
      .from(signInAsks)
      .where(and(eq(signInAsks.who, who), gt(signInAsks.at, (now - hourMs) as Ms)))
      .orderBy(asc(signInAsks.at))
      .all()
      .map(({ at }) => at)
  /** @returns what the hour comes to */
  const count = (at: Ms, sum: 'sent' | 'wrong'): number => {
    const one = { sent: 0, wrong: 0, [sum]: 1 }
    const row = orm
      .insert(signInHours)
      .values({ hour: hourOf(at), ...one })
      .onConflictDoUpdate({
        target: signInHours.hour,
        set: { [sum]: sql`${signInHours[sum]} + 1` },
      })
      .returning()
      .get()
    return row[sum]
  }
  const sentIn = (at: Ms): number =>
    orm
      .select({ sent: signInHours.sent })
      .from(signInHours)
      .where(eq(signInHours.hour, hourOf(at)))
      .get()?.sent ?? 0

  return {
    ask: async ({ phone, address, at }, decide) =>
      transaction(() => {
        const { code, answer } = decide({
          code: codeOf(phone),
          ofPhone: asksOf(phone, at),
          ofAddress: asksOf(address, at),
          ofService: sentIn(at),
        })
        if (code !== null) {
          orm
            .delete(signInAsks)
            .where(lte(signInAsks.at, (at - hourMs) as Ms))
            .run()
          orm
            .insert(signInAsks)
            .values([
              { who: phone, at },
              { who: address, at },
            ])
            .run()
          count(at, 'sent')
          keep(phone, code)
        }
        return { answer }
      }, 'durable').answer,
    check: async (phone, at, decide) =>
      transaction(() => {
        const { code, wasWrong, answer } = decide(codeOf(phone))
        if (code !== null) keep(phone, code)
        return { answer, wrongThisHour: wasWrong ? count(at, 'wrong') : 0 }
      }),
  }
}
