import { expect, test } from 'bun:test'
import { describeOn } from '../support/postgres'
import { openFleet } from './fleet'
import { gatewayName, playRounds } from './rounds'

/** `CHAPAR_CLUSTER_ROUNDS=1000 CHAPAR_CLUSTER_MINUTES=30` plays for as long as either lasts. */
const rounds = Number(process.env['CHAPAR_CLUSTER_ROUNDS'] ?? 24)
const minutes = Number(process.env['CHAPAR_CLUSTER_MINUTES'] ?? 0.4)
const ttlSeconds = 1

describeOn('distribution', 'three gateways on one PostgreSQL', () => {
  test(
    'killed, frozen, and with a database that crashes: what was answered is charged once, and no more is sold than there is',
    async () => {
      const names = [0, 1, 2].map(gatewayName)
      const fleet = await openFleet(names, { ttlSeconds, kind: 'distribution' })
      try {
        const played = await playRounds(fleet, {
          rounds,
          maxMs: minutes * 60_000,
          ttlMs: ttlSeconds * 1000,
          random: Math.random,
          faults: ['kill', 'kill', 'kill', 'kill', 'crash', 'kill', 'kill', 'freeze'],
        })
        if (process.env['CHAPAR_CLUSTER_ROUNDS'] !== undefined)
          process.stderr.write(`${JSON.stringify(played)}\n`)
        expect(played.done.kill).toBeGreaterThan(0)
        expect(played.answered).toBeGreaterThan(played.rounds)
        const met = new Set(Object.keys(played.statuses).map((told) => told.split(' ')[0]))
        expect(met.isSubsetOf(new Set(['200', '402', '429', '503', 'broken']))).toBe(true)
      } finally {
        await fleet.close()
      }
    },
    (minutes + 2) * 60_000,
  )
})
