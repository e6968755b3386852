import { Decimal } from 'decimal.js'
import type { Brand } from './brand'
import { latinDigits } from './digits'

/** Whole nano-dollars (1e-9 USD); a safe integer, so at most about 9 million dollars. */
export type NanoUsd = Brand<number, 'NanoUsd'>

/** One dollar. */
export const nanosPerUsd = 1_000_000_000

/** No money. */
export const zeroUsd = 0 as NanoUsd

/** The largest amount there is, which no account can pay. */
export const maxUsd = Number.MAX_SAFE_INTEGER as NanoUsd

/** Nano-dollars of a number. @throws RangeError when a digit would be lost */
export function nanoUsd(value: number): NanoUsd {
  if (!Number.isSafeInteger(value))
    throw new RangeError(`not a whole number of nano-dollars: ${value}`)
  return value as NanoUsd
}

/** Exact sum. @throws RangeError rather than lose a digit */
export const plus = (a: NanoUsd, b: NanoUsd): NanoUsd => nanoUsd(a + b)

/** Exact difference; may be negative. @throws RangeError rather than lose a digit */
export const minus = (a: NanoUsd, b: NanoUsd): NanoUsd => nanoUsd(a - b)

/**
 * Dollars as a person or the wire writes them: `5`, `0.25`, `1e-7`, `۵`.
 * @throws RangeError when it is no number or has more than nine decimals
 */
export function parseUsd(text: string): NanoUsd {
  let value: Decimal
  try {
    value = new Decimal(latinDigits(text.trim()))
  } catch {
    throw new RangeError(`not an amount in dollars: ${text}`)
  }
  if (!value.isFinite()) throw new RangeError(`not an amount in dollars: ${text}`)
  const nanos = value.times(nanosPerUsd)
  if (!nanos.isInteger()) throw new RangeError(`more than nine decimals: ${text}`)
  return nanoUsd(nanos.toNumber())
}

/** A decimal string in dollars with at least six and at most nine decimals. */
export function showUsd(value: NanoUsd): string {
  const amount = Math.abs(value)
  const fraction = amount % nanosPerUsd
  const zeroes = fraction % 1000 === 0 ? 3 : fraction % 100 === 0 ? 2 : fraction % 10 === 0 ? 1 : 0
  // One dollar more keeps the zeroes in front.
  const decimals = String(nanosPerUsd + fraction).slice(1, 10 - zeroes)
  return `${value < 0 ? '-' : ''}${Math.floor(amount / nanosPerUsd)}.${decimals}`
}
