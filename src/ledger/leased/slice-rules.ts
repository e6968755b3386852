/** Patience of a node with itself, its engine and others. */
export interface SliceRules {
  /** A node that is silent for so long is taken over. */
  readonly ttlMs: number
  /** How long a call waits on, once its money is known to be short. */
  readonly patienceMs: number
  /** How long a call waits for an answer at all. */
  readonly waitMs: number
  /** A slice covers what is spent in so long, at least; half of it is left when more is taken. */
  readonly coverMs: number
  /** A slice that nobody uses goes back after so long. */
  readonly idleMs: number
  /** Scopes that one exchange tells of, but for those that its calls charge: what else waits comes with the next. */
  readonly maxLines: number
  /** Times that all others must be found empty, one after the other. */
  readonly looks: number
}

export const usualRules: SliceRules = {
  ttlMs: 10_000,
  patienceMs: 100,
  waitMs: 10_000,
  coverMs: 1000,
  idleMs: 30_000,
  maxLines: 500,
  looks: 2,
}
