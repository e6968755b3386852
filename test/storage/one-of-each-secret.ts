import { createOperatorKey } from '../../src/business/operators/operator-rules'
import type { Ms } from '../../src/domain/clock'
import type { Guess } from '../../src/domain/guess'
import { findHashed, hashOfAnyGeneration, type Pepper } from '../../src/domain/pepper'
import { systemNoticeId } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { makeSecret, hashSecret, secretPrefix } from '../../src/gateway/identity/secret'
import { newPlaceNotice } from '../../src/business/notices/recipients/notices'
import { openEmailCodes } from '../../src/business/notices/recipients/email-codes'
import { openImpersonations } from '../../src/business/operators/impersonation'
import { makeLink } from '../../src/business/operators/setup-links'
import { openOperatorSignIn } from '../../src/business/operators/sign-in'
import { freshRedeemCode, openRedeem } from '../../src/business/payments/voucher'
import { openPasskeyRing } from '../../src/business/users/passkey-service'
import type { Phone } from '../../src/domain/phone'
import { placeHash } from '../../src/business/users/known-devices'
import { openSessions } from '../../src/business/users/sessions'
import { openSignInCodes } from '../../src/business/users/sign-in-codes'
import type { HashedKind, SealedKind } from '../../src/business/data/secrets/secret-store'
import type { Storage } from '../../src/business/data/storage'
import { parseNationalCode } from '../../src/business/verification/national-code'
import { codeAt } from '../console/operator-visitor'
import { guess } from '../support/guess'
import { nationalCode } from '../verification/codes'
import type { HandClock } from './folder'

/** Whether what was made still works. What is used once is used up by this. */
type Probe = (storage: Storage) => Promise<boolean>

const plainPasswords = {
  hash: async (typed: string) => `plain:${typed}`,
  verify: async (_: Guess, typed: string, hash: string | null) => hash === `plain:${typed}`,
}
const password = 'correct horse battery'
const browser = { address: '192.0.2.7', token: 'a-browser' }
const visitor = { address: '192.0.2.7', bucket: '192.0.2.7', agent: 'Firefox/1 Linux' }
const limits = { lifeMs: 600_000, perServiceHour: 300 }
let last = 0

const holds = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work()
    return true
  } catch {
    return false
  }
}

/** Makes something of each kind that is hashed or sealed. @returns how it is seen whether it works */
export async function oneOfEach(
  storage: Storage,
  clock: HandClock,
): Promise<Readonly<Record<HashedKind | SealedKind, Probe>>> {
  const number = ++last
  const { pepper, directory } = storage
  const later = (ms: number) => (clock.now() + ms) as Ms
  const phone = `+98912345${String(6000 + number)}` as Phone
  const { person, account } = await storage.people.begin(phone, { account: 'a', project: 'p' })
  const who = { person, account, role: 'owner' as const }

  const secret = makeSecret('sk-chapar-v1-')
  const project = await directory.createProject({ account, name: 'main' })
  const named = { project: project.id, name: `key ${number}`, prefix: secretPrefix(secret) }
  await directory.createKey(named, hashSecret(secret, pepper))

  const operators = { store: storage.operators, clock, pepper }
  const operatorKey = await createOperatorKey(operators, {
    name: `ci ${number}`,
    role: 'viewer',
    expires: null,
  })
  const added = makeLink(pepper, clock.now())
  const operator = await storage.operators.add(
    { name: `sara-${number}`, role: 'owner' },
    added.link,
  )
  if (operator === null) throw new Error('an operator of that name')
  const own = { name: operator.name, password, code: codeAt(added.link.totp, clock.now()) }
  const setUp = await signInOf(storage, clock).setUp(guess, added.token, own, visitor)
  const invited = makeLink(pepper, clock.now())
  await storage.operators.add({ name: `ali-${number}`, role: 'staff' }, invited.link)

  const code = freshRedeemCode()
  await storage.redeemCodes.create({
    batch: `batch-${number}`,
    amount: nanoUsd(1_000_000_000),
    expires: null,
    by: 'test',
    codes: [{ hash: pepper.hash(`redeem:${code}`), ending: code.slice(-4) }],
  })
  const session = await sessionsOf(storage, clock).begin(who, visitor)
  const ticket = await looksOf(storage, clock).begin(account, person, `operator:${operator.name}`)
  const told = () =>
    newPlaceNotice(
      person,
      { device: 'test', address: visitor.address },
      { id: systemNoticeId(), created: clock.now() },
    )
  const places = storage.places([])
  for (const agent of ['Chrome/1 Windows', visitor.agent])
    await places.visit(person, placeHash(person, { ...visitor, agent }, pepper), told, clock.now())
  const { code: signInCode } = await codesOf(storage, clock, pepper).issue(phone, browser)
  const mailed = { code: '' }
  await emailOf(storage, clock, mailed).ask(person, 'a@b.example', 'en')
  const challengeOf = <Owner>(text: string, owner: Owner) => ({
    hash: pepper.hash(text),
    registers: { owner, userHandle: 'handle' },
    expires: later(300_000),
  })
  const ofPerson = challengeOf(`passkey:person-${number}`, person)
  await storage.passkeys.keepChallenge(ofPerson, clock.now(), 100)
  const ofOperator = challengeOf(`passkey:operator-${number}`, operator.id)
  await storage.operatorPasskeys.keepChallenge(ofOperator, clock.now(), 100)
  const used = `ticket:${number}`
  await storage.tickets.use(hashOfAnyGeneration(pepper, used), later(60_000), clock.now())
  const national = parseNationalCode(nationalCode(1_000_000 + number))
  if (national === null) throw new Error('no national code')
  const identity = {
    firstName: 'Sara',
    lastName: 'Rezaei',
    birthDate: '1990-03-21',
    nationalCode: national,
  }
  const bounds = { personAccounts: 1, triesPerDay: 10 }
  const submission = { person, account, identity, provider: 'manual' as const }
  await storage.verifications.submit({ ...submission, at: clock.now() }, bounds)
  await storage.verifications.decide(account, {
    state: 'approved',
    reason: null,
    at: clock.now(),
    submitted: null,
    personAccounts: 1,
  })

  await seal(storage, number)
  await storage.accountWebhooks.save(person, account, { url: 'https://a.example', secret: 'hook' })

  const isMade = (text: string | null | undefined) =>
    text === `secret-${number}` || text === 'shared'
  return {
    key: async (now) => {
      const found = await findHashed(now.pepper, 'key', secret, (hash) =>
        now.identity.findByHash(hash),
      )
      return found !== null && found.caller.key.state === 'active'
    },
    operator_key: async (now) => (await signInOf(now, clock).byKey(operatorKey.secret)) !== null,
    redeem_code: (now) =>
      holds(() =>
        openRedeem({
          store: now.redeemCodes,
          hashesOf: (typed) => now.pepper.hashes(`redeem:${typed}`),
          wrongAlarm: () => 100,
          onAlarm: async () => {},
          onRedeemed() {},
        })(guess, { account, person, address: visitor.address }, code),
      ),
    session: async (now) => (await sessionsOf(now, clock).find(session)) !== null,
    operator_session: async (now) => (await signInOf(now, clock).find(setUp.token)) !== null,
    recovery_code: (now) =>
      holds(() =>
        signInOf(now, clock).signIn(
          guess,
          { name: operator.name, password, second: setUp.recoveryCodes[0] ?? '' },
          visitor,
        ),
      ),
    operator_link: (now) => holds(() => signInOf(now, clock).offer(guess, invited.token, 'test')),
    account_look: async (now) => (await looksOf(now, clock).open(guess, ticket)) !== null,
    known_place: async (now) => {
      const place = placeHash(person, visitor, now.pepper)
      return !(await now.places([]).visit(person, place, told, clock.now())).isNew
    },
    sign_in_code: (now) =>
      holds(() =>
        codesOf(now, clock, now.pepper).check(guess, { phone, code: signInCode ?? '' }, browser),
      ),
    email_code: (now) => holds(() => emailOf(now, clock, mailed).check(guess, person, mailed.code)),
    passkey_challenge: async (now) =>
      (await findHashed(
        now.pepper,
        null,
        `passkey:person-${number}`,
        now.passkeys.takeChallenge,
      )) !== null,
    operator_passkey_challenge: async (now) =>
      (await findHashed(
        now.pepper,
        null,
        `passkey:operator-${number}`,
        now.operatorPasskeys.takeChallenge,
      )) !== null,
    used_ticket: async (now) =>
      !(await now.tickets.use(hashOfAnyGeneration(now.pepper, used), later(60_000), clock.now())),
    national_hash: async (now) => {
      const another = await now.people.begin(`+98913345${6000 + ++last}` as Phone, {
        account: 'b',
        project: 'p',
      })
      const again = { ...submission, ...another, at: clock.now() }
      return (await now.verifications.submit(again, bounds)) === 'taken'
    },
    vendor_credential: async (now) =>
      isMade((await now.catalogue.vendor(`vendor-${number}`))?.credential),
    more_vendor_credential: async (now) =>
      isMade((await now.catalogue.vendor(`vendor-${number}`))?.moreCredentials?.[0]?.secret),
    sms_provider: async (now) =>
      isMade((await now.smsProviders.list()).find((each) => each.name === `sms-${number}`)?.secret),
    card_gateway: async (now) =>
      isMade(
        (await now.cardGateways.list()).find((each) => each.name === `bank-${number}`)?.secret,
      ),
    connection: async (now) => isMade((await now.connections.find('mail'))?.secret),
    sister_service: async (now) => isMade((await now.sister.find())?.secret),
    account_webhook: async (now) => (await now.accountWebhooks.find(account))?.secret === 'hook',
    operator_totp: async (now) => {
      clock.set(clock.now() + 60_000)
      return await holds(() =>
        signInOf(now, clock).signIn(
          guess,
          { name: operator.name, password, second: codeAt(added.link.totp, clock.now()) },
          visitor,
        ),
      )
    },
    operator_link_totp: async (now) => {
      const link = await findHashed(now.pepper, null, `operator-link:${invited.token}`, (hash) =>
        now.operatorAccess.findLink(hash, clock.now()),
      )
      return link?.totp === invited.link.totp
    },
    national_code: async (now) => (await now.verifications.reveal(account)) === national,
  }
}

async function seal(storage: Storage, number: number): Promise<void> {
  const secret = `secret-${number}`
  await storage.catalogue.saveVendor({
    name: `vendor-${number}`,
    kind: 'openai',
    dialect: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
    credential: secret,
    moreCredentials: [{ name: 'second', secret, active: true }],
    timeoutMs: 1000,
    transport: 'own',
    active: true,
    source: 'command',
  })
  await storage.smsProviders.save({
    name: `sms-${number}`,
    kind: 'command',
    options: {},
    secret,
  })
  await storage.cardGateways.save({ name: `bank-${number}`, kind: 'zibal', options: {}, secret })
  await storage.connections.save('mail', { fields: {}, secret: 'shared' })
  await storage.sister.save({ name: 'Barid', signInUrl: 'https://b.example', secret: 'shared' })
}

const sessionsOf = ({ sessions: store, pepper }: Storage, clock: HandClock) =>
  openSessions({ store, clock, pepper, limits: () => ({ idleMs: 86_400_000, lifeMs: 86_400_000 }) })

const looksOf = ({ accountLooks: store, pepper }: Storage, clock: HandClock) =>
  openImpersonations({ store, clock, pepper })

const signInOf = (storage: Storage, clock: HandClock) => {
  const { operatorAccess: store, operatorPasskeys, pepper } = storage
  const passkeys = openPasskeyRing({ store: operatorPasskeys, clock, pepper, onRefused() {} })
  return openOperatorSignIn({ store, passkeys, passwords: plainPasswords, clock, pepper })
}

const codesOf = ({ signIn: store }: Storage, clock: HandClock, pepper: Pepper) =>
  openSignInCodes({
    store,
    clock,
    pepper,
    limits: () => limits,
    wrongAlarm: () => 1_000_000,
    onAlarm: async () => {},
  })

const emailOf = (
  { holderSettings: store, pepper }: Storage,
  clock: HandClock,
  mailed: { code: string },
) =>
  openEmailCodes({
    store,
    clock,
    pepper,
    parse: (typed) => typed,
    send: async (_, code) => void (mailed.code = code),
  })
