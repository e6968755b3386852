import { SMTPServer } from 'smtp-server'

interface Received {
  readonly to: readonly string[]
  readonly raw: string
}

/** A mail server on loopback, without TLS; who signs in must know the password. */
export interface MailStandIn {
  readonly port: number
  readonly received: readonly Received[]
  /** The code with which letters are refused; null takes them. */
  refuse(code: number | null): void
  /** Waits until so many letters came. @throws Error when they do not come in ten seconds */
  until(count: number): Promise<readonly Received[]>
  close(): Promise<void>
}

export const mailUser = { user: 'notices', password: 'known to both' }

export async function openMailStandIn(): Promise<MailStandIn> {
  const received: Received[] = []
  let refusal: number | null = null
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _, done) {
      const isKnown = username === mailUser.user && password === mailUser.password
      if (isKnown) done(null, { user: username })
      else done(new Error('unknown'))
    },
    onRcptTo(_, __, done) {
      if (refusal === null) return done()
      done(Object.assign(new Error('refused'), { responseCode: refusal }))
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        received.push({ to, raw: Buffer.concat(parts).toString('utf8') })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return {
    port: address.port,
    received,
    refuse: (code) => void (refusal = code),
    async until(count) {
      for (let tries = 0; received.length < count; tries++) {
        if (tries === 2000) throw new Error(`only ${received.length} of ${count} letters came`)
        await Bun.sleep(5)
      }
      return received
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Body parts of a letter, decoded, and its subject. */
export function readLetter(raw: string): { subject: string; text: string; html: string } {
  const [head = ''] = raw.split('\r\n\r\n')
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ')
  const subject = (/^subject: (.*)$/im.exec(unfolded)?.[1] ?? '')
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, value: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(value, 'base64').toString('utf8')
        : quoted(value.replaceAll('_', ' ')),
    )
  const part = (type: string): string => {
    const found = new RegExp(`content-type: ${type}[^]*?\\r\\n\\r\\n([^]*?)\\r\\n--`, 'i').exec(raw)
    const [whole = '', body = ''] = found ?? []
    return /base64/i.test(whole.slice(0, 200))
      ? Buffer.from(body, 'base64').toString('utf8')
      : quoted(body.replaceAll(/=\r\n/g, ''))
  }
  return { subject, text: part('text/plain'), html: part('text/html') }
}

const quoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString('utf8')
