import { connect } from 'node:net'

/** A connection whose bytes the test writes itself. */
export interface RawClient {
  send(text: string): void
  /** All that came so far. */
  received(): string
  /** Waits until what came holds this. @throws Error when the connection ends before */
  until(part: string): Promise<string>
  readonly closed: Promise<void>
  isClosed(): boolean
  leave(): void
}

/** @param text sent as soon as there is a connection */
export function openRawClient(url: string, text: string): RawClient {
  const { hostname, port } = new URL(url)
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let received = ''
  let over = false
  let look = () => {}
  const socket = connect(Number(port), hostname, () => void socket.write(text))
  socket.setEncoding('utf8')
  socket.on('data', (more: string) => {
    received += more
    look()
  })
  // How it ended is told by `closed`.
  socket.on('error', () => {})
  socket.on('close', () => {
    over = true
    close()
    look()
  })
  return {
    send: (more) => void socket.write(more),
    received: () => received,
    until: (part) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (received.includes(part)) resolve(received)
          else if (over) reject(new Error(`closed after ${JSON.stringify(received)}`))
        }
        look()
      }),
    closed,
    isClosed: () => over,
    leave: () => void socket.destroy(),
  }
}

/** The head of a request, and some of the body that it announces. */
export const requestText = (
  target: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string => {
  const lines = Object.entries({ host: 'x', ...headers }).map((each) => each.join(': '))
  return [`${target} HTTP/1.1`, ...lines, '', body].join('\r\n')
}
