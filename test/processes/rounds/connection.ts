/** Calls over a socket of which the test knows the port, so that whoever accepted it can be found. */

/** What came of a call. */
export interface CallAnswer {
  readonly status: number
  readonly id: string
  /** Dollars; null for a stream, whose head is sent before anybody knows. */
  readonly cost: number | null
  readonly isStream: boolean
  /** The server takes no more calls on this connection. */
  readonly closes: boolean
}

/** A call whose connection ended before its answer was whole. */
export class BrokenCall extends Error {
  constructor(
    /** Of the client's end; 0 where there was no connection. */
    readonly port: number,
    /** Earlier calls on the connection: a process had accepted it. */
    readonly answered: number,
    /** What came of this answer. */
    readonly received: string,
  ) {
    super(`a call on port ${port} broke after ${JSON.stringify(received.slice(0, 200))}`)
  }
}

const headEnd = '\r\n\r\n'
const lastChunk = '\r\n0\r\n\r\n'

export class CallConnection {
  #received = ''
  #waiting: { resolve(answer: CallAnswer): void; reject(broken: BrokenCall): void } | null = null
  #answered = 0
  #isOpen = true
  #socket: Bun.Socket | null = null
  #port = 0

  /** @throws BrokenCall where nobody listens */
  static async open({ hostname, port }: URL): Promise<CallConnection> {
    const connection = new CallConnection()
    const decoder = new TextDecoder('latin1')
    try {
      connection.#socket = await Bun.connect({
        hostname,
        port: Number(port),
        socket: {
          data(_, bytes) {
            connection.#received += decoder.decode(bytes)
            connection.#look()
          },
          close: () => connection.#ended(),
          error: () => connection.#ended(),
        },
      })
    } catch {
      throw new BrokenCall(0, 0, '')
    }
    connection.#port = connection.#socket.localPort
    return connection
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** One call at a time. @throws BrokenCall */
  call(path: string, key: string, body: object): Promise<CallAnswer> {
    const json = JSON.stringify(body)
    const head = [
      `POST ${path} HTTP/1.1`,
      'host: chapar',
      `authorization: Bearer ${key}`,
      'content-type: application/json',
      `content-length: ${json.length}`,
    ]
    this.#received = ''
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(this.#broken())
      this.#waiting = { resolve, reject }
      this.#socket?.write(head.join('\r\n') + headEnd + json)
    })
  }

  close(): void {
    this.#isOpen = false
    this.#socket?.end()
  }

  #broken(): BrokenCall {
    return new BrokenCall(this.#port, this.#answered, this.#received)
  }

  #ended(): void {
    this.#isOpen = false
    this.#waiting?.reject(this.#broken())
    this.#waiting = null
  }

  #look(): void {
    const answer = wholeAnswer(this.#received)
    if (answer === null) return
    this.#answered++
    const waiting = this.#waiting
    this.#waiting = null
    if (answer.closes) this.close()
    waiting?.resolve(answer)
  }
}

/** Null while more of it is to come. */
function wholeAnswer(received: string): CallAnswer | null {
  const end = received.indexOf(headEnd)
  if (end < 0) return null
  const head = received.slice(0, end)
  const field = (name: string) => new RegExp(`^${name}: *(.*)$`, 'im').exec(head)?.[1]?.trim()
  const length = field('content-length')
  const isWhole =
    length === undefined
      ? received.endsWith(lastChunk)
      : received.length - end - headEnd.length >= Number(length)
  if (!isWhole) return null
  const cost = field('x-cost-usd')
  return {
    status: Number(head.slice(9, 12)),
    id: field('x-request-id') ?? '',
    cost: cost === undefined ? null : Number(cost),
    isStream: length === undefined,
    closes: field('connection')?.toLowerCase() === 'close',
  }
}
