/** This program and the one that people may run, on one data folder, by turns. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { buildLanded, hasLanded, type LandedRelease } from '../support/landed-release'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'
import { until } from '../support/pace'
import { openLoad } from './replacement-load'

const canBuild = hasLanded()
if (!canBuild)
  process.stderr.write(
    'no history: the release of before is not built, and not tried on a folder\n',
  )

let folder: string
let data: string
let vendor: StandIn
let key: string
let landed: LandedRelease

beforeAll(async () => {
  if (!canBuild) return
  folder = temporaryFolder()
  data = join(folder, 'data')
  vendor = openStandIn(({ body }) =>
    body['stream'] === true
      ? streamReply(openaiStream('some words that are sent'), { delayMs: 2 })
      : wholeReply('ok'),
  )
  key = await setUp(data, vendor.url, '1000')
  landed = buildLanded()
}, 180_000)
afterAll(async () => {
  if (!canBuild) return
  await vendor.close()
  landed.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Receipts of calls, by their ids. */
async function receipts(serving: Serving, ids: readonly string[]): Promise<readonly unknown[]> {
  const headers = { authorization: `Bearer ${key}` }
  const all: unknown[] = []
  for (const id of ids) {
    const answer = await fetch(`${serving.url}/requests/${id}`, { headers })
    expect({ id, status: answer.status }).toEqual({ id, status: 200 })
    all.push(await answer.json())
  }
  return all
}

/** Calls until so many were answered, and a kill under load. @returns those that a client had whole */
async function killed(serving: Serving): Promise<readonly string[]> {
  const parts = { key, callsPerSecond: 100, streams: 4, mayFail: true }
  const load = openLoad({ ...parts, url: () => serving.url })
  await until(() => load.met.ids.length > 40)
  serving.kill('SIGKILL')
  await serving.exited
  return (await load.stop()).ids
}

test.skipIf(!canBuild)(
  'one release back and forth loses nothing: calls, receipts, backups',
  async () => {
    const begin = (command?: readonly string[]) => serve(['--data', data], {}, [], command)
    const stop = async (serving: Serving) => {
      serving.kill('SIGTERM')
      expect(await serving.exited).toBe(0)
    }
    const ids: string[] = []
    let known: readonly unknown[] = []
    for (const command of [landed.command, undefined, landed.command, undefined]) {
      ids.push(...(await killed(await begin(command))))
      const serving = await begin(command)
      const all = await receipts(serving, ids)
      // What a release told of a call, the other one tells.
      expect(all.slice(0, known.length)).toEqual([...known])
      known = all
      const file = join(folder, `${ids.length}.backup`)
      const more = command === undefined ? { data } : { data, command }
      expect(await run(['backup', file], more)).toMatchObject({ code: 0 })
      await stop(serving)
      expect(await run(['audit'], more)).toMatchObject({ code: 0 })
      const copy = join(folder, `copy-${ids.length}`)
      expect(await run(['restore', file], { ...more, data: copy })).toMatchObject({ code: 0 })
      expect(await run(['audit'], { ...more, data: copy })).toMatchObject({ code: 0 })
    }
  },
)
