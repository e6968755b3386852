import { LRUCache } from 'lru-cache'
import type { Caller } from '../../domain/caller'

/** Way in which a caller was found, and is found again. */
export interface FoundBy {
  readonly mark: string
  read(): Promise<Caller | null>
}

/** A caller as it was read. */
interface Known {
  /** Null where the key was there and is no more. */
  readonly caller: Caller | null
  /** Count of the changes that were known by then. */
  readonly reading: number
}

interface Look {
  readonly reading: number
  readonly caller: Promise<Caller | null>
}

/** Callers kept in memory. */
const maxCallers = 50_000

/**
 * Callers in memory, by the marks of their keys. One that may have changed stays until it is read anew:
 * running calls go on by it meanwhile.
 */
export class CallerCache {
  readonly #callers = new LRUCache<string, Known>({ max: maxCallers })
  #foundBy = new WeakMap<Caller, FoundBy>()
  /** Reads that are under way, by the marks. */
  readonly #looks = new Map<string, Look>()
  #reading = 0

  /** The caller as it is; undefined where it has to be read. */
  fresh(mark: string): Caller | null | undefined {
    const known = this.#callers.get(mark)
    return known?.reading === this.#reading ? known.caller : undefined
  }

  /** The caller as it was read last; undefined where nobody knows it any more. */
  last(mark: string): Caller | null | undefined {
    return this.#callers.get(mark)?.caller
  }

  /** Reads a caller, once for all who ask at the same time. */
  look(by: FoundBy): Promise<Caller | null> {
    const running = this.#looks.get(by.mark)
    if (running?.reading === this.#reading) return running.caller
    const own: Look = { reading: this.#reading, caller: this.#read(by, this.#reading) }
    this.#looks.set(by.mark, own)
    const over = () => {
      if (this.#looks.get(by.mark) === own) this.#looks.delete(by.mark)
    }
    own.caller.then(over, over)
    return own.caller
  }

  /** Undefined for a caller of before `forget`. */
  byOf(caller: Caller): FoundBy | undefined {
    return this.#foundBy.get(caller)
  }

  /** Something behind a key has changed. */
  expire(): void {
    this.#reading++
  }

  /** Every caller is found anew: by their secret, not by how they were found last. */
  forget(): void {
    this.expire()
    this.#callers.clear()
    this.#foundBy = new WeakMap()
  }

  async #read(by: FoundBy, reading: number): Promise<Caller | null> {
    const caller = await by.read()
    const known = this.#callers.get(by.mark)
    // Nobody is remembered by a key that never was.
    if (caller === null && known === undefined) return null
    // Another look may have begun later and be over already.
    if (known !== undefined && known.reading > reading) return known.caller
    this.#callers.set(by.mark, { caller, reading })
    if (caller !== null) this.#foundBy.set(caller, by)
    return caller
  }
}
