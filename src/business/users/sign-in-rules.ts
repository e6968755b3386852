import { dayMs, hourMs, type Ms } from '../../domain/clock'
import { isHashOf } from '../../domain/pepper'
import type { RefusedPeople } from './refusal'
import {
  addresses,
  browsers,
  unknownClients,
  type RequestFacts,
  type CodeFacts,
  type SentCode,
  type SignInPlace,
  type TryOutcome,
  type WrongCodes,
} from './sign-in-contract'

/**
 * Rules of sign-in by code. They bound guessing and cost without a lock that strangers could use against the owner
 * of a number; `test/people/sign-in.simulation.test.ts` plays them against a thousand addresses.
 *
 * **Places.** A number knows the browsers (by a cookie) and addresses from which it signed in. Everybody else is a
 * stranger, also the owner with a new device: nothing tells them apart before a code came back. What strangers use up
 * is theirs alone: known browsers and known addresses have codes, and wrong codes, of their own, and half of an
 * hour's SMS is kept for known places. So an owner there waits for nothing but the minute between two codes. Clients
 * that share a known address with the owner use up what addresses have, and nothing of the owner's browsers.
 *
 * **Numbers.** All places of a number together have ten codes in an hour, those counted that came back from
 * strangers, and their wrong codes count for the number: neither more places nor the eviction of old ones brings
 * more. So many numbers of one attacker are needed to use up the half of known places.
 *
 * **Short codes** have six digits, and only the browser that asked may try them: strangers neither guess a code that
 * the owner asked for nor use it up. A code takes ten guesses.
 *
 * **Long codes** keep an owner with a new device from being locked out while strangers ask for codes all the time. A
 * number is sent five unanswered codes of strangers in an hour; the fifth has twelve digits, is good until the next
 * may be sent, and any browser may try it: whoever holds the phone has it. Its first six digits name it, and only a
 * guess that names it is one of its ten. A thousand addresses with 240 tries an hour each name it once in four hours,
 * so they do not use it up either.
 *
 * **Chance.** A guess of a short code, and one that names a long code, is right once in 10⁶. Of strangers there are
 * 35 a number in 24 hours that begin with the first wrong one, of known browsers 10 and of known addresses 5. Any 24
 * hours touch two such days, so a number's code is guessed with a chance of at most 2 × 50 / 10⁶ = 1 in 10,000 a day,
 * wherever guesses come from. Strangers are sent short codes only as long as all guesses they allow stay below 20 of
 * the 35, and long ones from then on: the rest lasts for a day against a thousand addresses (240,000 tries an hour /
 * 10⁶ × 24 hours = 6).
 *
 * **SMS.** Of an hour's codes strangers get half, and numbers without an account a quarter. Codes that come back do
 * not count: they were no stranger's. An owner with a new device is refused one where strangers have used up half of
 * the hour: for that they have to know so many numbers with accounts that five codes for each come to a quarter.
 */

/** Digits that are guessed: of every code, the last ones. */
const secretDigits = 6
/** Digits that name a long code. */
export const nameDigits = 6
/** Length of a code that any browser may try. */
export const longDigits = nameDigits + secretDigits
export const shortDigits = secretDigits

/** Between two codes for one number and browser. */
export const resendMs = 60_000
const maxGuessesPerCode = 10
/** Codes for one number in an hour that are no stranger's: of known places, and answered ones. */
const maxOwnPerHour = {
  number: 10,
  /** Of those, of one known place. */
  place: 5,
  /** Of those, of all known addresses: clients share them. */
  addresses: 5,
}
/** Unanswered codes of strangers for one number in an hour. */
const maxStrangersPerHour = 5
/** Codes that strangers at one address ask for in an hour and nobody answers; wider blocks have several times as many. */
const maxPerAddressHour = 20
/** Wrong codes of one day for one number, by who tried them; known places are strangers' then. */
const maxWrong: Readonly<Record<string, number>> = {
  [unknownClients]: 35,
  [browsers]: 10,
  [addresses]: 5,
}
/** Of those of strangers, by short codes. */
const maxWrongShort = 20
/** Parts of an hour's codes. */
const shares = { strangers: 1 / 2, newcomers: 1 / 4 }

/** Settings that bound sign-in by code. */
export interface SignInLimits {
  readonly lifeMs: number
  /** Codes that the whole service sends in an hour: an open button that spends money. */
  readonly perServiceHour: number
}

const secondsUntil = (time: number, now: Ms): number => Math.max(1, Math.ceil((time - now) / 1000))

const wait = (
  code: 'code_locked' | 'code_too_soon' | 'code_too_often' | 'sms_capacity',
  until: number,
  now: Ms,
): RefusedPeople => ({ code, facts: { waitSeconds: secondsUntil(until, now) } })

const isAlive = ({ hash, expires }: SentCode, now: Ms): boolean => hash !== null && expires > now

const wrongOfDay = ({ wrong, wrongSince }: WrongCodes, now: Ms): number =>
  wrongSince + dayMs > now ? wrong : 0

const placeIn = ({ places }: CodeFacts, name: string): SignInPlace =>
  places.find(({ place }) => place === name) ?? { place: name, wrong: 0, wrongSince: 0 as Ms }

/** Name under which wrong codes count. @param browser of the request */
const groupOf = (place: string, browser: string): string =>
  place === unknownClients ? unknownClients : place === browser ? browsers : addresses

const isUsedUp = (group: SignInPlace, now: Ms): boolean =>
  wrongOfDay(group, now) >= (maxWrong[group.place] ?? 0)

const isOwn = ({ place, answered }: SentCode): boolean => place !== unknownClients || answered

/** One wrong code more; a day begins with its first one. */
function oneMore(count: WrongCodes, now: Ms): WrongCodes {
  const wrong = wrongOfDay(count, now)
  return { wrong: wrong + 1, wrongSince: wrong === 0 ? now : count.wrongSince }
}

/** Browser that requests a code. */
interface RequestingBrowser {
  readonly browser: string
  /** Names of its places, the most its own first. */
  readonly places: readonly string[]
  readonly now: Ms
  readonly limits: SignInLimits
}

/** A code to send. */
interface CodeOrder {
  readonly place: string
  readonly newcomer: boolean
  readonly isLong: boolean
  readonly expires: Ms
}

/** Outcome of asking: a code to send, one that was sent before and is good, or a refusal. */
export type RequestOutcome =
  { readonly send: CodeOrder } | { readonly use: SentCode } | RequestRefusal

interface RequestRefusal {
  readonly refusal: RefusedPeople
  /** Codes of an hour that were reached; null for other limits. */
  readonly capacity: number | null
}

/** Whether a code is sent, and which. */
export function answerRequest(facts: RequestFacts, asking: RequestingBrowser): RequestOutcome {
  const { codes, hour } = facts
  const { browser, now, limits } = asking
  const mine = codes.findLast((code) => code.browser === browser && isAlive(code, now))
  if (mine !== undefined && mine.sent + resendMs > now)
    return { refusal: wait('code_too_soon', mine.sent + resendMs, now), capacity: null }
  const known = knownPlace(facts, asking)
  if (known !== undefined && hour.sent < limits.perServiceHour) {
    const expires = (now + limits.lifeMs) as Ms
    return { send: { place: known.place, newcomer: false, isLong: false, expires } }
  }
  const refused = refuseStranger(facts, limits, now)
  if (refused === null) return { send: strangersCode(facts, asking) }
  // Whoever holds the phone has this one, no matter who asked for it.
  const use = codes.findLast((code) => code.name !== null && isAlive(code, now))
  return use === undefined ? refused : { use }
}

/** The first of a browser's places that the number knows, and that has codes left. */
function knownPlace(facts: RequestFacts, { browser, places, now }: RequestingBrowser) {
  const { codes } = facts
  if (codes.filter(isOwn).length >= maxOwnPerHour.number) return undefined
  const ofAddresses = codes.filter((code) => groupOf(code.place, code.browser) === addresses)
  return places
    .flatMap((name) => facts.places.filter(({ place }) => place === name))
    .find(({ place }) => {
      const group = groupOf(place, browser)
      const isFull = group === addresses && ofAddresses.length >= maxOwnPerHour.addresses
      const sent = codes.filter((code) => code.place === place).length
      return !isFull && sent < maxOwnPerHour.place && !isUsedUp(placeIn(facts, group), now)
    })
}

const unansweredOf = ({ codes }: CodeFacts): readonly SentCode[] =>
  codes.filter((code) => !isOwn(code))

function refuseStranger(facts: RequestFacts, limits: SignInLimits, now: Ms): RequestRefusal | null {
  const unanswered = unansweredOf(facts)
  const own = facts.codes.filter(isOwn)
  const full = facts.blocks.find(({ count, weight }) => count >= maxPerAddressHour * weight)
  const oldest =
    (unanswered.length >= maxStrangersPerHour ? unanswered[0]?.sent : undefined) ??
    (own.length >= maxOwnPerHour.number ? own[0]?.sent : undefined) ??
    full?.oldest
  if (oldest !== undefined && oldest !== null)
    return { refusal: wait('code_too_often', oldest + hourMs, now), capacity: null }
  const capacity = fullPart(facts, limits)
  if (capacity === null) return null
  const nextHour = (Math.floor(now / hourMs) + 1) * hourMs
  return { refusal: wait('sms_capacity', nextHour, now), capacity }
}

/** The part of an hour's codes that is used up for a stranger; null where none is. */
function fullPart(
  { hour, hasAccount }: RequestFacts,
  { perServiceHour }: SignInLimits,
): number | null {
  const part = (share: number) => Math.max(1, Math.floor(perServiceHour * share))
  const parts = [
    { sent: hour.sent, most: perServiceHour },
    { sent: hour.strangers, most: part(shares.strangers) },
    { sent: hasAccount ? 0 : hour.newcomers, most: part(shares.newcomers) },
  ]
  return parts.find(({ sent, most }) => sent >= most)?.most ?? null
}

function strangersCode(facts: RequestFacts, { now, limits }: RequestingBrowser): CodeOrder {
  const unanswered = unansweredOf(facts)
  const isLast = unanswered.length + 1 >= maxStrangersPerHour
  const shortOnes = unanswered.filter((code) => code.name === null && isAlive(code, now))
  const guesses =
    wrongOfDay(placeIn(facts, unknownClients), now) + maxGuessesPerCode * (shortOnes.length + 1)
  const life = now + limits.lifeMs
  // The last one is good until the next may be sent.
  const expires = isLast ? Math.max(life, (unanswered[0]?.sent ?? now) + hourMs) : life
  return {
    place: unknownClients,
    newcomer: !facts.hasAccount,
    isLong: isLast || guesses > maxWrongShort,
    expires: expires as Ms,
  }
}

/** A guess, as hashes. */
interface TypedCode {
  readonly browser: string
  /** Of a long code: hash of its name. */
  readonly name: string | null
  /** Of every generation of the pepper. */
  readonly hashes: readonly string[]
}

const untried = (answer: RefusedPeople): TryOutcome<RefusedPeople> => ({
  code: null,
  wrongOf: null,
  wasWrong: false,
  answer,
})

/** Checks a typed code. @returns the answer null: it was right, and is used up */
export function tryCode(
  facts: CodeFacts,
  typed: TypedCode,
  now: Ms,
): TryOutcome<RefusedPeople | null> {
  const { codes } = facts
  const { name, browser, hashes } = typed
  const alive = codes.filter(
    (code) => isAlive(code, now) && (code.name === null) === (name === null),
  )
  const code =
    name === null
      ? alive.findLast((each) => each.browser === browser)
      : alive.findLast((each) => each.name === name)
  // A long code that names none is compared with none.
  if (code === undefined && name !== null && alive.length > 0)
    return {
      ...untried({ code: 'code_long_wrong', facts: { digits: longDigits } }),
      wasWrong: true,
    }
  // The same answer for a phone that never asked as for one whose code is over.
  if (code === undefined || code.hash === null) return untried({ code: 'code_expired', facts: {} })
  const group = placeIn(facts, groupOf(code.place, code.browser))
  if (isUsedUp(group, now))
    return untried(
      group.place === unknownClients
        ? wait('code_locked', group.wrongSince + dayMs, now)
        : { code: 'code_expired', facts: {} },
    )
  if (isHashOf(hashes, code.hash))
    return { code: used(code), wrongOf: null, wasWrong: false, answer: null }
  return { ...wrongTry(code), wrongOf: { ...group, ...oneMore(group, now) }, wasWrong: true }
}

const used = (code: SentCode): SentCode => ({ ...code, hash: null, answered: true })

function wrongTry(code: SentCode): { readonly code: SentCode; readonly answer: RefusedPeople } {
  const wrong = code.wrong + 1
  const left = maxGuessesPerCode - wrong
  if (left === 0)
    return { code: { ...code, wrong, hash: null }, answer: { code: 'code_void', facts: {} } }
  const answer: RefusedPeople =
    code.name === null
      ? { code: 'code_wrong', facts: { left } }
      : { code: 'code_long_wrong', facts: { digits: longDigits } }
  return { code: { ...code, wrong }, answer }
}
