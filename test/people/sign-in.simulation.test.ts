import type { Ticks } from '../../src/domain/clock'
import { describe, expect, test } from 'bun:test'
import { guessing } from '../../src/console/guessing'
import { openLocalLimits } from '../../src/gateway/limits/local-limits'
import { addressBlocks } from '../../src/gateway/net/address'
import { openChangePhone } from '../../src/business/users/change-phone'
import { isPeopleRefusal } from '../../src/business/users/refusal'
import type { Phone } from '../../src/domain/phone'
import { openSignIn } from '../../src/business/users/sign-in'
import type { CodeBrowser } from '../../src/business/users/sign-in-codes'
import { firstSeed, roundsOf } from '../support/campaigns'
import { openDesk, phoneNumber } from './desk'
import { openDice, type Dice } from './dice'

/**
 * A day and more of an attack by a thousand addresses, on the rules, the store and the guard as they serve. Attackers
 * see when an owner comes, and act in between all that the owner does.
 */

const secondMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const stepMs = 10 * secondMs
const attackers = 1000

interface Plan {
  readonly seed: number
  readonly hours: number
  /** Numbers with an account that attackers know. */
  readonly targets: number
  /** Attackers are told the first half of each long code. */
  readonly hasLeak: boolean
  /** From where owners come. */
  readonly comings: readonly Coming[]
  /** Codes of an hour; few, so that attackers use them up. */
  readonly perServiceHour: number
  /** Numbers of attackers themselves, with accounts. */
  readonly ownNumbers: number
  /** What attackers stole of an owner: the session, or all cookies of a browser. */
  readonly stolen: 'nothing' | 'session' | 'cookies'
}

const strangersAlone = { perServiceHour: 100, ownNumbers: 0, stolen: 'nothing' } as const

/** A browser that the number knows elsewhere, its address with another browser, or neither. */
type Coming = 'browser' | 'address' | 'new'

interface Sms {
  readonly code: string
  readonly at: number
  readonly byAttacker: boolean
  guesses: number
  /** The owner signed in by it. */
  isAnswered: boolean
}

const open = (plan: Plan) => {
  const { perServiceHour } = plan
  const dice = openDice(plan.seed)
  const desk = openDesk({ perServiceHour })
  const limits = openLocalLimits({
    monotonic: { ticks: () => Number(desk.clock.now()) as Ticks },
    settings: { addressRequestsPerMinute: 600, addressConcurrency: 100, failedAttempts: 20 },
    attemptWindowMs: 300_000,
    maxOfOneAddress: 1000,
    overloaded: () => false,
  })
  const inbox = new Map<Phone, Sms[]>()
  let isAttacker = false
  const signIn = openSignIn({
    codes: desk.codes,
    entrance: desk.entrance,
    clock: desk.clock,
    send: (phone, code) => {
      const list = inbox.get(phone) ?? []
      const sms = { code, at: desk.clock.now(), guesses: 0, isAnswered: false }
      list.push({ ...sms, byAttacker: isAttacker })
      inbox.set(phone, list)
      return Promise.resolve({ isPrinted: false })
    },
    limits: () => ({ lifeMs: 120_000, perServiceHour }),
    onUnsent: () => {},
  })
  const changePhone = openChangePhone({ codes: desk.codes, people: desk.storage.people, signIn })
  return {
    plan,
    dice,
    desk,
    inbox,
    /** First step of a change of number, in a session of the number's owner. */
    async changeNumber(of: Phone, to: Phone, browser: CodeBrowser) {
      isAttacker = true
      const { person } = await desk.storage.people.begin(of, { account: 'a', project: 'p' })
      await outcomeOf(changePhone.ask(person, to, browser))
    },
    /** @returns whether the phone has the code that this browser may try; else the refusal */
    async ask(phone: Phone, browser: CodeBrowser, byAttacker: boolean) {
      isAttacker = byAttacker
      return await outcomeOf(signIn.ask(phone, browser))
    },
    /** As the page's address takes a code. */
    async check(phone: Phone, browser: CodeBrowser, code: string) {
      const own = await signIn.guessesOf(phone, browser)
      const blocks = own === null ? addressBlocks(browser.address) : [{ name: own, weight: 1 }]
      const visitor = { ...browser, agent: '' }
      return await outcomeOf(
        guessing(limits, blocks, (guess) => signIn.check(guess, { phone, code }, visitor, 'p')),
      )
    },
  }
}

type World = ReturnType<typeof open>

async function outcomeOf<T>(work: Promise<T>): Promise<{ done: T } | { refused: string }> {
  try {
    return { done: await work }
  } catch (thrown) {
    if (isPeopleRefusal(thrown)) return { refused: thrown.code }
    return { refused: 'too_many_failed_attempts' }
  }
}

/** Addresses of attackers: hosts of many networks, and hosters' /48s with as many /64s as one likes. */
const addressesOf = (dice: Dice): readonly string[] =>
  Array.from({ length: attackers }, (_, index) => {
    if (index % 4 === 0) {
      const net = dice.below(65_536).toString(16)
      return `2001:db8:${dice.below(20).toString(16)}:${net}:0:0:0:1`
    }
    return `${dice.below(20) + 11}.${dice.below(20)}.${dice.below(100)}.${dice.below(250) + 1}`
  })

/** A number that has no account. */
const newcomer = (dice: Dice): Phone => phoneNumber(1000 + dice.below(9000))

/** Attackers, and what they are told and have used up. */
class Attackers {
  readonly #world: World
  readonly #addresses: readonly string[]
  readonly targets: readonly Phone[]
  /** Codes that they may try: they asked for them. */
  readonly #open: { phone: Phone; browser: CodeBrowser; sms: Sms }[] = []
  /** Numbers of their own, and the browsers that they use there. */
  readonly own: readonly Phone[]
  readonly #ownBrowsers: CodeBrowser[] = []
  /** Guesses that were compared, by number. */
  readonly compared = new Map<Phone, number[]>()
  #browsers = 0

  constructor(world: World) {
    this.#world = world
    this.#addresses = addressesOf(world.dice)
    this.targets = Array.from({ length: world.plan.targets }, (_, index) => phoneNumber(index))
    const { ownNumbers } = world.plan
    this.own = Array.from({ length: ownNumbers }, (_, index) => phoneNumber(500 + index))
  }

  /** One move. @param at a number that they have in view */
  async move(at: Phone | null): Promise<void> {
    const { dice } = this.#world
    const phone = at ?? dice.of(this.targets)
    if (this.own.length > 0 && dice.below(4) === 0) await this.#useOwn(phone)
    if (this.#world.plan.stolen !== 'nothing' && dice.below(4) === 0) await this.#useStolen(phone)
    switch (dice.below(9)) {
      case 0:
      case 1:
      case 2:
        return await this.#ask(phone)
      case 3:
      case 4:
        return await this.#ask(newcomer(dice))
      case 5:
      case 6:
        return await this.#guessOwn()
      case 7:
        return await this.#guessLong(phone)
      default:
        return await this.#guessOthers(phone)
    }
  }

  /** Signs in to an account of their own, in ever more browsers; and begins to change its number. */
  async #useOwn(target: Phone): Promise<void> {
    const { dice, inbox } = this.#world
    const phone = dice.of(this.own)
    const isKnown = this.#ownBrowsers.length > 12 && dice.below(2) === 0
    const browser = isKnown ? dice.of(this.#ownBrowsers) : this.#browser()
    if (!isKnown) this.#ownBrowsers.push(browser)
    await this.#world.ask(phone, browser, true)
    const sms = inbox.get(phone)?.at(-1)
    if (sms !== undefined && 'done' in (await this.#world.check(phone, browser, sms.code)))
      sms.isAnswered = true
    await this.#world.changeNumber(phone, target, this.#browser())
  }

  /** Guesses codes of an owner whose session they have, or whose browser's cookies. */
  async #useStolen(phone: Phone): Promise<void> {
    const { dice, inbox, plan } = this.#world
    const { token } = plan.stolen === 'cookies' ? homeOf(phone) : this.#browser()
    const browser = { ...this.#browser(), token }
    const before = inbox.get(phone)?.length ?? 0
    await this.#world.changeNumber(phone, newcomer(dice), browser)
    const sms = inbox.get(phone)?.at(before)
    if (sms === undefined || sms.code.length > 6) return
    await this.#guess(phone, browser, sms, 10)
  }

  #browser(): CodeBrowser {
    return { address: this.#world.dice.of(this.#addresses), token: `attacker ${this.#browsers++}` }
  }

  async #ask(phone: Phone): Promise<void> {
    const { inbox } = this.#world
    const browser = this.#browser()
    const asked = await this.#world.ask(phone, browser, true)
    if (!('done' in asked) || asked.done.sentBeforeMs !== null) return
    const sms = inbox.get(phone)?.at(-1)
    if (sms === undefined || sms.code.length > 6 || !this.targets.includes(phone)) return
    this.#open.push({ phone, browser, sms })
    if (this.#open.length > 8) this.#open.shift()
  }

  /** Guesses a code that they asked for, at times from elsewhere with the same cookie. */
  async #guessOwn(): Promise<void> {
    const { dice } = this.#world
    if (this.#open.length === 0) return
    const { phone, browser, sms } = dice.of(this.#open)
    const from = dice.below(3) === 0 ? { ...browser, address: dice.of(this.#addresses) } : browser
    await this.#guess(phone, from, sms, dice.below(12) + 1)
  }

  async #guess(phone: Phone, from: CodeBrowser, sms: Sms, times: number): Promise<void> {
    for (let count = 0; count < times; count++) {
      const answer = await this.#world.check(phone, from, this.#wrong(sms.code))
      if ('refused' in answer && /^code_(?:wrong|void)$/.test(answer.refused))
        this.#count(phone, sms)
      else break
    }
  }

  async #guessLong(phone: Phone): Promise<void> {
    const { dice, inbox, plan } = this.#world
    const long = inbox.get(phone)?.findLast(({ code }) => code.length === 12)
    const blind = String(dice.below(1e6)).padStart(6, '0')
    const name = plan.hasLeak && long !== undefined ? long.code.slice(0, 6) : blind
    for (let count = dice.below(6); count >= 0; count--) {
      const typed = this.#wrong(`${name}${long?.code.slice(6) ?? blind}`)
      const answer = await this.#world.check(phone, this.#browser(), typed)
      const isCompared = 'refused' in answer && /^code_(?:long_wrong|void)$/.test(answer.refused)
      if (isCompared && long?.code.startsWith(name) === true && long.guesses < 10)
        this.#count(phone, long)
    }
  }

  /** Guesses a code that somebody else asked for: the owner's. */
  async #guessOthers(phone: Phone): Promise<void> {
    const { inbox } = this.#world
    const last = inbox.get(phone)?.at(-1)
    if (last === undefined || last.code.length > 6) return
    // Even the right one is compared for nobody but the browser that asked.
    const answer = await this.#world.check(phone, this.#browser(), last.code)
    expect('refused' in answer).toBe(true)
  }

  #wrong(code: string): string {
    const last = Number(code.at(-1))
    return `${code.slice(0, -1)}${(last + 1 + this.#world.dice.below(9)) % 10}`
  }

  #count(phone: Phone, sms: Sms): void {
    sms.guesses++
    const times = this.compared.get(phone) ?? []
    times.push(this.#world.desk.clock.now())
    this.compared.set(phone, times)
  }
}

/** An owner who wants to sign in: asks, and types what came. @returns seconds until they are in */
async function visit(world: World, attack: Attackers, phone: Phone, coming: Coming) {
  const { desk, dice, inbox } = world
  const home = homeOf(phone)
  await desk.codes.remember(phone, home)
  const fresh = `${dice.below(1e9)}`
  const elsewhere = `203.0.${dice.below(250)}.${dice.below(250)}`
  const browser = {
    address: coming === 'address' ? home.address : elsewhere,
    token: coming === 'browser' ? home.token : fresh,
  }
  const begun = desk.clock.now()
  let toType: Sms[] = []
  while (desk.clock.now() - begun <= 5 * 60 * secondMs) {
    for (let count = 0; count < 3; count++) await attack.move(phone)
    const typed = toType.pop()
    if (typed === undefined) {
      const asked = await world.ask(phone, browser, false)
      const digits = 'done' in asked ? asked.done.digits : 0
      // The newest first, as people do.
      const received = inbox.get(phone)?.filter(({ code }) => code.length === digits) ?? []
      toType = received.slice(-3)
    } else {
      const answer = await world.check(phone, browser, typed.code)
      typed.isAnswered = 'done' in answer
      if (typed.isAnswered) return (desk.clock.now() - begun) / secondMs
    }
    desk.pass(stepMs)
  }
  return Number.POSITIVE_INFINITY
}

const homeOf = (phone: Phone): CodeBrowser => ({
  address: `192.0.2.${Number(phone.slice(-3)) % 250}`,
  token: `home of ${phone}`,
})

async function play(plan: Plan) {
  const world = open(plan)
  const { desk, dice } = world
  const attack = new Attackers(world)
  for (const phone of [...attack.targets, ...attack.own])
    await desk.storage.people.begin(phone, { account: 'a', project: 'p' })
  const waits: { coming: Coming; seconds: number }[] = []
  const begun = desk.clock.now()
  while (desk.clock.now() - begun < plan.hours * hourMs) {
    // Bursts at one number, and moves all over.
    const at = dice.below(3) === 0 ? dice.of(attack.targets) : null
    for (let count = dice.below(20); count >= 0; count--) await attack.move(at)
    if (dice.below(3) === 0) {
      const coming = dice.of(plan.comings)
      const seconds = await visit(world, attack, dice.of(attack.targets), coming)
      waits.push({ coming, seconds })
    }
    desk.pass(dice.below(16 * 60) * secondMs)
  }
  await desk.close()
  return { world, attack, waits }
}

/** The most of these times in any span. */
function mostIn(times: readonly number[], spanMs: number): number {
  let first = 0
  let most = 0
  for (const [last, time] of times.entries()) {
    while ((times[first] ?? time) <= time - spanMs) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

function checkBounds({ world, attack }: Awaited<ReturnType<typeof play>>): void {
  const all = [...world.inbox.entries()]
  const { perServiceHour } = world.plan
  // Five of strangers, and ten that were asked for at known places or came back.
  for (const [, list] of all) {
    const sent = list.map(({ at }) => at)
    expect(mostIn(sent, hourMs)).toBeLessThanOrEqual(15)
  }
  const isStrangers = ({ byAttacker, isAnswered }: Sms) => byAttacker && !isAnswered
  const others = all.filter(([phone]) => !attack.own.includes(phone))
  const ofStrangers = others.flatMap(([, list]) => list.filter(isStrangers))
  const hours = Map.groupBy(ofStrangers, ({ at }) => Math.floor(at / hourMs))
  for (const sent of hours.values()) expect(sent.length).toBeLessThanOrEqual(perServiceHour / 2)
  const isTheirs = world.plan.stolen !== 'cookies'
  for (const [phone, list] of others) {
    const asked = list.filter(isStrangers).map(({ at }) => at)
    if (isTheirs) expect(mostIn(asked, hourMs)).toBeLessThanOrEqual(5)
    for (const { guesses } of list) expect(guesses).toBeLessThanOrEqual(10)
    // Each is right with a chance of one in a million.
    expect(mostIn(attack.compared.get(phone) ?? [], dayMs)).toBeLessThanOrEqual(100)
  }
  // It was an attack: it came to the bounds.
  expect(Math.max(...[...hours.values()].map(({ length }) => length))).toBeGreaterThan(35)
  const compared = [...attack.compared.values()].map((times) => mostIn(times, dayMs))
  expect(Math.max(...compared)).toBeGreaterThan(10)
}

const longest = (waits: readonly { readonly seconds: number }[]): number =>
  Math.max(...waits.map(({ seconds }) => seconds))

const seeds = Array.from({ length: roundsOf('sign-in strangers') }, (_, index) => firstSeed + index)
/** Guesses are bounded by the day, all else by the hour. */
const hoursOf = (seed: number): number => (seed % 3 === 1 ? 26 : 6)

describe('sign-in under an attack by a thousand addresses', () => {
  test.each(seeds)(
    'keeps no owner out for more than a minute, wherever they come from (seed %d)',
    async (seed) => {
      const comings = ['browser', 'address', 'new'] as const
      const attackers = { targets: 4, hasLeak: false, ...strangersAlone }
      const played = await play({ seed, hours: hoursOf(seed), comings, ...attackers })
      checkBounds(played)
      expect(played.waits.length).toBeGreaterThan(5)
      expect(longest(played.waits)).toBeLessThanOrEqual(60)
    },
  )

  test.each(seeds)(
    'keeps its bounds where attackers know all numbers and half of each long code (seed %d)',
    async (seed) => {
      const comings = ['browser', 'address'] as const
      const attackers = { targets: 40, hasLeak: true, ...strangersAlone }
      const played = await play({ seed, hours: hoursOf(seed), comings, ...attackers })
      checkBounds(played)
      expect(longest(played.waits)).toBeLessThanOrEqual(60)
    },
  )

  test.each(seeds)(
    'keeps its bounds where attackers have five accounts of their own (seed %d)',
    async (seed) => {
      const comings = ['browser', 'address'] as const
      const attackers = { targets: 40, hasLeak: false, ...strangersAlone }
      const own = { perServiceHour: 300, ownNumbers: 5 }
      const played = await play({ seed, hours: hoursOf(seed), comings, ...attackers, ...own })
      checkBounds(played)
      expect(longest(played.waits)).toBeLessThanOrEqual(60)
    },
  )

  test.each(seeds)(
    'keeps its bounds where attackers have sessions of owners (seed %d)',
    async (seed) => {
      const comings = ['browser', 'address'] as const
      const attackers = {
        targets: 4,
        hasLeak: false,
        ...strangersAlone,
        stolen: 'session',
      } as const
      const played = await play({ seed, hours: hoursOf(seed), comings, ...attackers })
      checkBounds(played)
      expect(longest(played.waits)).toBeLessThanOrEqual(60)
    },
  )

  test.each(seeds)(
    'keeps the chance of a right guess where attackers have all cookies of owners (seed %d)',
    async (seed) => {
      const comings = ['address'] as const
      const attackers = { targets: 4, hasLeak: true, ...strangersAlone, stolen: 'cookies' } as const
      const played = await play({ seed, hours: hoursOf(seed), comings, ...attackers })
      checkBounds(played)
    },
  )
})
