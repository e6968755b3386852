import type { LaidOut } from './letter'
import type { MailServer } from './server'

/** Refusal of a letter by the server: its own code, never its words or ours. */
export class MailError extends Error {
  constructor(
    readonly code: string,
    /** Another moment may do better. */
    readonly isPassing: boolean,
  ) {
    super(`the mail server did not take it: ${code}`)
    this.name = 'MailError'
  }
}

/** Sends one letter. @throws MailError */
type SendMail = (
  server: MailServer,
  to: string,
  letter: LaidOut,
  id: string | null,
) => Promise<void>

const timeoutMs = 15_000

/** One connection a letter: there are few, and none is kept open between them. */
export const sendBySmtp: SendMail = async (server, to, letter, id) => {
  // Read when the first letter goes out.
  const { createTransport } = await import('nodemailer')
  const { host, port, security, user, password, from } = server
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user === null ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    await transport.sendMail({
      from,
      to,
      ...letter,
      ...(id === null ? {} : { messageId: `<${id}@${host}>` }),
      headers: { 'auto-submitted': 'auto-generated' },
    })
  } catch (thrown) {
    throw mailErrorOf(thrown)
  } finally {
    transport.close()
  }
}

/** A reply of 5xx stays as it is (RFC 5321, 4.2.1); all others may pass. */
function mailErrorOf(thrown: unknown): MailError {
  const { code, responseCode } = thrown as { code?: unknown; responseCode?: unknown }
  if (typeof responseCode === 'number')
    return new MailError(String(responseCode), responseCode < 500)
  return new MailError(typeof code === 'string' ? code : 'unknown', true)
}
