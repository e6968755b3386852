/** Seeded chance: the same story for the same seed. */
export interface Dice {
  /** A whole number from 0 up to, and without, this one. */
  below(limit: number): number
  of<T>(list: readonly T[]): T
}

/** The generator that is called mulberry32. */
export function openDice(seed: number): Dice {
  let state = seed
  const below = (limit: number): number => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    of(list) {
      const found = list[below(list.length)]
      if (found === undefined) throw new RangeError('nothing to choose from')
      return found
    },
  }
}
