import { afterAll, beforeAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import type { RequestId } from '../../src/domain/ids'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { seeded } from '../ledger/leased/weather'
import { firstSeed, isLong, roundsOf } from '../support/campaigns'
import { childrenOf } from '../support/child-processes'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { paced, until } from '../support/pace'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'
import { end, isAlive, openLoad, servingPid } from './replacement-load'

const isLinux = process.platform === 'linux'
const replacements = roundsOf('replacements under load')
const kills = roundsOf('replacement kills')
const text = 'words that come slowly enough for a stream to outlive the process that began it'
const env = { CHAPAR_ADDRESS_RPM: '100000000' }

let vendor: StandIn
let data: string
let key: string

beforeAll(async () => {
  vendor = openStandIn(({ body }) =>
    body['stream'] === true ? streamReply(openaiStream(text), { delayMs: 20 }) : wholeReply('ok'),
  )
  data = join(temporaryFolder(), 'data')
  key = await setUp(data, vendor.url, '10000')
})
afterAll(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

/** Has the program replaced, and waits until the next one serves. @returns its process */
async function replace(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2')
  await until(() => ![0, pid].includes(servingPid(data)))
  return servingPid(data)
}

/** Every answer that a client had is charged, once, and nothing else is off. */
async function expectExact(ids: readonly string[]): Promise<void> {
  expect(new Set(ids).size).toBe(ids.length)
  const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
  try {
    await storage.ledger.recover()
    expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
    let uncharged = 0
    for (const id of ids) {
      const record = await storage.ledger.find(id as RequestId)
      if (record?.status !== 'success' || record.cost <= 0) uncharged++
    }
    expect(uncharged).toBe(0)
  } finally {
    await storage.close()
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

test.skipIf(!isLinux)(
  `${replacements} times replaced under load: no call fails, every stream is whole, audit exact`,
  async () => {
    const serving = await serve(['--data', data], env)
    // Two cores shared with the clients have enough to do.
    const [callsPerSecond, streams] = isLong ? [300, 64] : [100, 32]
    const load = openLoad({ url: () => serving.url, key, callsPerSecond, streams })
    await until(() => load.met.ids.length > callsPerSecond)
    let pid = serving.pid
    const longestMs: number[] = []
    for (let round = 0; round < replacements; round++) {
      const from = load.met.tookMs.length
      const before = pid
      pid = await replace(before)
      // The third one waits until the first is gone.
      await until(() => !isAlive(before))
      longestMs.push(Math.max(...load.met.tookMs.slice(from)))
    }
    const { ids, faults } = await load.stop()
    await end(pid, 'SIGTERM')
    expect(faults).toEqual([])
    await expectExact(ids)
    process.stderr.write(
      `${JSON.stringify({ calls: ids.length, medianMs: Math.round(median(longestMs)), worstMs: Math.round(Math.max(...longestMs)) })}\n`,
    )
    // Beside other tests calls wait for a processor.
    if (!isLong) return
    expect(median(longestMs)).toBeLessThan(paced(300))
    expect(Math.max(...longestMs)).toBeLessThan(paced(1000))
  },
)

test.skipIf(!isLinux)(
  `${kills} times killed while it is replaced: nothing lost, nothing charged twice (seed ${firstSeed})`,
  async () => {
    const random = seeded(firstSeed)
    let serving: Serving = await serve(['--data', data], env)
    const { port } = new URL(serving.url)
    const load = openLoad({
      url: () => serving.url,
      key,
      callsPerSecond: 50,
      streams: 8,
      mayFail: true,
    })
    let restarts = 0
    for (let round = 0; round < kills; round++) {
      const seen = load.met.ids.length
      await until(() => load.met.ids.length > seen)
      const old = servingPid(data)
      process.kill(old, 'SIGUSR2')
      await Bun.sleep(random() * paced(700))
      const next = childrenOf(old)
      const which = random()
      const killed = [...(which < 0.6 ? [old] : []), ...(which > 0.4 ? next : [])]
      for (const pid of killed) await end(pid, 'SIGKILL')
      const serves = async () => {
        const pid = servingPid(data)
        if (pid === 0 || !isAlive(pid)) return false
        const answer = await fetch(`${serving.url.replace('/v1', '')}/healthz`).catch(() => null)
        return answer?.status === 200
      }
      // A next process that was not touched serves by itself, or the one before goes on.
      await until(async () => (await serves()) || [old, ...next].every((pid) => !isAlive(pid)))
      if (await serves()) continue
      restarts++
      try {
        serving = await serve(['--data', data, '--port', port], env)
      } catch (thrown) {
        // A next process that began in the same moment has the folder.
        await until(serves)
        if (!String(thrown).includes('already served')) throw thrown
      }
    }
    const { ids } = await load.stop()
    await end(servingPid(data), 'SIGTERM')
    process.stderr.write(`${JSON.stringify({ calls: ids.length, restarts })}\n`)
    await expectExact(ids)
    expect(await run(['audit'], { data })).toMatchObject({ code: 0 })
  },
)
