import { describe, expect, test } from 'bun:test'
import { plantedFaults, type Fault } from './simulated-bank'
import { noScore, Simulation, type Score } from './simulation'
import { firstSeed, roundsOf } from '../../support/campaigns'

const rounds = roundsOf('lease weather')

function fails(seed: number, fault: Fault, score: Score): string | null {
  try {
    new Simulation(seed, fault, score).run()
    return null
  } catch (thrown) {
    return `seed ${seed}: ${thrown instanceof Error ? thrown.message : String(thrown)}`
  }
}

describe('nodes that lease money from one bank', () => {
  test('never overspend, never charge twice, and refuse nobody while there is enough', () => {
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
  })

  test.each([...plantedFaults])('are caught with a planted fault: %s', (fault) => {
    let seed = 1
    while (seed <= 1000 && fails(seed, fault, noScore()) === null) seed++
    expect(seed).toBeLessThan(1001)
  })
})
