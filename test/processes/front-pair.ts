/** Requests that go to one front after the other, whichever the kernel would have chosen. */
import { acceptedBy } from './rounds/accepted'
import { Connection, type RawReply } from './rounds/connection'
import type { Service } from './rounds/service'

interface PairRequest {
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Whom the next request goes to: the other one than the last. */
export class FrontPair {
  readonly #connections = new Map<number, Connection>()
  readonly #service: Service
  #turn = 0

  constructor(service: Service) {
    this.#service = service
  }

  /** Asks the front that was not asked last. */
  async ask(
    method: string,
    path: string,
    { as, headers, body }: PairRequest = {},
  ): Promise<RawReply> {
    const fronts = this.#service.listening()
    const front = fronts[this.#turn++ % fronts.length] ?? 0
    const connection = await this.#of(front)
    const { host } = this.#service.url
    const authorization = as === undefined ? {} : { authorization: `Bearer ${as}` }
    const asked = { method, path, headers: { host, ...authorization, ...headers } }
    return await connection.send(body === undefined ? asked : { ...asked, body })
  }

  /** Asks each of them, and is as far as before. */
  async askBoth(method: string, path: string, request: PairRequest = {}): Promise<RawReply[]> {
    return [await this.ask(method, path, request), await this.ask(method, path, request)]
  }

  close(): void {
    for (const connection of this.#connections.values()) connection.close()
  }

  /** A connection that this front has accepted. */
  async #of(front: number): Promise<Connection> {
    const known = this.#connections.get(front)
    if (known?.isOpen === true) return known
    for (;;) {
      const connection = await Connection.open(this.#service.url)
      await connection.send({ method: 'GET', path: '/healthz' })
      const accepted = acceptedBy([front], Number(this.#service.url.port))
      if (accepted.has(connection.port) && connection.isOpen) {
        this.#connections.set(front, connection)
        return connection
      }
      connection.close()
    }
  }
}

export const json = <T>({ body }: RawReply): T => JSON.parse(body) as T
