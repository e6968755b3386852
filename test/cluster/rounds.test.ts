import { expect, test } from 'bun:test'
import { seeded } from '../ledger/leased/weather'
import { firstSeed, roundsOf } from '../support/campaigns'
import { campaignKinds, canMount, describeOn } from '../support/postgres'
import { watchBusySessions } from './busy-sessions'
import { openFleet } from './fleet'
import { faultNames, gatewayName, playRounds } from './rounds'
import { pacedSeconds } from '../support/pace'

const ttlSeconds = pacedSeconds(2)
const rounds = roundsOf('node faults')

const isMountable = canMount()
if (!isMountable)
  process.stderr.write(
    '\n!!! This user may not mount: NOT RUN: nodes whose database has a full disk\n\n',
  )
const playable = faultNames.filter((name) => name !== 'fill disk' || isMountable)

/** Every fault once, in an order that the seed draws, before any is played again. */
function draw(random: () => number): typeof faultNames {
  const drawn: (typeof playable)[number][] = []
  while (drawn.length < rounds) {
    const keyed = playable.map((name) => [random(), name] as const)
    drawn.push(...keyed.toSorted(([a], [b]) => a - b).map(([, name]) => name))
  }
  return drawn.slice(0, rounds)
}

for (const kind of campaignKinds)
  describeOn(kind, 'three gateways on one PostgreSQL', () => {
    test(`charge once what was answered, sell no more than there is, and all of it (seed ${firstSeed})`, async () => {
      const random = seeded(firstSeed)
      const fleet = await openFleet([0, 1, 2].map(gatewayName), {
        ttlSeconds,
        kind,
        // No setting of it is ours.
        settings: {},
        isWired: true,
        hasSmallDisk: isMountable,
      })
      const watched = watchBusySessions(fleet.server.forAdministrator(fleet.url))
      try {
        const faults = draw(random)
        const played = await playRounds(fleet, { faults, ttlMs: ttlSeconds * 1000, random })
        const busy = await watched.end()
        process.stderr.write(`${JSON.stringify({ ...played, busy })}\n`)
        expect(played.answered).toBeGreaterThan(5 * rounds)
        expect(played.unexplained).toEqual([])
        const met = new Set(Object.keys(played.statuses).map((told) => told.split(' ')[0]))
        expect(met.isSubsetOf(new Set(['200', '402', '429', '503', 'broken']))).toBe(true)
        // Nobody is refused while there is money.
        expect(Object.keys(played.statuses).filter((told) => told.includes('with money'))).toEqual(
          [],
        )
        // Of exchanges, and of stores or chores, however often their connections were dropped.
        expect(busy).toMatchObject({ mostAlike: 1 })
        expect(busy.most).toBeLessThanOrEqual(2)
      } finally {
        await watched.end()
        await fleet.close()
      }
    })
  })
