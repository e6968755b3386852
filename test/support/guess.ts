import { Guess } from '../../src/domain/guess'

/** A guess that nobody counts. */
export const guess = new Guess(() => {})
