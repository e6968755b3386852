import { hashSecret } from '../identity/secret'
import { asciiDigits } from '../people/phone'

/** Digits of a typed code: keyboards of telephones write them with or without a space in the middle. */
export const digitsOf = (code: string): string => asciiDigits(code).replaceAll(/\s/g, '')

/** Hash of a recovery code, however it was written. */
export const recoveryHash = (name: string, code: string, pepper: Uint8Array): string =>
  hashSecret(
    `operator-recovery:${name}:${code.trim().toLowerCase().replaceAll(/[\s-]/g, '')}`,
    pepper,
  )
