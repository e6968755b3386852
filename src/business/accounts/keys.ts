import type { Clock } from '../../domain/clock'
import type { AccountId, KeyId, PersonId, ProjectId } from '../../domain/ids'
import type { Pepper } from '../../domain/pepper'
import type { Secret } from '../../domain/secret'
import type { OperatorReader } from '../../domain/reports/operator-reader'
import type { Directory, KeyChange, KeySummary } from '../../gateway/identity/account-directory'
import { hashSecret, makeSecret, secretPrefix } from '../../gateway/identity/secret'
import { openAddressList } from '../../gateway/net/address-list'
import { AdminError } from '../operations/admin-error'
import { checkPatterns } from './model-patterns'
import { withinAllowance } from '../operators/staff-bounds'

interface KeyParts {
  readonly directory: Pick<Directory, 'findAccount' | 'createKey' | 'setKey'>
  readonly clock: Clock
}

/** Source of a new key's secret. */
export interface SecretParts {
  /** Of the service, such as `sk-chapar-v1-`. */
  readonly prefix: string
  readonly pepper: Pepper
}

/** Fields of a key that may be set at any time; its state only by `switchKey` and `revokeKey`. */
export type KeyLimits = Omit<KeyChange, 'state'>

interface NewKey extends KeyLimits {
  readonly project: ProjectId
  readonly name: string
  readonly madeBy?: PersonId
}

/** A key, and its secret: this once. */
interface MadeKey {
  readonly key: KeySummary
  readonly secret: Secret
}

interface KeyLookup {
  readonly directory: Pick<Directory, 'findKey'>
  readonly operatorReader: Pick<OperatorReader, 'keysLike'>
}

/** Keys of one prefix that are named, where it does not say which one is meant. */
const maxAlike = 50

/** The key of this id. @throws AdminError key_not_found */
async function keyIn(directory: Pick<Directory, 'findKey'>, id: number): Promise<KeySummary> {
  const found = await directory.findKey(id as KeyId)
  if (found === null) throw new AdminError('key_not_found', { key: id })
  return found
}

/**
 * The key of this id, or the one whose secret begins with this prefix, as lists show it; of a whole secret no
 * more than that is looked at.
 * @throws AdminError key_not_found | key_ambiguous
 */
export async function keyMeant(
  { directory, operatorReader }: KeyLookup,
  which: number | string,
): Promise<KeySummary> {
  if (typeof which === 'number') return await keyIn(directory, which)
  const prefix = secretPrefix(which.replace(/…$/, '') as Secret)
  const alike = prefix.startsWith('sk-') ? await operatorReader.keysLike(prefix, maxAlike) : []
  const ids = alike.filter((key) => key.prefix === prefix).map(({ id }) => id)
  const [first, ...others] = ids.toSorted((a, b) => a - b)
  if (first === undefined) throw new AdminError('key_not_found', { key: prefix })
  if (others.length > 0) throw new AdminError('key_ambiguous', { prefix, keys: [first, ...others] })
  return await keyIn(directory, first)
}

/** Makes a key. @throws AdminError, also those of `withinAllowance` */
export async function createKey(
  parts: KeyParts & SecretParts,
  account: AccountId,
  wanted: NewKey,
): Promise<MadeKey> {
  await checkLimits(parts, account, wanted)
  const secret = makeSecret(parts.prefix)
  const hash = hashSecret(secret, parts.pepper)
  const key = await withinAllowance(() =>
    parts.directory.createKey({ ...wanted, prefix: secretPrefix(secret) }, hash),
  )
  return { key, secret }
}

/** Changes name and limits of a key. @throws AdminError, also those of `withinAllowance` */
export async function setKey(
  parts: KeyParts,
  key: KeySummary,
  limits: KeyLimits,
): Promise<KeySummary> {
  if (key.state === 'revoked') throw new AdminError('key_revoked', { key: key.id })
  await checkLimits(parts, key.account, limits)
  return await withinAllowance(() => parts.directory.setKey(key.id, limits))
}

/** Switches a key off or on again. @throws AdminError key_revoked */
export async function switchKey(
  parts: KeyParts,
  key: KeySummary,
  isOn: boolean,
): Promise<KeySummary> {
  if (key.state === 'revoked') throw new AdminError('key_revoked', { key: key.id })
  return parts.directory.setKey(key.id, { state: isOn ? 'active' : 'disabled' })
}

/** Ends a key for good; a second time changes nothing. */
export const revokeKey = ({ directory }: KeyParts, key: KeyId): Promise<KeySummary> =>
  directory.setKey(key, { state: 'revoked' })

async function checkLimits(
  { directory, clock }: KeyParts,
  account: AccountId,
  limits: KeyLimits,
): Promise<void> {
  const { requestsPerMinute, allowedModels, allowedAddresses, expiresAt } = limits
  const found = await directory.findAccount(account)
  if (found === null) throw new AdminError('account_not_found', { account })
  if (found.isClosed) throw new AdminError('account_closed', { account })
  const max = found.requestsPerMinute
  const asked = requestsPerMinute ?? 0
  if (asked > max) throw new AdminError('key_rpm_above_account', { account, max, asked })
  if (typeof expiresAt === 'number' && expiresAt <= clock.now())
    throw new AdminError('key_expiry_past', {})
  checkPatterns(allowedModels ?? [])
  for (const range of allowedAddresses ?? []) checkRange(range)
}

function checkRange(range: string): void {
  try {
    openAddressList([range])
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw new AdminError('address_range_invalid', { range })
  }
}
