import { randomBytes, randomInt } from 'node:crypto'
import type { Clock, Ms } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import type { Pepper } from '../../domain/pepper'
import { hashSecret } from '../../gateway/identity/secret'
import { addressBlocks, addressBucket } from '../../gateway/net/address'
import { PeopleRefusal, type RefusedPeople } from './refusal'
import { asciiDigits, type Phone } from '../../domain/phone'
import {
  answerRequest,
  longDigits,
  nameDigits,
  shortDigits,
  tryCode,
  type RequestOutcome,
  type SignInLimits,
} from './sign-in-rules'
import type { SignInStore } from './sign-in-contract'

/** Browser that asks for a code or tries one. */
export interface CodeBrowser {
  readonly address: string
  /** Token of its cookie. */
  readonly token: string
}

/** Code to send, or that was sent before. */
interface IssuedCode {
  /** Null where one that was sent before is good: the phone has it. */
  readonly code: string | null
  readonly digits: number
  readonly sent: Ms
}

/** Codes that are sent by SMS: kept as hashes, used once. */
export interface SignInCodes {
  /**
   * The code to send. Says nothing of whether the phone is known, as long as strangers have SMS left.
   * @throws PeopleRefusal
   */
  issue(phone: Phone, browser: CodeBrowser): Promise<IssuedCode>
  /** Forgets a code that could not be sent, so that another may be asked for at once. */
  unsent(phone: Phone, browser: CodeBrowser): Promise<void>
  /**
   * @param code as a person typed it
   * @throws PeopleRefusal unless it is right: then it is used up, or kept for the next check
   */
  check(
    guess: Guess,
    typed: { readonly phone: Phone; readonly code: string },
    browser: CodeBrowser,
    then?: 'keep',
  ): Promise<void>
  /** Keeps a browser and its address as places of a number, whose owner is there. */
  remember(phone: Phone, browser: CodeBrowser): Promise<void>
  /** Name under which guesses of a browser count that the number knows; null for others: by address. */
  knownBrowser(phone: Phone, browser: CodeBrowser): Promise<string | null>
}

/** Alarm to the operator, with the number that was reached. */
export type SignInAlarm = 'sms_per_hour' | 'wrong_codes'

interface SignInCodesParts {
  readonly store: SignInStore
  readonly clock: Clock
  readonly pepper: Pepper
  /** Read at each use: an operator changes them. */
  limits(): SignInLimits
  /** Wrong codes of the whole service in an hour from which the operator is told. */
  wrongAlarm(): number
  onAlarm(alarm: SignInAlarm, limit: number): Promise<void>
}

/** A code to send, or the other outcomes of a request. */
type Issued = { readonly send: string } | Exclude<RequestOutcome, { readonly send: unknown }>

const tokenBytes = 32

/** Token of a browser's cookie: it tells the browser from others, and signs nobody in. */
export const makeBrowserToken = (): string => randomBytes(tokenBytes).toString('base64url')

export function openSignInCodes(parts: SignInCodesParts): SignInCodes {
  const { store, clock, limits, wrongAlarm, onAlarm } = parts
  const hashes = openHashes(parts)
  return {
    async issue(phone, browser) {
      const now = clock.now()
      const { address } = browser
      const asking = { phone, address, blocks: addressBlocks(address), at: now }
      const issued = await store.ask<Issued>(asking, (facts) => {
        const id = hashes.browser(browser)
        const places = hashes.places(phone, browser)
        const outcome = answerRequest(facts, { browser: id, places, now, limits: limits() })
        if (!('send' in outcome)) return { code: null, answer: outcome }
        const { isLong, ...order } = outcome.send
        const code = randomDigits(isLong ? longDigits : shortDigits)
        const name = isLong ? hashes.name(phone, code) : null
        const sent = { ...order, browser: id, name, hash: hashes.code(phone, code), sent: now }
        return { code: sent, answer: { send: code } }
      })
      if ('send' in issued) return { code: issued.send, digits: issued.send.length, sent: now }
      if ('use' in issued) return { code: null, digits: longDigits, sent: issued.use.sent }
      if (issued.capacity !== null) await onAlarm('sms_per_hour', issued.capacity)
      throw peopleRefusal(issued.refusal)
    },
    unsent: (phone, browser) => store.unsent(phone, hashes.browser(browser)),
    async check(_guess, typed, browser, then) {
      const { phone } = typed
      const now = clock.now()
      const code = digitsOf(typed.code)
      const name = code.length === longDigits ? hashes.name(phone, code) : null
      const hashed = { browser: hashes.browser(browser), name, hashes: hashes.codes(phone, code) }
      const { answer, wrongThisHour } = await store.check(phone, now, (facts) => {
        const tried = tryCode(facts, hashed, now)
        return tried.answer === null && then === 'keep' ? { ...tried, code: null } : tried
      })
      if (answer === null) return
      const alarm = wrongAlarm()
      if (wrongThisHour >= alarm) await onAlarm('wrong_codes', alarm)
      throw peopleRefusal(answer)
    },
    remember: (phone, browser) => store.remember(phone, hashes.places(phone, browser), clock.now()),
    async knownBrowser(phone, browser) {
      const place = hashes.browser(browser)
      return (await store.knows(phone, place)) ? `browser:${place}` : null
    },
  }
}

const peopleRefusal = ({ code, facts }: RefusedPeople) => new PeopleRefusal(code, facts)

function openHashes({ pepper }: Pick<SignInCodesParts, 'pepper'>) {
  // Known for months: no rotation of the key makes strangers of them.
  const browser = ({ token }: CodeBrowser) => pepper.lastingHash(`browser:${token}`)
  const textOf = (phone: Phone, code: string) => `code:${phone}:${code}`
  return {
    browser,
    code: (phone: Phone, code: string) => hashSecret(textOf(phone, code), pepper),
    codes: (phone: Phone, code: string) => pepper.hashes(textOf(phone, code)),
    name: (phone: Phone, code: string) =>
      pepper.lastingHash(`code-name:${phone}:${code.slice(0, nameDigits)}`),
    /** Neither a number's addresses nor the numbers of an address can be read back. */
    places: (phone: Phone, from: CodeBrowser): readonly string[] => [
      browser(from),
      pepper.lastingHash(`sign-in-address:${phone}:${addressBucket(from.address)}`),
    ],
  }
}

/** Digits of a typed code, which people group as they read it. */
const digitsOf = (typed: string): string => asciiDigits(typed).replace(/\D/g, '')

const randomDigits = (count: number): string =>
  Array.from({ length: count }, () => String(randomInt(10))).join('')
