/** Keep-alive lifetime of one server's idle connections, as far as it was observed or told. */
export interface IdleLifetime {
  /** A connection that was idle for longer is not used again; 0: none is. */
  usableMs(): number
  /** Idle for no longer, connections were seen to be open still: any number may be used at once. */
  trustedMs(): number
  /** The server closed a connection that was idle for so long, or had been when it was taken. */
  closed(idleMs: number): void
  /** A connection was idle for so long and is still open, as far as is known here. */
  survived(idleMs: number): void
  /** A request on a connection that was idle for so long was answered. */
  answered(idleMs: number): void
  /** `Keep-Alive: timeout=N` of a reply (RFC 2068 19.7.1.1, as servers send it today). */
  told(field: string): void
}

/** Of a server about which nothing is known: most close after five seconds or more. */
const initialMs = 4_000
/** A request that is sent now must arrive before the server closes. */
const marginMs = 1_000
/** No server closes as early as this: pauses between the calls of a busy gateway. */
const initiallyTrustedMs = 50

/**
 * Opens what is known of a new server.
 * @param maxIdleMs a connection that survives this long shows that what was learned holds no more
 */
export function openIdleLifetime(maxIdleMs: number): IdleLifetime {
  let learnedMs: number | null = null
  let survivedMs = 0
  let trustedMs = initiallyTrustedMs
  let lastField = ''

  const learn = (ms: number) => {
    if (learnedMs === null || ms < learnedMs) learnedMs = ms
    trustedMs = Math.min(trustedMs, Math.max(0, ms - marginMs))
  }
  return {
    usableMs: () =>
      learnedMs === null ? Math.max(initialMs, survivedMs) : Math.max(0, learnedMs - marginMs),
    trustedMs: () => trustedMs,
    closed: learn,
    survived(idleMs) {
      const countedMs = Math.min(idleMs, maxIdleMs)
      survivedMs = Math.max(survivedMs, countedMs)
      // That it was closed may still be on its way.
      trustedMs = Math.max(trustedMs, countedMs - marginMs)
      // Whoever closes early does so before; closing that was of another cause, such as a restart, is forgotten.
      if (idleMs >= maxIdleMs) learnedMs = null
    },
    answered(idleMs) {
      trustedMs = Math.max(trustedMs, idleMs)
    },
    told(field) {
      if (field === lastField) return
      lastField = field
      const seconds = /(?:^|[,\s])timeout=(\d{1,6})\b/i.exec(field)?.[1]
      if (seconds !== undefined) learn(Number(seconds) * 1000)
    },
  }
}
