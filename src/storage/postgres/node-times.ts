/** Lives of nodes, in milliseconds. */
export interface NodeTimes {
  /** A node that is silent for so long is taken over. */
  readonly ttlMs: number
  /** How often a node says that it lives, at least. */
  readonly beatMs: number
  /** How often sums are written behind charges. */
  readonly sumMs: number
}

export const usualTimes: NodeTimes = { ttlMs: 10_000, beatMs: 2000, sumMs: 1000 }
