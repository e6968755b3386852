import { isLoopbackHost } from '../../gateway/net/address'
import type { ConnectionStore } from '../settings/connection'
import {
  connectedOf,
  mailOf,
  mailPort,
  parseEmail,
  type MailSecurity,
  type MailServer,
} from './mail/server'
import { AdminError } from '../operations/admin-error'

/** A change of the mail server; a password that is null stays as it is kept. */
interface MailChange {
  readonly host: string
  /** Null: the usual one of the security. */
  readonly port: number | null
  readonly security: MailSecurity
  readonly user: string | null
  readonly password: string | null
  readonly from: string
}

/**
 * Sets up the server that sends our mail.
 * @throws AdminError mail_host_invalid | mail_from_invalid | mail_open | mail_password_missing
 */
export async function setMailServer(
  store: Pick<ConnectionStore, 'find' | 'save'>,
  wanted: MailChange,
): Promise<MailServer> {
  const { host, security, user, from } = wanted
  if (!/^[a-z0-9.:-]{1,253}$/i.test(host)) throw new AdminError('mail_host_invalid', { host })
  const [, bare] = /^[^<>\r\n]*<([^<>]+)>$/.exec(from) ?? [null, from]
  if (/[\r\n]/.test(from) || parseEmail(bare ?? '') === null)
    throw new AdminError('mail_from_invalid', { from })
  // Letters and passwords would be read on their way.
  if (security === 'none' && !isLoopbackHost(host)) throw new AdminError('mail_open', { host })
  const kept = await store.find('mail')
  const earlier = kept === null ? null : mailOf(kept)
  const isSame = earlier?.host === host && earlier.user === user
  const password = user === null ? null : (wanted.password ?? (isSame ? earlier.password : null))
  if (user !== null && password === null) throw new AdminError('mail_password_missing', { user })
  const server: MailServer = {
    host,
    port: wanted.port ?? mailPort[security],
    security,
    user,
    password,
    from,
  }
  await store.save('mail', connectedOf(server))
  return server
}

/** The mail server that is set up. @throws AdminError mail_not_found */
export async function findMailServer(store: Pick<ConnectionStore, 'find'>): Promise<MailServer> {
  const found = await store.find('mail')
  if (found === null) throw new AdminError('mail_not_found', {})
  return mailOf(found)
}

/** Removes the mail server. @throws AdminError mail_not_found */
export async function removeMailServer(store: Pick<ConnectionStore, 'remove'>): Promise<void> {
  if (!(await store.remove('mail'))) throw new AdminError('mail_not_found', {})
}
