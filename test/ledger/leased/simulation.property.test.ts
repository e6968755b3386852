import { describe, expect, test } from 'bun:test'
import { plantedFaults, type Fault } from './simulated-bank'
import { noScore, Simulation, type Score } from './simulation'

/** Rounds of the suite; many more where they are asked for, from another seed each night. */
const rounds = Number(process.env['CHAPAR_LEASE_ROUNDS'] ?? 1000)
const firstSeed = Number(process.env['CHAPAR_LEASE_SEED'] ?? 1)
const maxMs = 600_000

function fails(seed: number, fault: Fault, score: Score): string | null {
  try {
    new Simulation(seed, fault, score).run()
    return null
  } catch (thrown) {
    return `seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  }
}

describe('nodes that lease money from one bank', () => {
  test(
    'never overspend, never charge twice, and refuse nobody while there is enough',
    () => {
      const score = noScore()
      const failed: string[] = []
      for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
        const failure = fails(seed, null, score)
        if (failure !== null) failed.push(failure)
      }
      expect(failed).toEqual([])
      expect(score.grants).toBeGreaterThan(rounds)
      expect(score.refused).toBeGreaterThan(rounds)
      expect(score.takeOvers).toBeGreaterThan(rounds / 2)
    },
    maxMs,
  )

  test.each([...plantedFaults])(
    'are caught with a planted fault: %s',
    (fault) => {
      let seed = 1
      while (seed <= 1000 && fails(seed, fault, noScore()) === null) seed++
      expect(seed).toBeLessThan(1001)
    },
    maxMs,
  )
})
