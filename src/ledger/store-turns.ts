/**
 * Reads of sums go together, a commit goes alone: else a sum could be read with a charge that memory
 * still counts as its own, or be written over by an older one.
 */
export interface StoreTurns {
  shared<Result>(work: () => Promise<Result>): Promise<Result>
  alone<Result>(work: () => Promise<Result>): Promise<Result>
}

const nothing: Promise<unknown> = Promise.resolve()

/** Everybody waits for those who came before; what fails holds up nothing. */
export function openStoreTurns(): StoreTurns {
  /** The last that goes alone, and all that were shared since. */
  let last = nothing
  let reading = nothing
  return {
    shared<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = last.then(work)
      reading = Promise.allSettled([reading, result])
      return result
    },
    alone<Result>(work: () => Promise<Result>): Promise<Result> {
      const result = Promise.all([last, reading]).then(work)
      last = Promise.allSettled([result])
      reading = nothing
      return result
    },
  }
}
