import { expect, test } from 'bun:test'
import { seeded } from '../ledger/leased/weather'
import { describeOn } from '../support/postgres'
import { watchBusySessions } from './busy-sessions'
import { openFleet } from './fleet'
import { gatewayName, playRounds } from './rounds'

/** `CHAPAR_CLUSTER_ROUNDS=100 CHAPAR_CLUSTER_MINUTES=30 CHAPAR_CLUSTER_TTL=10` plays for as long as either lasts. */
const rounds = Number(process.env['CHAPAR_CLUSTER_ROUNDS'] ?? 7)
const minutes = Number(process.env['CHAPAR_CLUSTER_MINUTES'] ?? 0.5)
const ttlSeconds = Number(process.env['CHAPAR_CLUSTER_TTL'] ?? 3)
const seed = Number(process.env['CHAPAR_CLUSTER_SEED'] ?? 1)

describeOn('distribution', 'three gateways on wires that fail', () => {
  test(
    `what was answered is charged once, and no more is sold than there is (seed ${seed})`,
    async () => {
      const names = [0, 1, 2].map(gatewayName)
      // As it ships: no setting of it is ours.
      const fleet = await openFleet(names, {
        ttlSeconds,
        kind: 'distribution',
        settings: {},
        isWired: true,
      })
      const watched = watchBusySessions(fleet.server.forAdministrator(fleet.url))
      try {
        const played = await playRounds(fleet, {
          faults: ['stall', 'kill', 'cut', 'freeze', 'lose answers', 'strand', 'delay'],
          rounds,
          maxMs: minutes * 60_000,
          ttlMs: ttlSeconds * 1000,
          random: seeded(seed),
        })
        const busy = await watched.end()
        if (process.env['CHAPAR_CLUSTER_ROUNDS'] !== undefined)
          process.stderr.write(`${JSON.stringify({ ...played, busy })}\n`)
        expect(played.answered).toBeGreaterThan(10 * played.rounds)
        const met = new Set(Object.keys(played.statuses).map((told) => told.split(' ')[0]))
        expect(met.isSubsetOf(new Set(['200', '402', '429', '503', 'broken']))).toBe(true)
        expect(busy.samples).toBeGreaterThan(100)
        // Each line has one session at work, however often it was dropped: exchanges, sums and stores.
        expect(busy).toMatchObject({ mostAlike: 1 })
        expect(busy.most).toBeLessThanOrEqual(3)
      } finally {
        await watched.end()
        await fleet.close()
      }
    },
    (minutes + 2) * 60_000,
  )
})
