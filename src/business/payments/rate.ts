import { latinDigits } from '../../domain/digits'
import { Decimal } from 'decimal.js'
import type { Ms } from '../../domain/clock'
import { nanoUsd, type NanoUsd } from '../../domain/money'

/** Rate of local coins per dollar, from a moment on. */
export interface CoinRate {
  /** In the order in which they were set. */
  readonly id: number
  /** A decimal number above zero, as it was set. */
  readonly rate: string
  readonly validFrom: Ms
  readonly by: string
}

const nanosPerUsd = 1_000_000_000
const maxDecimals = 6

/** Wide enough that no digit of any number of coins at any rate is lost. */
const Exact = Decimal.clone({ precision: 100 })

/**
 * A rate as a person writes it, in its shortest form.
 * @throws RangeError
 */
export function parseRate(text: string): string {
  let rate: Decimal
  try {
    rate = new Exact(latinDigits(text.trim()))
  } catch {
    throw new RangeError(`not a number of coins: ${text}`)
  }
  if (!rate.isFinite() || rate.lte(0) || rate.gt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`a rate is a number of coins above zero, not ${text}`)
  if (rate.decimalPlaces() > maxDecimals)
    throw new RangeError(`a rate has at most ${maxDecimals} decimals: ${text}`)
  return rate.toFixed()
}

/**
 * Nano-dollars of coins, rounded down.
 * @param rate coins per dollar
 * @throws RangeError above what an account can hold
 */
export function dollarsOfCoins(coins: number, rate: string): NanoUsd {
  const nanos = new Exact(coins).times(nanosPerUsd).divToInt(rate)
  if (nanos.gt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`${coins} coins at ${rate} a dollar are more than an account can hold`)
  return nanoUsd(nanos.toNumber())
}
