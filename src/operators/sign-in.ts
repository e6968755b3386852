import { randomBytes } from 'node:crypto'
import type { Clock, Ms } from '../domain/clock'
import type { Secret } from '../domain/secret'
import { hashSecret, secretPrefix } from '../identity/secret'
import { asciiDigits } from '../people/phone'
import type {
  OperatorAccessStore,
  OperatorSession,
  OperatorWay,
  SignedInOperator,
} from './access-store'
import { linkHash } from './links'
import { operatorName } from './names'
import { totpStep, totpUri } from './one-time-codes'
import type { Operator } from './operator'
import { OperatorRefusal } from './operator-refusal'
import type { Passwords } from './passwords'

/** How an operator comes in. */
interface OperatorVisitor {
  readonly address: string
  /** An address, or the network that counts as one. */
  readonly bucket: string
  readonly agent: string
}

/** What a page shows before an operator is set up. */
interface SetupOffer {
  /** Null: the first owner names themselves. */
  readonly name: string | null
  readonly role: Operator['role']
  readonly secret: string
  readonly uri: string
}

interface SetUp extends SignedIn {
  /** Told this once. */
  readonly recoveryCodes: readonly string[]
}

/** A session that has begun, and the token that its browser keeps. */
interface SignedIn {
  readonly token: string
  readonly operator: Operator
}

/** How operators come in. Methods throw OperatorRefusal. */
export interface OperatorSignIn {
  isSetUp(): Promise<boolean>
  /** @param issuer the service, as people read it */
  offer(token: string, issuer: string): Promise<SetupOffer>
  setUp(
    token: string,
    typed: { readonly name: string; readonly password: string; readonly code: string },
    visitor: OperatorVisitor,
  ): Promise<SetUp>
  signIn(
    typed: { readonly name: string; readonly password: string; readonly code: string },
    visitor: OperatorVisitor,
  ): Promise<SignedIn>
  /** Begins a session of whoever has shown who they are. */
  enter(operator: Operator, visitor: OperatorVisitor, way: OperatorWay): Promise<SignedIn>
  /** Null when it is over or never was. */
  find(token: string): Promise<(OperatorSession & { readonly who: Operator }) | null>
  /** Null where no key is that, or it is over. */
  byKey(secret: Secret): Promise<(SignedInOperator & { readonly id: number }) | null>
  sessions(operator: Operator): Promise<readonly OperatorSession[]>
  end(token: string): Promise<void>
  endAll(operator: Operator): Promise<number>
}

interface OperatorSignInParts {
  readonly store: OperatorAccessStore
  readonly passwords: Passwords
  readonly clock: Clock
  readonly pepper: Uint8Array
}

/** Of a session, from its beginning on. */
export const operatorSessionMs = 12 * 3_600_000
/** What keys of operators begin with. */
export const operatorKeyPrefix = 'op-v1-'
const tries = { max: 5, lockMs: 15 * 60_000 }
const recoveryCodes = 8
const maxAgentLength = 200
const maxSecretLength = 100
/** Without those that look alike. */
const recoveryLetters = 'abcdefghjkmnpqrstuvwxyz23456789'

export const actorOf = ({ name }: Pick<Operator, 'name'>): `operator:${string}` =>
  `operator:${name}`

export function openOperatorSignIn(parts: OperatorSignInParts): OperatorSignIn {
  const { store, clock, pepper } = parts
  const hashOf = (token: string) => hashSecret(`operator-session:${token}`, pepper)
  const enter: OperatorSignIn['enter'] = async (operator, visitor, way) => {
    const token = randomBytes(32).toString('base64url')
    const now = clock.now()
    await store.begin({
      hash: hashOf(token),
      operator: operator.id,
      created: now,
      expires: (now + operatorSessionMs) as Ms,
      address: visitor.address,
      agent: visitor.agent.slice(0, maxAgentLength),
      way,
    })
    return { token, operator }
  }
  return {
    isSetUp: () => store.isSetUp(),
    ...openSetup(parts, enter),
    signIn: openPasswordSignIn(parts, enter),
    enter,
    find: (token) => store.find(hashOf(token), clock.now()),
    async byKey(secret) {
      if (secret.length > maxSecretLength || !secret.startsWith(operatorKeyPrefix)) return null
      const key = await store.findKey(operatorKeyHash(secret, pepper), clock.now())
      if (key === null) return null
      return { id: key.id, actor: `operator-key:${secretPrefix(secret)}`, role: key.role }
    },
    sessions: ({ id }) => store.sessions(id, clock.now()),
    end: (token) => store.end(hashOf(token)),
    endAll: ({ id }) => store.endAll(id),
  }
}

export const operatorKeyHash = (secret: Secret, pepper: Uint8Array): string =>
  hashSecret(`operator-key:${secret}`, pepper)

function openSetup(
  { store, passwords, clock, pepper }: OperatorSignInParts,
  enter: OperatorSignIn['enter'],
): Pick<OperatorSignIn, 'offer' | 'setUp'> {
  const linkOf = async (token: string) => {
    const found = await store.findLink(linkHash(token, pepper), clock.now())
    if (found === null) throw new OperatorRefusal('link_invalid', {})
    return found
  }
  return {
    async offer(token, issuer) {
      const { operator, totp } = await linkOf(token)
      const name = operator?.name ?? null
      const role = operator?.role ?? 'owner'
      return { name, role, secret: totp, uri: totpUri(totp, issuer, name ?? issuer) }
    },
    async setUp(token, typed, visitor) {
      const { operator: invited, hash, totp } = await linkOf(token)
      const name = invited?.name ?? operatorName(typed.name)
      if (name === null) throw new OperatorRefusal('operator_name_invalid', {})
      const step = totpStep(totp, digitsOf(typed.code), clock.now())
      if (step === null) throw new OperatorRefusal('setup_code_wrong', {})
      const password = await passwords.hash(typed.password)
      const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
      const made = {
        name,
        password,
        totpStep: step,
        recoveryHashes: codes.map((code) => recoveryHash(name, code, pepper)),
      }
      const operator = await store.useLink(hash, made, clock.now())
      if (operator === null) throw new OperatorRefusal('link_invalid', {})
      if (operator === 'taken') throw new OperatorRefusal('operator_name_taken', {})
      return { ...(await enter(operator, visitor, 'setup')), recoveryCodes: codes }
    },
  }
}

function openPasswordSignIn(
  { store, passwords, clock, pepper }: OperatorSignInParts,
  enter: OperatorSignIn['enter'],
): OperatorSignIn['signIn'] {
  return async ({ name: typedName, password, code }, visitor) => {
    const name = operatorName(typedName) ?? ''
    const who = [`name:${name}`, `address:${visitor.bucket}`]
    const now = clock.now()
    const lockedUntil = await store.beginTry(who, tries, now)
    if (lockedUntil !== null)
      throw new OperatorRefusal('sign_in_locked', {
        waitSeconds: Math.max(1, Math.ceil((lockedUntil - now) / 1000)),
      })
    const known = await store.secretsOf(name)
    const isRight = await passwords.verify(password, known?.password ?? null)
    const way = known !== null && isRight ? await wayBy(known, code) : null
    if (known === null || way === null) throw new OperatorRefusal('sign_in_wrong', {})
    await store.forgiveTries(who)
    return await enter(known.operator, visitor, way)
  }

  async function wayBy(
    { operator, totp }: { readonly operator: Operator; readonly totp: string },
    code: string,
  ): Promise<OperatorWay | null> {
    const digits = digitsOf(code)
    if (/^\d{6}$/.test(digits)) {
      const step = totpStep(totp, digits, clock.now())
      return step !== null && (await store.useCode(operator.id, step)) ? 'code' : null
    }
    const hash = recoveryHash(operator.name, plainRecovery(code), pepper)
    return (await store.useRecoveryCode(operator.id, hash)) ? 'recovery' : null
  }
}

/** `abcde-fghjk`: fifty bits. */
function newRecoveryCode(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint32Array(10)), (value) =>
    recoveryLetters.charAt(value % recoveryLetters.length),
  ).join('')
  return `${letters.slice(0, 5)}-${letters.slice(5)}`
}

/** As keyboards of telephones write them, with or without a space in the middle. */
const digitsOf = (code: string): string => asciiDigits(code).replaceAll(/\s/g, '')

const plainRecovery = (code: string): string => code.trim().toLowerCase()

const recoveryHash = (name: string, code: string, pepper: Uint8Array): string =>
  hashSecret(`operator-recovery:${name}:${code.replaceAll(/[\s-]/g, '')}`, pepper)
