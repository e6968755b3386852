import type { Connected } from '../../settings/connection'

/** Encryption of the connection: from its first byte, from STARTTLS on, or none. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The server that sends our mail. */
export interface MailServer {
  readonly host: string
  readonly port: number
  readonly security: MailSecurity
  /** Null: it takes mail from us without a password. */
  readonly user: string | null
  readonly password: string | null
  /** Sender of the mail: an address, or `Name <address>`. */
  readonly from: string
}

/**
 * Usual port of each: RFC 8314, 3.3 (TLS from the first byte), RFC 6409, 3.1 (submission), RFC 5321,
 * 4.5.4.2.
 */
export const mailPort: Readonly<Record<MailSecurity, number>> = {
  tls: 465,
  starttls: 587,
  none: 25,
}

export const mailOf = ({ fields, secret }: Connected): MailServer => ({
  host: fields['host'] ?? '',
  port: Number(fields['port']),
  security: mailSecurities.find((each) => each === fields['security']) ?? 'tls',
  user: fields['user'] ?? null,
  password: secret,
  from: fields['from'] ?? '',
})

export const connectedOf = ({
  password,
  host,
  port,
  security,
  user,
  from,
}: MailServer): Connected => ({
  fields: { host, port: String(port), security, from, ...(user === null ? {} : { user }) },
  secret: password,
})

const addressPattern =
  /^[^\s@<>",;:()[\]\\]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/i
/** Characters: a path of 256 without its brackets (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254

/** An address as it is kept: its host in small letters; null when it is none. */
export function parseEmail(typed: string): string | null {
  const text = typed.trim()
  if (text.length > maxAddressLength || !addressPattern.test(text)) return null
  const at = text.lastIndexOf('@')
  return `${text.slice(0, at)}@${text.slice(at + 1).toLowerCase()}`
}
