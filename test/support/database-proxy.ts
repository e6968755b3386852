import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

/** Parameters that a client of PostgreSQL begins a session with. */
type StartupParameters = Readonly<Record<string, string>>

/** A wire to a database, which a test can disturb. */
export interface DatabaseProxy extends AsyncDisposable {
  /** The same database by way of the proxy. */
  readonly url: string
  /** Parameters of every session that was begun. */
  readonly sessions: readonly StartupParameters[]
  /** Nothing goes through in either direction, and nobody is told, until `resume`. */
  stall(): void
  /** The database hears everything, and none of its answers arrive, until `resume`. */
  loseAnswers(): void
  resume(): void
  /** Ends every connection, in the middle of whatever it does. */
  cut(): void
  /** Clients lose their connections; the database does not hear of it. */
  strand(): void
  /** Every piece takes so long. */
  delay(ms: number): void
  close(): Promise<void>
}

interface ProxyOptions {
  /** As of a pooler, which has settings of its own. */
  readonly rewrite?: (parameters: StartupParameters) => StartupParameters
}

/** Version 3.0. https://www.postgresql.org/docs/18/protocol-message-formats.html */
const protocol = 196_608

/** Reads the first message of a session; null where it is none, or not whole. */
function readStartup(bytes: Buffer): { parameters: StartupParameters; length: number } | null {
  if (bytes.length < 8) return null
  const length = bytes.readInt32BE(0)
  if (bytes.length < length || bytes.readInt32BE(4) !== protocol) return null
  const words = bytes
    .subarray(8, length - 2)
    .toString('utf8')
    .split('\0')
  const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? '']] : []))
  return { parameters: Object.fromEntries(pairs) as StartupParameters, length }
}

function writeStartup(parameters: StartupParameters): Buffer {
  const words = Object.entries(parameters).flat()
  const body = Buffer.from([...words, '', ''].join('\0'), 'utf8')
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length, 0)
  head.writeInt32BE(protocol, 4)
  return Buffer.concat([head, body])
}

/** What comes in from one side goes out at the other, in order; later, where it is held. */
class Direction {
  #waiting: Buffer[] = []
  isHeld = false
  delayMs = 0

  constructor(
    from: Socket,
    readonly to: Socket,
    change: (bytes: Buffer) => Buffer = (bytes) => bytes,
  ) {
    from.on('data', (bytes: Buffer) => this.#take(change(bytes)))
  }

  release(): void {
    this.isHeld = false
    for (const bytes of this.#waiting.splice(0)) this.#send(bytes)
  }

  #take(bytes: Buffer): void {
    if (this.delayMs > 0) setTimeout(() => this.#pass(bytes), this.delayMs)
    else this.#pass(bytes)
  }

  #pass(bytes: Buffer): void {
    if (this.isHeld) this.#waiting.push(bytes)
    else this.#send(bytes)
  }

  #send(bytes: Buffer): void {
    if (!this.to.destroyed) this.to.write(bytes)
  }
}

interface Wire {
  readonly client: Socket
  readonly server: Socket
  readonly asked: Direction
  readonly answered: Direction
}

/** Starts a proxy in front of the database at that address. */
export async function startDatabaseProxy(
  target: string,
  { rewrite }: ProxyOptions = {},
): Promise<DatabaseProxy> {
  const at = new URL(target)
  const wires = new Set<Wire>()
  const stranded = new Set<Socket>()
  const sessions: StartupParameters[] = []
  const state = { holdsAsked: false, holdsAnswered: false, delayMs: 0 }

  const listener = createServer((client) => {
    const server = connect(Number(at.port), at.hostname)
    let isBegun = false
    const begin = (bytes: Buffer): Buffer => {
      const startup = isBegun ? null : readStartup(bytes)
      if (startup === null) return bytes
      isBegun = true
      sessions.push(startup.parameters)
      if (rewrite === undefined) return bytes
      const rest = bytes.subarray(startup.length)
      return Buffer.concat([writeStartup(rewrite(startup.parameters)), rest])
    }
    const wire: Wire = {
      client,
      server,
      asked: new Direction(client, server, begin),
      answered: new Direction(server, client),
    }
    apply(wire)
    wires.add(wire)
    const end = () => {
      // Whoever is cut off hears of no end either.
      if (!wires.has(wire) || state.holdsAsked || state.holdsAnswered) return
      wires.delete(wire)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on('error', () => {}).on('close', end)
  })
  const apply = ({ asked, answered }: Wire) => {
    asked.isHeld = state.holdsAsked
    answered.isHeld = state.holdsAnswered
    for (const direction of [asked, answered]) direction.delayMs = state.delayMs
  }
  const hold = (holdsAsked: boolean, holdsAnswered: boolean) => {
    Object.assign(state, { holdsAsked, holdsAnswered })
    for (const wire of wires) apply(wire)
  }
  const cut = () => {
    for (const { client, server } of wires) {
      client.destroy()
      server.destroy()
    }
    wires.clear()
  }
  const close = async () => {
    cut()
    for (const socket of stranded) socket.destroy()
    await new Promise<void>((resolve) => listener.close(() => resolve()))
  }
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String((listener.address() as AddressInfo).port)
  return {
    url: url.href,
    sessions,
    stall: () => hold(true, true),
    loseAnswers: () => hold(false, true),
    resume() {
      Object.assign(state, { holdsAsked: false, holdsAnswered: false })
      for (const wire of wires) {
        wire.asked.release()
        wire.answered.release()
        // One side went away meanwhile, and the other one hears of it now.
        if (wire.client.destroyed || wire.server.destroyed) {
          wires.delete(wire)
          wire.client.destroy()
          wire.server.destroy()
        }
      }
    },
    cut,
    strand() {
      for (const wire of wires) {
        wires.delete(wire)
        stranded.add(wire.server)
        wire.client.destroy()
      }
    },
    delay(ms) {
      state.delayMs = ms
      for (const wire of wires) apply(wire)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
