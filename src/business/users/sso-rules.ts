import type { Ms } from '../../domain/clock'
import { isLoopbackHost } from '../../gateway/net/address'
import type { SisterService, SisterStore } from './sso'
import { readTicket, type SisterTicket } from './sso-token'
import { AdminError } from '../operations/admin-error'

const minSecretLength = 32
const maxNameLength = 40

/** A change of the sister service; what is null stays as it is kept. */
interface SisterChange {
  readonly name: string | null
  readonly signInUrl: string
  readonly secret: string | null
}

/**
 * Sets up the service whose users sign in by a ticket.
 * @throws AdminError sister_name_invalid | sister_url_invalid | sister_secret_missing | sister_secret_short
 */
export async function setSister(
  store: Pick<SisterStore, 'find' | 'save'>,
  wanted: SisterChange,
): Promise<SisterService> {
  const kept = await store.find()
  const url = URL.parse(wanted.signInUrl)
  if (url === null || !isSafe(url))
    throw new AdminError('sister_url_invalid', { url: wanted.signInUrl })
  const name = (wanted.name ?? kept?.name ?? url.hostname).trim()
  if (name === '' || name.length > maxNameLength) throw new AdminError('sister_name_invalid', {})
  const secret = wanted.secret ?? kept?.secret ?? null
  if (secret === null) throw new AdminError('sister_secret_missing', {})
  if (secret.length < minSecretLength)
    throw new AdminError('sister_secret_short', { min: minSecretLength })
  const sister = { name, signInUrl: url.href, secret }
  await store.save(sister)
  return sister
}

/** The sister service that is set up. @throws AdminError sister_not_found */
export async function findSister(store: Pick<SisterStore, 'find'>): Promise<SisterService> {
  const found = await store.find()
  if (found === null) throw new AdminError('sister_not_found', {})
  return found
}

/** Removes the sister service. @throws AdminError sister_not_found */
export async function removeSister(store: Pick<SisterStore, 'remove'>): Promise<void> {
  if (!(await store.remove())) throw new AdminError('sister_not_found', {})
}

/**
 * Reads a ticket by every rule, and does not use it up.
 * @param audience null where the address of this service is not set
 * @throws AdminError public_url_missing | sister_not_found | sister_secret_missing | ticket_refused
 */
export async function checkTicket(
  store: Pick<SisterStore, 'find'>,
  text: string,
  { audience, now }: { readonly audience: string | null; readonly now: Ms },
): Promise<SisterTicket> {
  if (audience === null) throw new AdminError('public_url_missing', {})
  const { secret } = await findSister(store)
  if (secret === null) throw new AdminError('sister_secret_missing', {})
  const read = readTicket(text.trim(), { secret, audience, now })
  if ('fault' in read) throw new AdminError('ticket_refused', { fault: read.fault })
  return read.ticket
}

const isSafe = ({ protocol, hostname, username, hash }: URL): boolean =>
  (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) &&
  username === '' &&
  hash === ''
