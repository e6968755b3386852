import type { Caller } from '../../../domain/caller'
import type { Route } from '../../../domain/model'
import { minus, nanoUsd, zeroUsd, type NanoUsd } from '../../../domain/money'
import {
  inputTokens,
  outputTokens,
  type Meter,
  type Units,
  type Usage,
} from '../../../domain/usage'
import type { Ended, MeteredCall } from '../../call/settlement'
import { ceilingPrice, price } from '../../metering/price'
import { unitsFor, unitsWithin, type UsageCeiling } from '../../metering/usage-ceiling'
import {
  type SoundRates,
  inputAudioTokens,
  outputAudioTokens,
  textTokens,
} from '../../formats/realtime/audio-tokens'

/** Running bill of one model of a socket, and the money held for the next turn. One record, one charge. */
export interface RunningBill {
  /** Characters of sound and text that passed since the last bill: what a cut is charged by. */
  passed(by: 'client' | 'vendor', what: 'sound' | 'text', chars: number): void
  /**
   * Records what the vendor did with the client's sound: only what it took in as said is paid for.
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
   * Tops up the hold for the next turn or, mid-turn, for the audio relayed so far.
   * @throws the code of the cap, or of the state of the key, that is in the way
   */
  cover(rates: SoundRates): void
  /** Whether so much passed that `cover` is due before more does. */
  coverDue(): boolean
  /** Ends the record and charges it, with an estimate for an answer that was cut. */
  close(ended: Omit<Ended, 'route'>, rates: SoundRates): void
}

interface RunningBillParts {
  readonly call: MeteredCall
  readonly route: Route
  /** Held ahead of what is owed; what the last turn cost, where that is more. */
  readonly margin: NanoUsd
  /** The caller by now. @throws errors of `Identity.renew` */
  renew(): Caller
}

/** Characters that pass between two looks at the money: four seconds of sound. */
const coverEveryChars = 262_144
/** A character of text costs more than one of sound. */
const textWeight = 8

/** Of a model of which nobody knows how much goes in, or comes out. */
const maxContext = 2_000_000
const maxOutput = 131_072
const secondsOfDay = 86_400

/** The most that one answer of a conversation can use. */
const answerCeiling = ({ model }: MeteredCall['offer']): UsageCeiling => ({
  inputTokens: model.contextLength ?? maxContext,
  outputTokens: model.maxOutputTokens ?? maxOutput,
  others: { audio_second: secondsOfDay },
})

export const openRunningBill = (parts: RunningBillParts): RunningBill => new ModelBill(parts)

class ModelBill implements RunningBill {
  #units: Units = {}
  /** All that was counted, and whether some of it could not be charged. */
  #counting: Units = {}
  #isCut = false
  #isBeyondPossible = false
  #reasoning = 0
  #estimated = false
  #answering = 0
  #owed = zeroUsd
  #lastTurn = zeroUsd
  #unlooked = 0
  /** Other processes are asked for money. */
  #isAsking = false
  /** They have none. */
  #refusal: Error | null = null
  readonly #chars = new PassedChars()
  readonly #ceiling: UsageCeiling
  readonly #parts: RunningBillParts

  constructor(parts: RunningBillParts) {
    this.#parts = parts
    this.#ceiling = answerCeiling(parts.call.offer)
  }

  passed(by: 'client' | 'vendor', what: 'sound' | 'text', count: number): void {
    this.#chars.add(by, what, count)
    if (what === 'text') this.#unlooked += count * textWeight
    else if (by === 'vendor') this.#unlooked += count
  }

  heard(what: 'speech' | 'said' | 'nothing'): number {
    return this.#chars.heard(what)
  }

  began(): void {
    this.#answering++
    this.#parts.call.answered()
  }

  answering(): number {
    return this.#answering
  }

  billed(reported: Usage | null, rates: SoundRates): void {
    const { call, route } = this.#parts
    if (this.#answering > 0) this.#answering--
    call.answered()
    const counted = this.#believed(reported, rates)
    if (counted?.estimated !== false) this.#estimated = true
    this.#reasoning += counted?.reasoning ?? 0
    const told = counted?.units ?? this.#chars.delivered(rates)
    const possible = unitsWithin(told, this.#ceiling)
    if (possible !== told) this.#isBeyondPossible = true
    if (!this.#add(told, possible)) this.#estimated = true
    const now = price(this.#units, call.offer.rates)
    this.#lastTurn = nanoUsd(now - this.#owed)
    this.#owed = now
    const { vendor, vendorModel } = route
    const used = this.#usage()
    const cost = call.vendorCost(route, used)
    call.hold.owe({ usage: used, cost: now, vendor, vendorModel, ...cost })
  }

  cover(rates: SoundRates): void {
    this.#unlooked = 0
    const { call, margin } = this.#parts
    const { hold, offer } = call
    if (offer.model.isFree) return
    const ahead = Math.max(margin, this.#lastTurn)
    const now = price(sumOf(this.#units, this.#chars.running(rates)), offer.rates)
    // While something is under way half of what was held ahead may be used up first.
    const least = now === this.#owed ? now + ahead : now + ahead / 2
    if (hold.amount < least) this.#grow(nanoUsd(now + ahead - hold.amount), now)
  }

  /** Other processes are asked while what is used is paid by what is held ahead. */
  #grow(by: NanoUsd, used: number): void {
    const { call, renew } = this.#parts
    const { hold } = call
    if (this.#refusal !== null) throw this.#refusal
    try {
      hold.grow(by, renew())
    } catch (thrown) {
      if (hold.growFromAll === undefined || used > hold.amount) throw thrown
      if (this.#isAsking) return
      this.#isAsking = true
      void hold
        .growFromAll(by, renew())
        .catch((refusal: Error) => void (this.#refusal = refusal))
        .finally(() => void (this.#isAsking = false))
    }
  }

  coverDue(): boolean {
    return this.#unlooked >= coverEveryChars
  }

  close(ended: Omit<Ended, 'route'>, rates: SoundRates): void {
    const { call, route } = this.#parts
    if (this.#answering > 0) {
      const last = this.#chars.delivered(rates)
      this.#add(last, last)
      this.#estimated = true
    }
    const isBeyondPossible = this.#isBeyondPossible
    const counted = this.#isCut ? { units: this.#counting, isBeyondPossible } : null
    call.charge({ ...ended, route }, this.#usage(), counted)
  }

  #usage(): Usage {
    return { units: { ...this.#units }, reasoning: this.#reasoning, estimated: this.#estimated }
  }

  /**
   * Adds an answer as far as there is money for it.
   * @param possible what of it can be true
   * @returns whether all of it was added
   */
  #add(counted: Units, possible: Units): boolean {
    this.#counting = sumOf(this.#counting, counted)
    const payable = this.#payableOf(possible)
    if (payable !== counted) this.#isCut = true
    this.#units = sumOf(this.#units, payable)
    this.#chars.billed()
    return payable === counted
  }

  /** A vendor's count as far as it can be true. */
  #believed(told: Usage | null, rates: SoundRates): Usage | null {
    if (told === null || !isPayable(told.units, this.#parts.call.offer)) return null
    const { output = 0, output_audio = 0 } = this.#chars.delivered(rates)
    // Some count nothing of what they said.
    if (outputTokens(told) > 0 || output + output_audio === 0) return told
    if (inputTokens(told) === 0) return null
    return { ...told, units: sumOf(told.units, { output, output_audio }), estimated: true }
  }

  /** Part of an answer that the money covers. */
  #payableOf(answer: Units): Units {
    const { hold, offer } = this.#parts.call
    const costWith = (some: Units) => ceilingPrice(sumOf(this.#units, some), offer.rates)
    const cost = costWith(answer)
    const most = cost > hold.amount ? hold.chargeable(cost) : cost
    if (most >= cost) return answer
    const left = nanoUsd(Math.max(0, most - this.#owed))
    return unitsFor(answer, left, (some) => minus(costWith(some), this.#owed))
  }
}

/** A count that no sum can hold is none. */
function isPayable(units: Units, { rates }: MeteredCall['offer']): boolean {
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

/** Characters of sound and text that passed since the last bill, and their units. */
class PassedChars {
  readonly #client = { sound: 0, text: 0 }
  readonly #vendor = { sound: 0, text: 0 }
  /** Of the client's sound what was taken in as said; null where the vendor does not tell. */
  #said: number | null = null

  add(by: 'client' | 'vendor', what: 'sound' | 'text', chars: number): void {
    if (by === 'client') this.#client[what] += chars
    else this.#vendor[what] += chars
  }

  /** Records what the vendor did with the client's sound. @returns characters of what was said */
  heard(what: 'speech' | 'said' | 'nothing'): number {
    const taken = what === 'said' ? this.#client.sound : 0
    if (what === 'said') this.#said = (this.#said ?? 0) + taken
    this.#client.sound = 0
    return taken
  }

  /** Units of an answer that the vendor did not count: nothing where nothing of it came. */
  delivered(rates: SoundRates): Units {
    const { sound, text } = this.#vendor
    return sound + text === 0 ? {} : this.#guess(rates, this.#said ?? this.#client.sound)
  }

  /** Units under way. Silence that is listened to for an hour needs no money: sound counts once it was taken in. */
  running(rates: SoundRates): Units {
    return this.#guess(rates, this.#said ?? 0)
  }

  billed(): void {
    this.#client.text = this.#vendor.sound = this.#vendor.text = 0
    // Sound that was not taken in yet belongs to what is said next.
    if (this.#said === null) this.#client.sound = 0
    else this.#said = 0
  }

  #guess(rates: SoundRates, sound: number): Units {
    return {
      input_audio: inputAudioTokens(sound, rates),
      input: textTokens(this.#client.text),
      output_audio: outputAudioTokens(this.#vendor.sound, rates),
      output: textTokens(this.#vendor.text),
    }
  }
}
