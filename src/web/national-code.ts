import { plainNumber } from './typed'

const length = 10
const minLength = 8

/** Whether a code passes its own check digit, so that a slip is told before it is sent. */
export function isNationalCode(typed: string): boolean {
  const plain = plainNumber(typed).replaceAll(/[-\u200c]/g, '')
  if (!/^\d+$/.test(plain) || plain.length < minLength || plain.length > length) return false
  const code = plain.padStart(length, '0')
  if (/^(\d)\1+$/.test(code)) return false
  const digits = Array.from(code, Number)
  const rest = digits.slice(0, -1).reduce((sum, digit, at) => sum + digit * (length - at), 0) % 11
  return digits.at(-1) === (rest < 2 ? rest : 11 - rest)
}
