import type { Caller } from '../domain/caller'
import type { Route } from '../domain/model'
import { nanoUsd, zeroUsd, type NanoUsd } from '../domain/money'
import type { Meter, Units, Usage } from '../domain/usage'
import type { Ended, OpenCall } from '../call/outcome'
import { price } from '../metering/price'
import {
  heardTokens,
  spokenTokens,
  textTokens,
  type SoundRates,
} from '../formats/realtime/audio-tokens'

/** What one model of a socket has cost, and the money held for what comes. One record, one charge. */
export interface Tab {
  /** Characters of sound and text that passed since the last bill: what a cut is charged by. */
  passed(by: 'client' | 'vendor', what: 'sound' | 'text', chars: number): void
  /** An answer has begun. */
  began(): void
  /** Answers that have begun and are not billed. */
  answering(): number
  /** An answer is over. @param usage null when the vendor does not tell: then what passed is charged */
  billed(usage: Usage | null, rates: SoundRates): void
  /**
   * Holds enough for the next turn; while one goes on, enough for what passes.
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

export function openTab({ call, route, margin, renew }: TabParts): Tab {
  const { hold, offer } = call
  const units: Partial<Record<Meter, number>> = {}
  let reasoning = 0
  let estimated = false
  let answering = 0
  let owed = zeroUsd
  let lastTurn = zeroUsd
  let unlooked = 0
  const chars = { client: { sound: 0, text: 0 }, vendor: { sound: 0, text: 0 } }

  const guess = (rates: SoundRates): Units => ({
    input_audio: heardTokens(chars.client.sound, rates),
    input: textTokens(chars.client.text),
    output_audio: spokenTokens(chars.vendor.sound, rates),
    output: textTokens(chars.vendor.text),
  })
  const usage = (): Usage => ({ units: { ...units }, reasoning, estimated })

  const add = (more: Units) => {
    for (const [meter, count] of countsOf(more)) units[meter] = (units[meter] ?? 0) + count
    chars.client.sound = chars.client.text = chars.vendor.sound = chars.vendor.text = 0
  }

  const free = offer.model.isFree
  return {
    passed(by, what, count) {
      chars[by][what] += count
      if (by === 'vendor') unlooked += count
    },
    began() {
      answering++
      call.answered()
    },
    answering: () => answering,
    billed(told, rates) {
      if (answering > 0) answering--
      call.answered()
      if (told === null) estimated = true
      reasoning += told?.reasoning ?? 0
      add(told === null ? guess(rates) : told.units)
      const now = price(units, offer.rates)
      lastTurn = nanoUsd(now - owed)
      owed = now
      const { vendor, vendorModel } = route
      hold.owe({ usage: usage(), cost: owed, vendor, vendorModel })
    },
    cover(rates) {
      unlooked = 0
      if (free) return
      const ahead = Math.max(margin, lastTurn)
      const running = answering === 0 ? owed : price(sumOf(units, guess(rates)), offer.rates)
      // In the middle of an answer half of what was held ahead may be used up first.
      const least = answering === 0 ? running + ahead : running + ahead / 2
      if (hold.amount < least) hold.grow(nanoUsd(running + ahead - hold.amount), renew())
    },
    coverDue: () => unlooked >= coverEveryChars,
    close(ended, rates) {
      if (answering > 0) {
        add(guess(rates))
        estimated = true
      }
      call.charge({ ...ended, route }, usage())
    },
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
