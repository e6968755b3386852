/** HTTP over a socket of which the test knows the port, so that whoever accepted it can be found. */

interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface RawReply {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** What came of a metered call. */
export interface CallAnswer {
  readonly status: number
  readonly id: string
  /** Dollars; null for a stream, whose head is sent before anybody knows. */
  readonly cost: number | null
}

/** A request whose connection ended before its answer was whole. */
export class BrokenCall extends Error {
  constructor(
    /** Of the client's end; 0 where there was no connection. */
    readonly port: number,
    /** Earlier requests on the connection: a process had accepted it. */
    readonly answered: number,
    /** What came of this answer. */
    readonly received: string,
  ) {
    super(`a call on port ${port} broke after ${JSON.stringify(received.slice(0, 200))}`)
  }
}

const headEnd = '\r\n\r\n'
const lastChunk = '0\r\n\r\n'

export class Connection {
  #received = ''
  #waiting: { resolve(reply: RawReply): void; reject(broken: BrokenCall): void } | null = null
  #answered = 0
  #isOpen = true
  #socket: Bun.Socket | null = null
  #port = 0

  /** @throws BrokenCall where nobody listens */
  static async open({ hostname, port }: URL): Promise<Connection> {
    const connection = new Connection()
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

  /** Of the client's end. */
  get port(): number {
    return this.#port
  }

  /** One at a time. @throws BrokenCall */
  send({ method, path, headers = {}, body }: RawRequest): Promise<RawReply> {
    const json = body === undefined ? '' : JSON.stringify(body)
    const sized = body === undefined ? {} : { 'content-type': 'application/json' }
    const length = String(Buffer.byteLength(json))
    const fields = Object.entries({ host: 'x', ...sized, 'content-length': length, ...headers })
    const head = [`${method} ${path} HTTP/1.1`, ...fields.map((field) => field.join(': '))]
    this.#received = ''
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(this.#broken())
      this.#waiting = { resolve, reject }
      this.#socket?.write(head.join('\r\n') + headEnd + json)
    })
  }

  /** A metered call. @throws BrokenCall */
  async call(path: string, key: string, body: object): Promise<CallAnswer> {
    const authorization = `Bearer ${key}`
    const reply = await this.send({ method: 'POST', path, headers: { authorization }, body })
    const { status, headers } = reply
    const cost = headers.get('x-cost-usd')
    const id = headers.get('x-request-id') ?? ''
    return { status, id, cost: cost === null ? null : Number(cost) }
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
    const reply = wholeReply(this.#received)
    if (reply === null) return
    this.#answered++
    const waiting = this.#waiting
    this.#waiting = null
    if (reply.headers.get('connection')?.toLowerCase() === 'close') this.close()
    waiting?.resolve(reply)
  }
}

/** Null while more of it is to come. */
function wholeReply(received: string): RawReply | null {
  const end = received.indexOf(headEnd)
  if (end < 0) return null
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).trim()]
    }),
  )
  const length = headers.get('content-length')
  const rest = received.slice(end + headEnd.length)
  const status = Number(first.split(' ')[1])
  if (length === null) {
    const isWhole = rest === lastChunk || rest.endsWith(`\r\n${lastChunk}`)
    return isWhole ? { status, headers, body: unchunked(rest) } : null
  }
  return rest.length < Number(length) ? null : { status, headers, body: rest }
}

function unchunked(rest: string): string {
  let body = ''
  for (let at = 0; ;) {
    const end = rest.indexOf('\r\n', at)
    const size = Number.parseInt(rest.slice(at, end), 16)
    if (size === 0 || Number.isNaN(size)) return body
    body += rest.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}
