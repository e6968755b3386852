import { isLoopbackHost } from '../../gateway/net/address'
import type { Clock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import type { Requester } from '../operators/requester'
import type { Connected, ConnectionStore } from '../settings/connection'
import { checkerPreset, type CheckerConfig } from './checker'
import type { NationalCode } from './national-code'
import type { Verification, VerificationStore } from './verification'
import { checkRole } from '../accounts/access-rules'
import { AdminError } from '../operations/admin-error'
import { withinAllowance } from '../operators/staff-bounds'

interface VerificationParts {
  readonly store: VerificationStore
  readonly clock: Clock
  /** Accounts that one person may verify. */
  readonly personAccounts: number
}

const maxReasonLength = 200

/** The verification request of this id. @throws AdminError verification_not_found */
export async function findVerification(
  store: Pick<VerificationStore, 'find'>,
  account: AccountId,
): Promise<Verification> {
  const found = await store.find(account)
  if (found === null) throw new AdminError('verification_not_found', { account })
  return found
}

/**
 * Approves what was submitted, or was rejected: the account spends beyond the ceiling from its next call on.
 * @throws AdminError verification_not_found | verification_decided | national_code_taken, and those of
 *   `withinAllowance`
 */
export const approveVerification = (parts: VerificationParts, account: AccountId): Promise<void> =>
  decide(parts, account, 'approved', null)

/**
 * Rejects it for a reason that its holder reads; an approval is taken back.
 * @throws AdminError verification_not_found | verification_decided | verification_reason_invalid
 */
export async function rejectVerification(
  parts: VerificationParts,
  account: AccountId,
  typed: string,
): Promise<void> {
  const reason = typed.trim().replaceAll(/\s+/g, ' ')
  if (reason === '' || reason.length > maxReasonLength)
    throw new AdminError('verification_reason_invalid', { max: maxReasonLength })
  await decide(parts, account, 'rejected', reason)
}

async function decide(
  { store, clock, personAccounts }: VerificationParts,
  account: AccountId,
  state: 'approved' | 'rejected',
  reason: string | null,
): Promise<void> {
  const at = clock.now()
  const outcome = await withinAllowance(() =>
    store.decide(account, { state, reason, at, submitted: null, personAccounts }),
  )
  if (outcome === 'not_found') throw new AdminError('verification_not_found', { account })
  if (outcome === 'decided_already')
    throw new AdminError('verification_decided', { account, state })
  if (outcome === 'taken') throw new AdminError('national_code_taken', { account })
}

interface RevealParts {
  readonly store: Pick<VerificationStore, 'reveal'>
  readonly requester: Requester
}

/**
 * The whole code, to compare it; the trail says who looked.
 * @throws AdminError verification_not_found | role_too_low
 */
export async function revealNationalCode(
  { store, requester }: RevealParts,
  account: AccountId,
): Promise<NationalCode> {
  checkRole(requester, 'staff')
  const code = await store.reveal(account)
  if (code === null) throw new AdminError('verification_not_found', { account })
  return code
}

/** A service that decides; what is null stays as it is kept, or has its preset. */
interface CheckerChange {
  readonly url: string
  readonly body: string | null
  readonly pointer: string | null
  readonly header: string | null
  readonly secret: string | null
}

function checkerOf({ fields, secret }: Connected): CheckerConfig {
  return {
    url: fields['url'] ?? '',
    body: fields['body'] ?? checkerPreset.body,
    pointer: fields['pointer'] ?? checkerPreset.pointer,
    header: fields['header'] ?? checkerPreset.header,
    secret,
  }
}

export async function findChecker(
  store: Pick<ConnectionStore, 'find'>,
): Promise<CheckerConfig | null> {
  const found = await store.find('verification')
  return found === null ? null : checkerOf(found)
}

/**
 * Has a service decide in the place of people.
 * @throws AdminError checker_url_invalid | checker_body_invalid | checker_pointer_invalid |
 *   checker_header_invalid
 */
export async function setChecker(
  store: Pick<ConnectionStore, 'find' | 'save'>,
  wanted: CheckerChange,
): Promise<CheckerConfig> {
  const kept = await findChecker(store)
  const url = URL.parse(wanted.url)
  const isSafe =
    url !== null &&
    url.username === '' &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
  if (!isSafe) throw new AdminError('checker_url_invalid', { url: wanted.url })
  const config: CheckerConfig = {
    url: url.href,
    body: wanted.body ?? kept?.body ?? checkerPreset.body,
    pointer: wanted.pointer ?? kept?.pointer ?? checkerPreset.pointer,
    header: (wanted.header ?? kept?.header ?? checkerPreset.header).toLowerCase(),
    secret: wanted.secret ?? kept?.secret ?? null,
  }
  if (!config.body.includes('{national_code}') || !isJson(config.body))
    throw new AdminError('checker_body_invalid', {})
  if (!/^(?:\/(?:[^~/]|~[01])*)*$/.test(config.pointer))
    throw new AdminError('checker_pointer_invalid', { pointer: config.pointer })
  if (!/^[a-z0-9-]+$/.test(config.header))
    throw new AdminError('checker_header_invalid', { header: config.header })
  const { secret, ...fields } = config
  await store.save('verification', { fields, secret })
  return config
}

/** People decide from now on. @throws AdminError checker_not_found */
export async function removeChecker(store: Pick<ConnectionStore, 'remove'>): Promise<void> {
  if (!(await store.remove('verification'))) throw new AdminError('checker_not_found', {})
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
