import { and, asc, count, desc, eq, gt, inArray, lte, min, notInArray, sql } from 'drizzle-orm'
import { dayMs, hourMs, type Ms } from '../../domain/clock'
import { addressBlocks } from '../../gateway/net/address'
import { maskPhone, type Phone } from '../../domain/phone'
import {
  addresses,
  browsers,
  unknownClients,
  type SentCode,
  type SignInLimitStore,
  type SignInPlace,
  type SignInStore,
} from './sign-in-contract'
import { people, sentCodes, signInRequests, signInHours, signInPlaces } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import type { WriteAudit } from '../audit-log/audit-log-sql'

/** A place is forgotten so long after the last sign-in from it. */
const placeLifeMs = 90 * dayMs
/** Places of one number. */
const maxPlaces = 12
/** Rows of wrong codes, which are no place and are not evicted for one. */
const sums = [unknownClients, browsers, addresses]

const hourOf = (time: Ms): string => new Date(time).toISOString().slice(0, 13)
const hourBefore = (now: Ms): Ms => (now - hourMs) as Ms

type CodeRow = typeof sentCodes.$inferSelect

/** Sign-in codes, as rows of an hour; and the places of numbers. */
export function openSignInRows(connection: Connection): SignInStore {
  const { orm, transaction } = connection
  const hours = openHourRows(connection)
  const asks = openRequestRows(connection)
  const places = openKnownDeviceRows(connection)
  const codesOf = (phone: Phone, now: Ms): readonly CodeRow[] =>
    orm
      .select()
      .from(sentCodes)
      .where(and(eq(sentCodes.phone, phone), gt(sentCodes.sent, hourBefore(now))))
      .orderBy(asc(sentCodes.sent), asc(sentCodes.id))
      .all()
  const hasAccount = (phone: Phone): boolean =>
    orm.select({ id: people.id }).from(people).where(eq(people.phone, phone)).get() !== undefined
  /** It was no stranger who asked: what it took of their parts is given back. */
  const giveBack = (code: SentCode, rows: readonly CodeRow[]) => {
    const address = rows.find(({ id }) => id === code.id)?.address
    if (code.place !== unknownClients || address === undefined) return
    hours.giveBack(code)
    asks.giveBack(address, code.sent)
  }

  return {
    ask: async ({ phone, address, blocks, at }, decide) =>
      transaction(() => {
        const { code, answer } = decide({
          codes: codesOf(phone, at),
          places: places.of(phone),
          hasAccount: hasAccount(phone),
          blocks: blocks.map((block) => ({ ...block, ...asks.of(block.name, at) })),
          hour: hours.of(at),
        })
        if (code !== null) {
          orm
            .delete(sentCodes)
            .where(lte(sentCodes.sent, hourBefore(at)))
            .run()
          orm
            .insert(sentCodes)
            .values({ ...code, phone, address, wrong: 0, answered: false })
            .run()
          if (code.place === unknownClients) asks.add(blocks, at)
          hours.addSent(at, code)
        }
        return { answer }
      }, 'durable').answer,
    check: async (phone, at, decide) =>
      transaction(() => {
        const codes = codesOf(phone, at)
        const { code, wrongOf, wasWrong, answer } = decide({ codes, places: places.of(phone) })
        if (code !== null) {
          const { hash, wrong, answered } = code
          orm
            .update(sentCodes)
            .set({ hash, wrong, answered })
            .where(eq(sentCodes.id, code.id))
            .run()
          if (answered) giveBack(code, codes)
        }
        if (wrongOf !== null) places.countWrong(phone, wrongOf, at)
        return { answer, wrongThisHour: wasWrong ? hours.addWrong(at) : 0 }
      }),
    unsent: async (phone, browser) =>
      transaction(() => {
        const last = orm
          .select({ id: sentCodes.id })
          .from(sentCodes)
          .where(and(eq(sentCodes.phone, phone), eq(sentCodes.browser, browser)))
          .orderBy(desc(sentCodes.id))
          .limit(1)
          .get()
        if (last !== undefined) orm.delete(sentCodes).where(eq(sentCodes.id, last.id)).run()
      }),
    remember: async (phone, names, at) => transaction(() => places.remember(phone, names, at)),
    knows: async (phone, place) => places.of(phone).some((each) => each.place === place),
  }
}

/** Sums of clock hours. */
function openHourRows({ orm }: Connection) {
  const add = (at: Ms, sums: { sent?: 1; wrong?: 1; strangers?: 1; newcomers?: 1 }) => {
    const none = { sent: 0, wrong: 0, strangers: 0, newcomers: 0 }
    return orm
      .insert(signInHours)
      .values({ hour: hourOf(at), ...none, ...sums })
      .onConflictDoUpdate({
        target: signInHours.hour,
        set: Object.fromEntries(
          (Object.keys(sums) as (keyof typeof sums)[]).map((sum) => [
            sum,
            sql`${signInHours[sum]} + 1`,
          ]),
        ),
      })
      .returning()
      .get()
  }
  return {
    of: (at: Ms) =>
      orm
        .select()
        .from(signInHours)
        .where(eq(signInHours.hour, hourOf(at)))
        .get() ?? { sent: 0, strangers: 0, newcomers: 0 },
    addSent: (at: Ms, { place, newcomer }: Pick<SentCode, 'place' | 'newcomer'>) =>
      add(at, {
        sent: 1,
        ...(place === unknownClients ? { strangers: 1 } : {}),
        ...(newcomer ? { newcomers: 1 } : {}),
      }),
    /** @returns what the hour comes to */
    addWrong: (at: Ms): number => add(at, { wrong: 1 }).wrong,
    giveBack: ({ sent, newcomer }: Pick<SentCode, 'sent' | 'newcomer'>) =>
      orm
        .update(signInHours)
        .set({
          strangers: sql`${signInHours.strangers} - 1`,
          ...(newcomer ? { newcomers: sql`${signInHours.newcomers} - 1` } : {}),
        })
        .where(eq(signInHours.hour, hourOf(sent)))
        .run(),
  }
}

/** Codes of strangers that nobody answered, by block of addresses. */
function openRequestRows({ orm }: Connection) {
  return {
    of: (who: string, now: Ms) =>
      orm
        .select({ count: count(), oldest: min(signInRequests.at) })
        .from(signInRequests)
        .where(and(eq(signInRequests.who, who), gt(signInRequests.at, hourBefore(now))))
        .get() ?? { count: 0, oldest: null },
    add(blocks: readonly { readonly name: string }[], at: Ms): void {
      orm
        .delete(signInRequests)
        .where(lte(signInRequests.at, hourBefore(at)))
        .run()
      orm
        .insert(signInRequests)
        .values(blocks.map(({ name }) => ({ who: name, at })))
        .run()
    },
    giveBack(address: string, at: Ms): void {
      const names = addressBlocks(address).map(({ name }) => name)
      orm
        .delete(signInRequests)
        .where(and(inArray(signInRequests.who, names), eq(signInRequests.at, at)))
        .run()
    },
  }
}

/** Places of numbers, and wrong codes of each. */
function openKnownDeviceRows({ orm }: Connection) {
  const of = (phone: Phone): readonly SignInPlace[] =>
    orm.select().from(signInPlaces).where(eq(signInPlaces.phone, phone)).all()
  return {
    of,
    countWrong(phone: Phone, { place, wrong, wrongSince }: SignInPlace, seen: Ms): void {
      orm
        .insert(signInPlaces)
        .values({ phone, place, seen, wrong, wrongSince })
        .onConflictDoUpdate({
          target: [signInPlaces.phone, signInPlaces.place],
          set: { seen, wrong, wrongSince },
        })
        .run()
    },
    remember(phone: Phone, names: readonly string[], seen: Ms): void {
      orm
        .delete(signInPlaces)
        .where(lte(signInPlaces.seen, (seen - placeLifeMs) as Ms))
        .run()
      for (const place of names)
        orm
          .insert(signInPlaces)
          .values({ phone, place, seen, wrong: 0, wrongSince: seen })
          .onConflictDoUpdate({
            target: [signInPlaces.phone, signInPlaces.place],
            set: { seen },
          })
          .run()
      const ofPhone = and(eq(signInPlaces.phone, phone), notInArray(signInPlaces.place, sums))
      const older = orm
        .select({ place: signInPlaces.place })
        .from(signInPlaces)
        .where(ofPhone)
        .orderBy(desc(signInPlaces.seen))
        .all()
        .slice(maxPlaces)
        .map(({ place }) => place)
      if (older.length > 0)
        orm
          .delete(signInPlaces)
          .where(and(ofPhone, inArray(signInPlaces.place, older)))
          .run()
    },
  }
}

/** Limits of numbers, which an operator lifts. */
export function openSignInLimitRows({ orm }: Connection, record: WriteAudit): SignInLimitStore {
  const subject = (phone: Phone): string => {
    const person = orm.select({ id: people.id }).from(people).where(eq(people.phone, phone)).get()
    return person === undefined ? `phone:${maskPhone(phone)}` : `person:${person.id}`
  }
  return {
    unlock: async (phone) =>
      record({
        what: 'person.unlock',
        work() {
          const codes = orm.delete(sentCodes).where(eq(sentCodes.phone, phone)).returning().all()
          const ofPhone = eq(signInPlaces.phone, phone)
          const places = orm.select().from(signInPlaces).where(ofPhone).all()
          orm.update(signInPlaces).set({ wrong: 0 }).where(ofPhone).run()
          return {
            codes: codes.length,
            wrong: places.reduce((sum, { wrong }) => sum + wrong, 0),
          }
        },
        subject: () => subject(phone),
        before: () => null,
        after: (lifted) => ({ phone: maskPhone(phone), ...lifted }),
      }),
  }
}

/** Forgets the places of a number that somebody else has from now on. */
export const forgetPlaces = ({ orm }: Connection, phone: Phone) =>
  orm.delete(signInPlaces).where(eq(signInPlaces.phone, phone)).run()
