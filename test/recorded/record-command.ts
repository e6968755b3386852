import { leafOf } from './leaves'
import { part, readable } from './recording'
import type { World } from './world'

/** Data of which everything is printed for people, and of which it is printed as JSON: the same changes befall both. */
export interface Forms {
  readonly people: string
  readonly json: string
}

const misuse = 2

/** Runs a line on the data of each form, and says what came out. */
export async function recordCommand(world: World, forms: Forms, line: string): Promise<string> {
  const leaf = leafOf(line)
  const people = await world.run(forms.people, line)
  let text =
    `exit ${people.code}\n` +
    part('stdout', world.normal(people.stdout)) +
    part('stderr', world.normal(people.stderr))
  // Called wrongly it says the same, and does nothing.
  if (people.code === misuse || leaf === null) return text
  const json = await world.run(forms.json, line, '--json')
  if (json.code !== people.code) text += `--- exit ${json.code} with --json\n`
  text += part('json', readable(world.normal(json.stdout)))
  text += part('stderr with --json', world.normal(json.stderr))
  if (!leaf.hasCsv || people.code !== 0) return text
  const csv = await world.run(forms.people, line, '--csv')
  return (
    text +
    part('csv', world.normal(csv.stdout)) +
    part('stderr with --csv', world.normal(csv.stderr))
  )
}

interface TrailLines {
  readonly data: readonly { readonly id: number }[]
}

const most = '9'

/** Says after each change what came into the trail. */
export async function openTrail(world: World, { json }: Forms): Promise<() => Promise<string>> {
  const newest = async () => {
    const { stdout } = await world.run(json, `trail list --json --limit ${most}`)
    return (JSON.parse(stdout) as TrailLines).data
  }
  let last = (await newest())[0]?.id ?? 0
  return async () => {
    const fresh = (await newest()).filter(({ id }) => id > last).toReversed()
    last = fresh.at(-1)?.id ?? last
    return part('trail', fresh.map((row) => `${world.normal(JSON.stringify(row))}\n`).join(''))
  }
}
