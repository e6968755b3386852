import { noRank, type Vocabulary } from './vocabulary'

/** Bytes that are merged at once. A power of two, as the tokens of long runs of one sign are. */
export const mergedBytes = 4096
/** Bits of a place among them. */
const placeBits = 12
const placeMask = mergedBytes - 1

const end = -1

/**
 * The tokens that bytes are merged to: of all neighbours the pair of the lowest rank first, the left
 * one of equals, until no pair is a token. A heap of pairs keeps it from growing with the square.
 */
export class TokenMerger {
  readonly #vocabulary: Vocabulary
  /** Where the token before, and behind, begins; by the first byte of each. */
  readonly #before = new Int16Array(mergedBytes)
  readonly #behind = new Int16Array(mergedBytes)
  /** Rank of each token with the one behind it. */
  readonly #ranks = new Int32Array(mergedBytes)
  /** Rank and place in one number: the lowest is what is merged next. May hold pairs that are gone. */
  readonly #heap = new Int32Array(mergedBytes * 4)
  #size = 0
  #bytes: Uint8Array = new Uint8Array()
  #length = 0
  #from = 0

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** @param to at most `mergedBytes` behind `from` */
  count(bytes: Uint8Array, from: number, to: number): number {
    this.#bytes = bytes
    this.#from = from
    this.#length = to - from
    this.#size = 0
    const length = this.#length
    for (let place = 0; place < length; place++) {
      this.#before[place] = place - 1
      this.#behind[place] = place + 1 < length ? place + 1 : end
    }
    for (let place = 0; place < length; place++) this.#rate(place)
    let tokens = length
    while (this.#size > 0) {
      const next = this.#pop()
      const place = next & placeMask
      if (this.#ranks[place] !== next >> placeBits) continue
      this.#merge(place)
      tokens--
    }
    return tokens
  }

  #merge(place: number): void {
    const gone = this.#behind[place] ?? end
    const behind = this.#behind[gone] ?? end
    this.#behind[place] = behind
    if (behind !== end) this.#before[behind] = place
    this.#ranks[gone] = noRank
    this.#rate(place)
    const before = this.#before[place] ?? end
    if (before !== end) this.#rate(before)
  }

  /** Finds the rank of a token with the one behind it. */
  #rate(place: number): void {
    const behind = this.#behind[place] ?? end
    let rank = noRank
    if (behind !== end) {
      const last = this.#behind[behind] ?? end
      const to = last === end ? this.#length : last
      rank = this.#vocabulary.rank(this.#bytes, this.#from + place, this.#from + to)
    }
    this.#ranks[place] = rank
    if (rank !== noRank) this.#push((rank << placeBits) | place)
  }

  #push(pair: number): void {
    const heap = this.#heap
    let at = this.#size++
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = heap[parent] ?? 0
      if (above <= pair) break
      heap[at] = above
      at = parent
    }
    heap[at] = pair
  }

  #pop(): number {
    const heap = this.#heap
    const lowest = heap[0] ?? 0
    const size = --this.#size
    const moved = heap[size] ?? 0
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child++
      const below = heap[child] ?? 0
      if (below >= moved) break
      heap[at] = below
      at = child
    }
    heap[at] = moved
    return lowest
  }
}
