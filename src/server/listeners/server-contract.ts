import type { ListenerPlace } from '../../gateway/http/steering'

export interface ServerOptions {
  readonly host: string
  readonly port: number
  /** Several processes listen there, and each gets a part of the connections. */
  readonly isShared?: boolean
}

/** How new connections are kept away from a server that leaves. */
export interface Leaving {
  /** Its place among those that listen there too. */
  readonly place?: ListenerPlace | null
  /** They go to another one already. */
  readonly isSteered?: boolean
  /** None comes any more. */
  closed?(): void
}

/** The HTTP server, listening. */
export interface Server {
  readonly url: string
  readonly port: number
  /** Of operators, where they have an address of their own. */
  readonly adminPort: number | null
  /** When it began to listen, in milliseconds of a time that all processes of the machine share. */
  readonly listenedAt: number
  /** Takes no new connection; those that are idle are closed. */
  stopListening(): void
  /**
   * Takes no new connection, and has each that there is end with its next answer. Resolves when none is left, or
   * the rest has been idle for longer than most clients count on.
   */
  leave(how?: Leaving): Promise<void>
  /** Has new connections come here, and none to the process that listens here too. */
  steer(): void
  /** Has new connections go to any process that listens here. */
  spread(): void
  /** Closes connections on which no request is in progress, also those with a body that is not wanted. */
  closeIdle(): void
  /**
   * Closes connections that have not sent a whole head, those of addresses with more than a share first, then the
   * oldest. @returns their number; 0 where the system offers no way
   */
  closeHeadless(missing: number, share: number): number
  /** While connections are scarce, a refused request's is closed with its answer. */
  setScarce(scarce: boolean): void
  /** Drops every connection. */
  drop(): Promise<void>
}
