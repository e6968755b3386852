import { afterAll, beforeAll, expect, test } from 'bun:test'
import { operationRows } from '../../src/admin/operations/table'
import { paced } from '../support/pace'
import { operationChangesByHttp, operationGets } from './lines-operations'
import { modelChangesByHttp } from './lines-operations-models'
import { recordRequest, requestOf, trailByHttp } from './record-request'
import { addEntry, expectRecorded, type Entries } from './recording'
import { seed, serving, untilVideo } from './seed'
import { openWorld, type World } from './world'

const lines = [...operationGets, ...operationChangesByHttp, ...modelChangesByHttp]

let world: World
beforeAll(async () => {
  world = openWorld()
  await seed(world)
  await world.run('seed', 'settings set prices-sources {prices.json}')
  world.clock.set('2025-09-03T12:00:00Z')
}, paced(60_000))
afterAll(() => world.close())

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)

/** Name of the operation that a line calls. */
function operationOf(line: string): string | undefined {
  const { method, path } = requestOf(line)
  const [place = ''] = path.split('?')
  return operationRows.find((row) => row.method === method && patternOf(row.path).test(place))?.name
}

test('every operation has lines', () => {
  const recorded = new Set(lines.map(operationOf))
  expect(operationRows.map(({ name }) => name).filter((name) => !recorded.has(name))).toEqual([])
})

test(
  'what operations answer by HTTP is as recorded',
  () =>
    serving(world, 'seed', async (gateway) => {
      // It stalls, and is given up by now.
      world.clock.pass(60_000)
      await untilVideo(world, 'failed')
      const gets: Entries = new Map()
      for (const line of operationGets)
        addEntry(gets, line, await recordRequest(world, gateway, line))
      const refusals: Entries = new Map()
      for (const { method, path } of operationRows) {
        const filled = path.replaceAll(/\{\w+\}/g, '1')
        const line =
          method === 'GET' ? `GET ${filled}?nothing=1` : `${method} ${filled} {"nothing": 1}`
        addEntry(refusals, line, await recordRequest(world, gateway, line))
      }
      // A key has so many requests a minute.
      world.clock.pass(60_000)
      const changes: Entries = new Map()
      const trail = await trailByHttp(world, gateway)
      for (const line of [...operationChangesByHttp, ...modelChangesByHttp])
        addEntry(changes, line, (await recordRequest(world, gateway, line)) + (await trail()))
      expectRecorded('operations-reads', gets)
      expectRecorded('operations-refusals', refusals)
      expectRecorded('operations-changes', changes)
    }),
  paced(60_000),
)
