import { Secret, TOTP } from 'otpauth'
import type { Ms } from '../../domain/clock'

const periodSeconds = 30
const secretBytes = 20
/** Clocks of telephones differ: one code before and one behind are taken (RFC 6238, section 5.2). */
const window = 1

/** A new secret of one-time codes, base32. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/**
 * Address that an authenticator app reads as a QR code (`otpauth:`, Key Uri Format of Google Authenticator).
 * @param issuer the service, as people read it
 */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  codesOf(secret, issuer, label).toString()

/** The number of the period that a code is of; null where it is of none that is taken now. */
export function totpStep(secret: string, code: string, now: Ms): number | null {
  const delta = codesOf(secret, '', 'operator').validate({ token: code, timestamp: now, window })
  return delta === null ? null : Math.floor(now / 1000 / periodSeconds) + delta
}

const codesOf = (secret: string, issuer: string, label: string): TOTP =>
  new TOTP({ issuer, label, secret, algorithm: 'SHA1', digits: 6, period: periodSeconds })
