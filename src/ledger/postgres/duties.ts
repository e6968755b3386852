import type { SQL } from 'bun'
import type { NodeId } from '../../domain/ids'
import type { DutyClaim } from './duty-fencing'
import { statement } from '../../storage/postgres/retry'

/** Share of a lease that is trusted, as of slices: nobody else has it before the database's clock says so. */
const trustShare = 0.9

/**
 * Work that one node does for all. A node holds it for a lease, by its own clock a little shorter than by the
 * database's; who is gone or silent for that long loses it to whoever asks next.
 */
export class Duties {
  readonly #held = new Map<string, { readonly claim: DutyClaim; readonly until: number }>()
  readonly #names: readonly string[]
  readonly #node: NodeId
  readonly #ttlMs: number
  readonly #onGained: (name: string) => void

  constructor(parts: {
    readonly names: readonly string[]
    readonly node: NodeId
    readonly ttlMs: number
    onGained(name: string): void
  }) {
    this.#names = parts.names
    this.#node = parts.node
    this.#ttlMs = parts.ttlMs
    this.#onGained = parts.onGained
  }

  has(name: string): boolean {
    return this.claimOf(name) !== null
  }

  /** What its writes show, so that none counts once another node has it; null where it is not this node's. */
  claimOf(name: string): DutyClaim | null {
    const held = this.#held.get(name)
    return held !== undefined && performance.now() < held.until ? held.claim : null
  }

  /** Asks for all, and says again that it holds what it has. A node that was taken over gets none. */
  async claim(sql: SQL): Promise<void> {
    const asked = performance.now()
    const rows = await statement<{ name: string; claim: bigint }>(
      sql,
      `INSERT INTO duties AS d (name, node, until)
        SELECT name, $1, now_ms() + $2 FROM json_array_elements_text(($3::text)::json) AS j (name)
        WHERE EXISTS (SELECT 1 FROM nodes WHERE id = $1 AND NOT dead) ORDER BY name
      ON CONFLICT (name) DO UPDATE SET node = excluded.node, until = excluded.until,
        claim = d.claim + CASE WHEN d.node = excluded.node THEN 0 ELSE 1 END
        WHERE d.node = excluded.node OR d.until < now_ms() RETURNING name, claim`,
      [this.#node, this.#ttlMs, JSON.stringify(this.#names)],
    )
    const until = asked + trustShare * this.#ttlMs
    const gained = rows.filter(({ name }) => !this.has(name))
    this.#held.clear()
    for (const { name, claim } of rows)
      this.#held.set(name, { claim: { duty: name, node: this.#node, claim: Number(claim) }, until })
    for (const { name } of gained) this.#onGained(name)
  }

  /** Leaves all of it to others, at once. */
  async release(sql: SQL): Promise<void> {
    this.#held.clear()
    await statement(sql, 'UPDATE duties SET until = 0 WHERE node = $1', [this.#node])
  }
}
