import type { Caller } from '../../domain/caller'
import type { Route } from '../../domain/model'
import { minus, nanoUsd, zeroUsd, type NanoUsd } from '../../domain/money'
import { inputTokens, outputTokens, type Meter, type Units, type Usage } from '../../domain/usage'
import type { Ended, OpenCall } from '../../call/outcome'
import { ceilingPrice, price } from '../../metering/price'
import { unitsFor, unitsWithin, type UsageCeiling } from '../../metering/usage-ceiling'
import {
  heardTokens,
  spokenTokens,
  textTokens,
  type SoundRates,
} from '../../formats/realtime/audio-tokens'

/** What one model of a socket has cost, and the money held for what comes. One record, one charge. */
export interface Tab {
  /** Characters of sound and text that passed since the last bill: what a cut is charged by. */
  passed(by: 'client' | 'vendor', what: 'sound' | 'text', chars: number): void
  /**
   * What the vendor did with the client's sound: only what it took in as said is paid for.
   * @returns characters of what was said
   */
  heard(what: 'speech' | 'said' | 'nothing'): number
  /** An answer has begun. */
  began(): void
  /** Answers that have begun and are not billed. */
  answering(): number
  /** An answer is over. @param usage null when the vendor does not tell: then what passed is charged */
  billed(usage: Usage | null, rates: SoundRates): void
  /**
   * Holds enough for the next turn as it is by now; while one goes on, enough for what passes.
   * @throws the code of the cap, or of the state of the key, that is in the way
   */
  cover(rates: SoundRates): void
  /** Whether so much passed that `cover` is due before more does. */
  coverDue(): boolean
  /** Ends the record and charges it, with an estimate for an answer that was cut. */
  close(ended: Omit<Ended, 'route'>, rates: SoundRates): void
}

export interface TabParts {
  readonly call: OpenCall
  readonly route: Route
  /** Held ahead of what is owed; what the last turn cost, where that is more. */
  readonly margin: NanoUsd
  /** The caller by now. @throws what `Identity.renew` throws */
  renew(): Caller
}

/** Characters that pass between two looks at the money: four seconds of sound. */
const coverEveryChars = 262_144
/** A character of text costs more than one of sound. */
const textWeight = 8

/** Of a model of which nobody knows how much goes in, or comes out. */
const largestContext = 2_000_000
const largestOutput = 131_072
const secondsOfDay = 86_400

/** The most that one answer of a conversation can use. */
const answerCeiling = ({ model }: OpenCall['offer']): UsageCeiling => ({
  inputTokens: model.contextLength ?? largestContext,
  outputTokens: model.maxOutputTokens ?? largestOutput,
  others: { audio_second: secondsOfDay },
})

export function openTab({ call, route, margin, renew }: TabParts): Tab {
  const { hold, offer } = call
  const ceiling = answerCeiling(offer)
  const units: Partial<Record<Meter, number>> = {}
  /** All that was counted, and whether some of it could not be charged. */
  let counting: Units = {}
  let isCut = false
  let isBeyondPossible = false
  let reasoning = 0
  let estimated = false
  let answering = 0
  let owed = zeroUsd
  let lastTurn = zeroUsd
  let unlooked = 0
  const chars = { client: { sound: 0, text: 0 }, vendor: { sound: 0, text: 0 } }
  /** Of the client's sound what was taken in as said; null where the vendor does not tell. */
  let said: number | null = null

  const guess = (rates: SoundRates, sound: number): Units => ({
    input_audio: heardTokens(sound, rates),
    input: textTokens(chars.client.text),
    output_audio: spokenTokens(chars.vendor.sound, rates),
    output: textTokens(chars.vendor.text),
  })
  /** What is charged for an answer that nobody counted: nothing where nothing of it came. */
  const delivered = (rates: SoundRates): Units =>
    chars.vendor.sound + chars.vendor.text === 0 ? {} : guess(rates, said ?? chars.client.sound)
  const usage = (): Usage => ({ units: { ...units }, reasoning, estimated })

  const add = (more: Units) => {
    for (const [meter, count] of countsOf(more)) units[meter] = (units[meter] ?? 0) + count
    chars.client.text = chars.vendor.sound = chars.vendor.text = 0
    // Sound that was not taken in yet belongs to what is said next.
    if (said === null) chars.client.sound = 0
    else said = 0
  }
  // Silence that is listened to for an hour needs no money: sound counts once it was taken in.
  const running = (rates: SoundRates): NanoUsd =>
    price(sumOf(units, guess(rates, said ?? 0)), offer.rates)

  /** A vendor's count as far as it can be true. */
  const believed = (told: Usage | null, rates: SoundRates): Usage | null => {
    if (told === null || !isPayable(told.units, offer)) return null
    const { output = 0, output_audio = 0 } = delivered(rates)
    // Some count nothing of what they said.
    if (outputTokens(told) > 0 || output + output_audio === 0) return told
    if (inputTokens(told) === 0) return null
    return { ...told, units: sumOf(told.units, { output, output_audio }), estimated: true }
  }

  /** What of an answer there is money for. */
  const payableOf = (answer: Units): Units => {
    const cost = ceilingPrice(sumOf(units, answer), offer.rates)
    const most = cost > hold.amount ? hold.chargeable(cost) : cost
    if (most >= cost) return answer
    return unitsFor(answer, minus(cost, owed), nanoUsd(Math.max(0, most - owed)))
  }

  const free = offer.model.isFree
  return {
    passed(by, what, count) {
      chars[by][what] += count
      if (what === 'text') unlooked += count * textWeight
      else if (by === 'vendor') unlooked += count
    },
    heard(what) {
      const taken = what === 'said' ? chars.client.sound : 0
      if (what === 'said') said = (said ?? 0) + taken
      chars.client.sound = 0
      return taken
    },
    began() {
      answering++
      call.answered()
    },
    answering: () => answering,
    billed(reported, rates) {
      if (answering > 0) answering--
      call.answered()
      const counted = believed(reported, rates)
      if (counted?.estimated !== false) estimated = true
      reasoning += counted?.reasoning ?? 0
      const told = counted?.units ?? delivered(rates)
      counting = sumOf(counting, told)
      const possible = unitsWithin(told, ceiling)
      if (possible !== told) isBeyondPossible = true
      const payable = payableOf(possible)
      if (payable !== told) isCut = estimated = true
      add(payable)
      const now = price(units, offer.rates)
      lastTurn = nanoUsd(now - owed)
      owed = now
      const { vendor, vendorModel } = route
      const used = usage()
      hold.owe({ usage: used, cost: owed, vendor, vendorModel, ...call.vendorCost(route, used) })
    },
    cover(rates) {
      unlooked = 0
      if (free) return
      const ahead = Math.max(margin, lastTurn)
      const now = running(rates)
      // While something is under way half of what was held ahead may be used up first.
      const least = now === owed ? now + ahead : now + ahead / 2
      if (hold.amount < least) hold.grow(nanoUsd(now + ahead - hold.amount), renew())
    },
    coverDue: () => unlooked >= coverEveryChars,
    close(ended, rates) {
      if (answering > 0) {
        const last = delivered(rates)
        counting = sumOf(counting, last)
        const payable = payableOf(last)
        if (payable !== last) isCut = true
        add(payable)
        estimated = true
      }
      const counted = isCut ? { units: counting, isBeyondPossible } : null
      call.charge({ ...ended, route }, usage(), counted)
    },
  }
}

/** A count that no sum can hold is none. */
function isPayable(units: Units, { rates }: OpenCall['offer']): boolean {
  try {
    price(units, rates)
    return true
  } catch (thrown) {
    if (thrown instanceof RangeError) return false
    throw thrown
  }
}

function sumOf(units: Units, more: Units): Units {
  const sum: Partial<Record<Meter, number>> = { ...units }
  for (const [meter, count] of countsOf(more)) sum[meter] = (sum[meter] ?? 0) + count
  return sum
}

const countsOf = (units: Units): readonly (readonly [Meter, number])[] =>
  Object.entries(units).flatMap(([name, count]) =>
    count === undefined || count === 0 ? [] : [[name as Meter, count] as const],
  )
