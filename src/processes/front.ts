import type { EndingSpool } from '../ledger/ending-spool'
import type { LeasedLedger, LeasedLedgerParts } from '../ledger/leased/leased-contract'
import { openLeasedLedger } from '../ledger/leased/leased-ledger'
import { usualRules } from '../ledger/leased/node-slices'
import { openFrontDoor, type FrontDoor, type FrontDoorParts } from './front-door'

interface FrontParts
  extends
    Omit<FrontDoorParts, 'resumed'>,
    Pick<LeasedLedgerParts, 'now' | 'onFault' | 'onMiscount' | 'onRefused'> {
  /** How often it says that it lives; much less than its owner's patience. */
  readonly beatMs: number
  /** How long it goes on without an owner, by what it has. */
  readonly fenceMs: number
  /** @param database identity of the database that it belongs to */
  openSpool(folder: string, database: string): EndingSpool
  /** What is kept in memory of accounts, keys and settings is old. */
  onChanged(): void
  /** Another front takes its place. */
  onLeave(): void
  /** There is no owner any more: nothing that is held here counts, and the process must end. */
  onGone(): void
}

/** The link of a process that serves to its owner, and its money. */
export interface Front extends Pick<FrontDoor, 'node' | 'greeting' | 'ask' | 'tell'> {
  /** Opens its ledger, once. Whoever opened it closes it, before the link. */
  openLedger(settings: LeasedLedgerParts['settings']): LeasedLedger
  /** Leaves the owner, to whom everything was given back. */
  close(): Promise<void>
}

const reconnectMs = 50
/**
 * A front flushes so many times less often than the one process of a folder: a commit costs the same for all its
 * calls, and a wake of the owner on a core that is in use costs more than to bring ten calls. Nothing is lost with
 * it: what clients are told of is in the spool.
 */
const flushesLess = 2

const noOwner = () => new Error('the owner of the data folder is gone')

/** @throws Error when no owner listens there */
export async function openFront(parts: FrontParts): Promise<Front> {
  const door = await openFrontDoor({ ...parts, resumed: null })
  return new LinkedFront(parts, door)
}

class LinkedFront implements Front {
  readonly node: number
  readonly greeting: unknown
  readonly #parts: FrontParts
  #door: FrontDoor | null
  #ledger: LeasedLedger | null = null
  #isClosing = false
  /** The next owner, once there is one. */
  #next = Promise.withResolvers<FrontDoor>()

  constructor(parts: FrontParts, door: FrontDoor) {
    this.node = door.node
    this.greeting = door.greeting
    this.#parts = parts
    this.#door = door
    this.#heed(door)
  }

  openLedger(settings: LeasedLedgerParts['settings']): LeasedLedger {
    const { openSpool, beatMs, now, onFault, onMiscount, onRefused, onGone } = this.#parts
    const door = this.#door
    if (door === null) throw noOwner()
    const { database, spoolFolders } = door
    const [first, second] = spoolFolders
    this.#ledger = openLeasedLedger({
      node: this.node,
      // Where there is no owner the next one is waited for.
      engine: async (exchange) => (this.#door ?? (await this.#next.promise)).engine(exchange),
      spools: [openSpool(first, database), openSpool(second, database)],
      settings: { ...settings, flushMs: flushesLess * settings.flushMs },
      // Whether it lives is seen by its socket.
      rules: { ...usualRules, ttlMs: Number.POSITIVE_INFINITY },
      beatMs,
      flushesAlike: true,
      now,
      onFault,
      onFenced: onGone,
      ...(onMiscount === undefined ? {} : { onMiscount }),
      ...(onRefused === undefined ? {} : { onRefused }),
    })
    return this.#ledger
  }

  ask(topic: string, body: unknown): Promise<unknown> {
    return this.#door?.ask(topic, body) ?? Promise.reject(noOwner())
  }

  tell(topic: string, body: unknown): void {
    this.#door?.tell(topic, body)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#door?.close()
    await this.#door?.closed
  }

  #heed(door: FrontDoor): void {
    door.onQuestion((scope, no) => this.#ledger?.hint(scope, no))
    door.onChanged(() => {
      this.#ledger?.refresh()
      this.#parts.onChanged()
    })
    door.onLeave(this.#parts.onLeave)
    void this.#watch(door)
  }

  async #watch(door: FrontDoor): Promise<void> {
    await door.closed
    if (this.#isClosing) return
    this.#door = null
    this.#next = Promise.withResolvers()
    this.#next.promise.catch(() => {})
    await this.#holdOn()
  }

  /** Goes on by what is here, and looks for another owner. */
  async #holdOn(): Promise<void> {
    const { now, fenceMs, onGone, onChanged } = this.#parts
    const ledger = this.#ledger
    const until = now() + fenceMs
    ledger?.holdOn(fenceMs)
    if (ledger === null) return onGone()
    while (now() < until) {
      const { node } = this
      try {
        const resumed = { node, standing: ledger.standing() }
        const door = await openFrontDoor({ ...this.#parts, resumed })
        this.#door = door
        this.#next.resolve(door)
        this.#heed(door)
        ledger.holdOn(Number.POSITIVE_INFINITY)
        ledger.refresh()
        return onChanged()
      } catch {
        await Bun.sleep(reconnectMs)
      }
    }
    ledger.fence()
    this.#next.reject(noOwner())
    onGone()
  }
}
