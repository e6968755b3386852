import type { Clock, Ms } from '../../domain/clock'
import type { OperatorKeyId } from '../../domain/ids'
import type { Pepper } from '../../domain/pepper'
import type { Secret } from '../../domain/secret'
import { hashSecret, makeSecret, secretPrefix } from '../../gateway/identity/secret'
import { makeLink } from './setup-links'
import { operatorName } from './typed-codes'
import type { EndedRights, Operator, OperatorKey, OperatorStore, RoleChange } from './operator'
import type { OperatorRole } from '../../domain/fields/operator-fields'
import { operatorKeyPrefix, operatorKeyText } from './sign-in'
import { AdminError } from '../operations/admin-error'

interface OperatorParts {
  readonly store: OperatorStore
  readonly clock: Clock
  readonly pepper: Pepper
}

/** An operator, and the token of the link by which they set a password: this once. */
interface InvitedOperator {
  readonly operator: Operator
  readonly token: string
  readonly expires: Ms
}

/** @throws AdminError operator_not_found */
async function operatorNamed({ store }: OperatorParts, text: string): Promise<Operator> {
  const name = operatorName(text)
  const found = (await store.list()).find((each) => each.name === name)
  if (found === undefined) throw new AdminError('operator_not_found', { operator: text })
  return found
}

/** Adds an operator, who follows a link. @throws AdminError operator_name_invalid | operator_exists */
export async function addOperator(
  { store, clock, pepper }: OperatorParts,
  wanted: { readonly name: string; readonly role: OperatorRole },
): Promise<InvitedOperator> {
  const name = operatorName(wanted.name)
  if (name === null) throw new AdminError('operator_name_invalid', { operator: wanted.name })
  const { token, link } = makeLink(pepper, clock.now())
  const operator = await store.add({ name, role: wanted.role }, link)
  if (operator === null) throw new AdminError('operator_exists', { operator: name })
  return { operator, token, expires: link.expires }
}

/** An operator after a change, and what it took away. */
interface ChangedOperator {
  readonly operator: Operator
  readonly ended: EndedRights
}

/**
 * Forgets what an operator signs in with, ends what they granted, and makes a link for another beginning.
 * @throws AdminError operator_not_found
 */
export async function resetOperator(
  parts: OperatorParts,
  name: string,
): Promise<InvitedOperator & ChangedOperator> {
  const operator = await operatorNamed(parts, name)
  const { token, link } = makeLink(parts.pepper, parts.clock.now())
  const ended = await parts.store.reset(operator.id, link)
  return { operator: { ...operator, isReady: false }, token, expires: link.expires, ended }
}

/**
 * Another link: of an operator who has not followed theirs, or for the first owner.
 * @param name null for the first owner
 * @throws AdminError operator_not_found | operator_ready | operators_set_up
 */
export async function linkOperator(
  parts: OperatorParts,
  name: string | null,
): Promise<Omit<InvitedOperator, 'operator'> & { readonly operator: Operator | null }> {
  const { store, clock, pepper } = parts
  const operator = name === null ? null : await operatorNamed(parts, name)
  if (operator?.isReady === true)
    throw new AdminError('operator_ready', { operator: operator.name })
  if (operator === null && (await store.list()).some(({ isReady }) => isReady))
    throw new AdminError('operators_set_up', {})
  const { token, link } = makeLink(pepper, clock.now())
  await store.link(operator?.id ?? null, link)
  return { operator, token, expires: link.expires }
}

/**
 * Sets the role of an operator, which bounds their keys.
 * @throws AdminError operator_not_found | last_operator
 */
export async function setOperatorRole(
  parts: OperatorParts,
  name: string,
  role: OperatorRole,
): Promise<ChangedOperator> {
  const operator = await operatorNamed(parts, name)
  const ended = endedBy(await parts.store.setRole(operator.id, role), operator)
  return { operator: { ...operator, role }, ended }
}

/**
 * Signs an operator out for good, and ends what they granted.
 * @throws AdminError operator_not_found | last_operator
 */
export async function removeOperator(parts: OperatorParts, name: string): Promise<ChangedOperator> {
  const operator = await operatorNamed(parts, name)
  return { operator, ended: endedBy(await parts.store.remove(operator.id), operator) }
}

/** @throws AdminError operator_not_found | last_operator */
function endedBy(change: RoleChange, { name }: Operator): EndedRights {
  if (change === 'missing') throw new AdminError('operator_not_found', { operator: name })
  if (change === 'last_owner') throw new AdminError('last_operator', { operator: name })
  return change
}

/** A key of a program, and its secret: this once. */
interface MadeOperatorKey {
  readonly key: OperatorKey
  readonly secret: Secret
}

/** Creates a key for programs of an operator. @throws AdminError key_expiry_past */
export async function createOperatorKey(
  { store, clock, pepper }: OperatorParts,
  wanted: Pick<OperatorKey, 'name' | 'role' | 'expires'>,
): Promise<MadeOperatorKey> {
  if (wanted.expires !== null && wanted.expires <= clock.now())
    throw new AdminError('key_expiry_past', {})
  const secret = makeSecret(operatorKeyPrefix)
  const hash = hashSecret(operatorKeyText(secret), pepper)
  const key = await store.addKey({ ...wanted, prefix: secretPrefix(secret) }, hash)
  return { key, secret }
}

/**
 * Revokes a key for good, and keys that it made; a second time changes nothing.
 * @throws AdminError operator_key_not_found
 */
export async function revokeOperatorKey(
  { store }: Pick<OperatorParts, 'store'>,
  id: OperatorKeyId,
): Promise<{ readonly key: OperatorKey; readonly ended: EndedRights }> {
  const revoked = await store.revokeKey(id)
  if (revoked === null) throw new AdminError('operator_key_not_found', { key: id })
  return revoked
}
