import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openConsoleApi } from '../../src/console/api/console-api'
import { CookieJar } from '../support/cookie-jar'
import { operationRows } from '../../src/business/operations/table'
import { paced } from '../support/pace'
import { operationChangesByHttp, operationGets } from './lines-operations'
import { modelChangesByHttp } from './lines-operations-models'
import { peopleChangesByHttp, peopleGets } from './lines-operations-people'
import { answersOf, disagreements } from './disagreements'
import { consoleLines } from './lines-console'
import {
  operationOf,
  patternOf,
  recordRequest,
  recordVisit,
  requestOf,
  trailByHttp,
  type Browsers,
} from './record-request'
import { addEntry, expectRecorded, type Entries } from './recording'
import { seed, serving, untilVideo } from './seed'
import { openWorld, type World } from './world'

const allGets = [...operationGets, ...peopleGets]
const allChanges = [...operationChangesByHttp, ...modelChangesByHttp, ...peopleChangesByHttp]
const lines = [...allGets, ...allChanges]

let world: World
beforeAll(async () => {
  world = openWorld()
  await seed(world)
  await world.run('seed', 'settings set prices-sources {prices.json}')
  world.clock.set('2025-09-03T12:00:00Z')
  for (const name of ['console', 'doors', 'typed']) world.copy('seed', name)
}, paced(60_000))
afterAll(() => world.close())

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
      for (const line of allGets) addEntry(gets, line, await recordRequest(world, gateway, line))
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
      for (const line of allChanges)
        addEntry(changes, line, (await recordRequest(world, gateway, line)) + (await trail()))
      expectRecorded('operations-reads', gets)
      expectRecorded('operations-refusals', refusals)
      expectRecorded('operations-changes', changes)
    }),
  paced(60_000),
)

const consoleRoutes = openConsoleApi({} as never).routes.map(
  ({ method, path }) => [method, path.slice('/app/api'.length)] as const,
)

test('every route of the customers’ API has lines', () => {
  const requests = consoleLines.map((line) => requestOf(line))
  const without = consoleRoutes.filter(
    ([method, path]) =>
      !path.startsWith('/operator/') &&
      !requests.some(
        (request) =>
          request.method === method && patternOf(path).test(request.path.split('?')[0] ?? ''),
      ),
  )
  expect(without).toEqual([])
})

test(
  'what the customers’ API answers is as recorded',
  async () => {
    // Codes are printed where no provider is set up.
    for (const name of ['texts', 'hook']) await world.run('console', `sms remove ${name}`)
    await serving(world, 'console', async (gateway) => {
      const browsers: Browsers = new Map()
      for (const who of ['parvin', 'guest']) browsers.set(who, signedInBefore(who))
      const entries: Entries = new Map()
      for (const line of consoleLines)
        addEntry(entries, line, await recordVisit(world, gateway, browsers, line))
      expectRecorded('console', entries)
    })
  },
  paced(60_000),
)

/** The browser of somebody who signed in when the service was set up. */
function signedInBefore(who: string): CookieJar {
  const jar = new CookieJar()
  jar.keep(new Headers({ 'set-cookie': world.values[who] ?? '' }))
  return jar
}

/* A row that does not agree yet says so: once it does, the test fails until the row is corrected. */
test(
  'commands and operations answer alike',
  () =>
    serving(world, 'doors', async (gateway) => {
      const found = []
      for (const row of disagreements)
        found.push({ what: row.what, answers: await answersOf(world, gateway, row) })
      expect(found).toEqual(
        disagreements.map(({ what, answer, today = [answer, answer] }) => ({
          what,
          answers: [...today],
        })),
      )
    }),
  paced(60_000),
)
