import { afterAll, beforeAll, expect, test } from 'bun:test'
import { paced } from '../support/pace'
import { describeOn, startPostgres, type PostgresServer } from '../support/postgres'
import { commandRecordings } from './command-lines'
import { leafOf, leaves } from './leaves'
import { onPostgres } from './on-postgres'
import { openTrail, recordCommand, type Forms } from './record-command'
import { addEntry, expectRecorded, readable, recordedPart, type Entries } from './recording'
import { seed } from './seed'
import { openWorld, type World } from './world'

const forms: Forms = { people: 'people', json: 'json' }

let world: World
beforeAll(async () => {
  world = openWorld()
  await seed(world)
  world.clock.set('2025-09-03T12:00:00Z')
  for (const name of [forms.people, forms.json, 'moved']) world.copy('seed', name)
}, paced(60_000))
afterAll(() => world.close())

test('every command has lines', () => {
  const recorded = new Set(
    commandRecordings.flatMap(({ lines }) => lines.map((line) => leafOf(line)?.path)),
  )
  expect(leaves.map(({ path }) => path).filter((path) => !recorded.has(path))).toEqual([])
})

test('help is as recorded', async () => {
  const entries: Entries = new Map()
  const branches = new Set(leaves.flatMap(({ path }) => [path.replace(/(?:^| )\S+$/, ''), path]))
  for (const path of branches) entries.set(`${path} --help`, world.normal(await world.help(path)))
  expectRecorded('help', entries)
})

test.each(commandRecordings.map((each) => [each.name, each] as const))(
  '%s are as recorded',
  async (name, { lines, isTrailed }) => {
    const entries: Entries = new Map()
    const trail = isTrailed ? await openTrail(world, forms) : async () => ''
    for (const line of lines)
      addEntry(entries, line, (await recordCommand(world, forms, line)) + (await trail()))
    expectRecorded(name, entries)
  },
  paced(60_000),
)

/** The first line of each command that reads, of a recording. */
const firstOfEach = (lines: readonly string[]): readonly string[] =>
  lines.filter((line, at) => {
    const leaf = leafOf(line)
    return leaf !== null && lines.findIndex((other) => leafOf(other) === leaf) === at
  })

// A command begins a thread of its own for its database: all of them would take minutes.
describeOn('distribution', 'in a database', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' }, 'distribution')
    await world.move('moved', await server.newDatabase())
  }, paced(60_000))
  afterAll(() => server.remove())

  test.each(commandRecordings.filter(({ name }) => name.endsWith('-reads')))(
    '$name are as on a folder',
    async ({ name, lines }) => {
      const answers: Record<string, string> = {}
      const recorded: Record<string, string> = {}
      for (const line of firstOfEach(lines)) {
        if (line in onPostgres) continue
        const { stdout } = await world.run('moved', line, '--json')
        answers[line] = readable(world.normal(stdout)).trimEnd()
        recorded[line] = recordedPart(name, line, 'json').trimEnd()
      }
      expect(answers).toEqual(recorded)
    },
    paced(60_000),
  )
})
