import { afterAll, beforeAll, expect, test } from 'bun:test'
import { paced } from '../support/pace'
import { leafOf, leaves } from './leaves'
import { customerChanges, customerReads } from './lines-customers'
import { modelChanges, modelReads } from './lines-models'
import { moneyChanges, moneyReads } from './lines-money'
import { operationChanges, operationReads, refusedOnly } from './lines-operation'
import { forms, openTrail, recordCommand } from './record-command'
import { addEntry, expectRecorded, type Entries } from './recording'
import { seed } from './seed'
import { openWorld, type World } from './world'

const reads = {
  customers: customerReads,
  money: moneyReads,
  models: modelReads,
  operation: operationReads,
}
const changes = {
  customers: customerChanges,
  money: moneyChanges,
  models: modelChanges,
  operation: operationChanges,
}
const refusals = Object.values(refusedOnly).flatMap(({ lines }) => lines)
const all = [...Object.values(reads), ...Object.values(changes), refusals].flat()

let world: World
beforeAll(async () => {
  world = openWorld()
  await seed(world)
  world.clock.set('2025-09-03T12:00:00Z')
  for (const form of Object.values(forms)) world.copy('seed', form)
}, paced(60_000))
afterAll(() => world.close())

test('every command has lines', () => {
  const recorded = new Set(all.map((line) => leafOf(line)?.path))
  expect(leaves.map(({ path }) => path).filter((path) => !recorded.has(path))).toEqual([])
})

test('help is as recorded', async () => {
  const entries: Entries = new Map()
  const branches = new Set(leaves.flatMap(({ path }) => [path.replace(/(?:^| )\S+$/, ''), path]))
  for (const path of branches) entries.set(`${path} --help`, world.normal(await world.help(path)))
  expectRecorded('help', entries)
})

test.each(Object.entries(reads))(
  'what commands read of %s is as recorded',
  async (subject, lines) => {
    const entries: Entries = new Map()
    for (const line of lines) addEntry(entries, line, await recordCommand(world, line))
    expectRecorded(`${subject}-reads`, entries)
  },
  paced(60_000),
)

test('what is only refused here is as recorded', async () => {
  const entries: Entries = new Map()
  for (const line of refusals) addEntry(entries, line, await recordCommand(world, line))
  expectRecorded('refused-only', entries)
})

test.each(Object.entries(changes))(
  'what commands change of %s is as recorded',
  async (subject, lines) => {
    const entries: Entries = new Map()
    const trail = await openTrail(world)
    for (const line of lines)
      addEntry(entries, line, (await recordCommand(world, line)) + (await trail()))
    expectRecorded(`${subject}-changes`, entries)
  },
  paced(60_000),
)
