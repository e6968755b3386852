import type { Brand } from '../../domain/brand'
import { latinDigits } from '../../domain/digits'

/** Ten digits whose last one checks the others. */
export type NationalCode = Brand<string, 'NationalCode'>

const length = 10
/** Leading zeroes are left out by people and by tables; more than two no code has. */
const minLength = 8

/**
 * A national code of Iran, in digits of any script, its leading zeroes or not; null when it is none.
 * Check digit: the weighted sum modulo 11, or 11 minus it from 2 on.
 */
export function parseNationalCode(text: string): NationalCode | null {
  const typed = latinDigits(text).replace(/[\s\-\u200c-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  if (!/^\d+$/.test(typed) || typed.length < minLength || typed.length > length) return null
  const code = typed.padStart(length, '0')
  if (/^(\d)\1+$/.test(code)) return null
  const digits = Array.from(code, Number)
  const rest = digits.slice(0, -1).reduce((sum, digit, at) => sum + digit * (length - at), 0) % 11
  return digits.at(-1) === (rest < 2 ? rest : 11 - rest) ? (code as NationalCode) : null
}

/** `······4567`: enough to recognise one's own, too little for anybody else. */
export const maskNationalCode = (code: NationalCode): string => `······${code.slice(-4)}`
