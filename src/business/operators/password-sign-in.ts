import type { Clock } from '../../domain/clock'
import type { Guess } from '../../domain/guess'
import type { OperatorId } from '../../domain/ids'
import { findHashed, type Pepper } from '../../domain/pepper'
import type { PasskeyRing } from '../users/passkey-service'
import { isPeopleRefusal } from '../users/refusal'
import type {
  OperatorAccessStore,
  OperatorSecrets,
  TryCount,
  WrongCodeScope,
} from './access-contract'
import type {
  SessionStart,
  EnterOperator,
  OperatorVisitor,
  PasskeyAnswer,
  SignedIn,
  TypedSignIn,
} from './request-identity'
import { operatorName, digitsOf, recoveryText } from './typed-codes'
import { totpStep } from './one-time-codes'
import type { Operator } from './operator'
import { OperatorRefusal } from './operator-refusal'
import type { Passwords } from './passwords'

const lockMs = 15 * 60_000
/** Wrong tries of a name from one address, and of any name from there. */
const maxTries = { ofName: 5, ofAddress: 20 }
/** How long wrong codes beside the right password are remembered. */
const wrongCodesMs = 86_400_000
/**
 * Wrong codes beside the right password, from one address and from how many, until codes alone do no
 * more: whoever guesses them from everywhere knows the password, and has one in 300,000 each time.
 */
const maxWrongCodes = { here: 20, places: 3 }

/** Sign-in by password and a second factor. Methods throw OperatorRefusal. */
export interface PasswordSignIn {
  /** By password, and a one-time code, a recovery code or a passkey beside it. */
  signIn(guess: Guess, typed: TypedSignIn, visitor: OperatorVisitor): Promise<SignedIn>
  /** Whether the password is the signed-in operator's. */
  confirm(
    guess: Guess,
    operator: Operator,
    password: string,
    visitor: OperatorVisitor,
  ): Promise<void>
}

export interface PasswordSignInParts {
  readonly store: OperatorAccessStore
  readonly passkeys: PasskeyRing<OperatorId>
  readonly passwords: Passwords
  readonly clock: Clock
  readonly pepper: Pepper
}

/**
 * Sign-in by password and something beside it. Tries are counted by name and address, so that those
 * of strangers keep nobody out who comes from elsewhere.
 */
export function openPasswordSignIn(
  parts: PasswordSignInParts,
  enter: EnterOperator,
): PasswordSignIn {
  const { store, passwords, clock, pepper } = parts
  return {
    async signIn(guess, { name: typedName, password, second }, visitor) {
      const name = operatorName(typedName) ?? ''
      const counts = await beginTry(parts, name, visitor)
      const known = await store.secretsOf(name)
      const isRight = await passwords.verify(guess, password, known?.password ?? null)
      const who = isRight ? known : null
      const arrived = who === null ? null : await arrivedBy(guess, who, second, visitor)
      if (who === null || arrived === null) {
        const place = { name, isKnown: isRight, bucket: visitor.bucket }
        if (typeof second === 'string') await store.countWrongCode(place, wrongCodesMs, clock.now())
        throw new OperatorRefusal('sign_in_wrong', {})
      }
      await store.forgiveTries(counts)
      return await enter(who.operator, visitor, arrived)
    },
    async confirm(guess, { name }, password, visitor) {
      const counts = await beginTry(parts, name, visitor)
      const known = await store.secretsOf(name)
      if (!(await passwords.verify(guess, password, known?.password ?? null)))
        throw new OperatorRefusal('password_wrong', {})
      await store.forgiveTries(counts)
    },
  }

  /** @throws OperatorRefusal sign_in_codes_guessed */
  async function arrivedBy(
    guess: Guess,
    known: OperatorSecrets,
    second: TypedSignIn['second'],
    { bucket }: OperatorVisitor,
  ): Promise<SessionStart | null> {
    const { operator } = known
    if (typeof second !== 'string') return await byPasskey(parts, guess, operator, second)
    const digits = digitsOf(second)
    if (/^\d{6}$/.test(digits))
      return await byCode(known, digits, { name: operator.name, isKnown: true, bucket })
    return await findHashed(pepper, null, recoveryText(operator.name, second), async (hash) =>
      (await store.useRecoveryCode(operator.id, hash)) ? { way: 'recovery', passkey: null } : null,
    )
  }

  async function byCode(
    { operator, totp }: OperatorSecrets,
    digits: string,
    place: WrongCodeScope,
  ): Promise<SessionStart | null> {
    const step = totpStep(totp, digits, clock.now())
    if (step === null || !(await store.useCode(operator.id, step))) return null
    // Told to whoever has a right code only: nobody else learns that the password is right.
    const { here, places } = await store.wrongCodes(place)
    if (here > maxWrongCodes.here || places > maxWrongCodes.places)
      throw new OperatorRefusal('sign_in_codes_guessed', {})
    return { way: 'code', passkey: null }
  }
}

/** @throws OperatorRefusal sign_in_locked */
async function beginTry(
  { store, clock }: PasswordSignInParts,
  name: string,
  { bucket }: OperatorVisitor,
): Promise<readonly TryCount[]> {
  const counts = [
    { who: `name:${name} ${bucket}`, max: maxTries.ofName },
    { who: `address:${bucket}`, max: maxTries.ofAddress },
  ]
  const now = clock.now()
  const lockedUntil = await store.beginTry(counts, lockMs, now)
  if (lockedUntil === null) return counts
  const waitSeconds = Math.max(1, Math.ceil((lockedUntil - now) / 1000))
  throw new OperatorRefusal('sign_in_locked', { waitSeconds })
}

async function byPasskey(
  { passkeys }: PasswordSignInParts,
  guess: Guess,
  { id }: Operator,
  { site, response }: PasskeyAnswer,
): Promise<SessionStart | null> {
  try {
    const { id: passkey, owner } = await passkeys.answer(guess, site, response)
    return owner === id ? { way: 'passkey', passkey } : null
  } catch (thrown) {
    // As a wrong code: whether the password is right is not told.
    if (isPeopleRefusal(thrown)) return null
    throw thrown
  }
}
