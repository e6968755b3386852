import { asciiDigits } from '../../domain/phone'

/** Digits of a typed code: keyboards of telephones write them with or without a space in the middle. */
export const digitsOf = (code: string): string => asciiDigits(code).replaceAll(/\s/g, '')

/** What of a recovery code is hashed, however it was written. */
export const recoveryText = (name: string, code: string): string =>
  `operator-recovery:${name}:${code.trim().toLowerCase().replaceAll(/[\s-]/g, '')}`

/** The one spelling of a name; null where it is none. */
export function operatorName(text: string): string | null {
  const name = text.trim().toLowerCase()
  return /^[a-z0-9][a-z0-9._-]{0,39}$/.test(name) ? name : null
}
