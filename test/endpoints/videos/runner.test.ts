import { carriedOutcome } from '../../../src/gateway/endpoints/videos/contract'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Caller } from '../../../src/domain/caller'
import type { Ms } from '../../../src/domain/clock'
import { nanoUsd, zeroUsd } from '../../../src/domain/money'
import type { VideoJob } from '../../../src/domain/video-job'
import { Runner, type RunnerParts } from '../../../src/gateway/endpoints/videos/runner'
import type { Looked } from '../../../src/gateway/endpoints/videos/vendor-side'
import { openLedger } from '../../../src/ledger/open-ledger'
import type { Storage } from '../../../src/business/data/storage'
import {
  customer,
  ending,
  opening,
  testFolder,
  type HandClock,
  type TestFolder,
  balanceIn,
  spentIn,
} from '../../storage/folder'
import { videoJob } from './job'

const minute = 60_000
const cost = nanoUsd(400_000_000)

let folder: TestFolder
let storage: Storage
let caller: Caller
let clock: HandClock
let ledger: ReturnType<typeof openLedger>
let runners: Runner[]
let faults: unknown[]

beforeEach(async () => {
  folder = testFolder()
  clock = folder.clock
  storage = folder.open(true)
  caller = await customer(storage, { usd: '100000' })
  ledger = openLedger({
    store: storage.ledger,
    settings: { kycCeiling: nanoUsd(1), serviceDayCapacity: null, flushMs: 5, pendingAfterMs: 500 },
    onFault: (fault) => void faults.push(fault),
  })
  runners = []
  faults = []
})
afterEach(async () => {
  for (const runner of runners) await runner.close()
  await ledger.close()
  expect((await storage.audit()).differences).toEqual([])
  folder[Symbol.dispose]()
})

const working: Looked = {
  kind: 'seen',
  seen: { status: 'in_progress', progress: 1 },
  keepsMs: null,
}
const made: Looked = {
  kind: 'seen',
  seen: { status: 'completed', url: null, expires: null },
  keepsMs: null,
}
const refused: Looked = {
  kind: 'seen',
  seen: { status: 'failed', fault: 'video_failed' },
  keepsMs: null,
}
const lost: Looked = { kind: 'failed', retryAfterMs: null, cause: 'down' }

function run(parts: Partial<RunnerParts> = {}): Runner {
  const runner = new Runner({
    clock,
    monotonic: clock,
    random: Math.random,
    store: storage.videos,
    ledger,
    look: () => Promise.resolve(working),
    giveUp: () => Promise.resolve(),
    paceMs: () => 10_000,
    onFault: (fault) => void faults.push(fault),
    onTrouble: () => {},
    ...parts,
  })
  runners.push(runner)
  return runner
}

/** A job that was accepted and charged, as an order leaves it. */
async function accepted(change: Partial<VideoJob> = {}): Promise<VideoJob> {
  const call = { ...opening(caller, clock.now()), endpoint: 'videos' as const }
  const begun = videoJob(caller, clock.now(), { request: call.id, cost, ...change })
  await storage.videos.begin(begun)
  const hold = await ledger.hold({ caller, amount: begun.cost, opening: call })
  const job: VideoJob = {
    ...begun,
    status: 'queued',
    vendor: change.vendor ?? 'films',
    vendorModel: 'film',
    vendorJob: begun.id,
  }
  hold.carry(carriedOutcome({ id: job.id, accepted: job }))
  hold.settle(ending(begun.cost))
  return job
}

const flush = async (runner: Runner) => {
  await Bun.sleep(0)
  await runner.step()
}
const move = (ms: number) => clock.set(clock.now() + ms)
const stateOf = async (job: VideoJob) => (await storage.videos.find(job.id, null))?.status
const statesOf = (jobs: readonly VideoJob[]) => Promise.all(jobs.map(stateOf))
const balance = async () => (await balanceIn(storage, caller.account.id)) ?? 0

describe('jobs in the database', () => {
  test('are gone on with by the next process, in whatever state they were left', async () => {
    const jobs = [await accepted(), await accepted(), await accepted()]
    await ledger.flush()
    await storage.videos.advance(
      [{ job: { ...jobs[1], status: 'in_progress', progress: 30 } as VideoJob, claimed: null }],
      false,
    )
    const runner = run({ look: () => Promise.resolve(made) })
    await runner.start()
    expect(runner.open()).toBe(3)
    move(10_000)
    await runner.step()
    await flush(runner)
    expect(await statesOf(jobs)).toEqual(['completed', 'completed', 'completed'])
    expect(runner.open()).toBe(0)
  })

  test('do not run out, and are looked at, whatever the clock is set to', async () => {
    const jobs = [await accepted(), await accepted()]
    await ledger.flush()
    const before = await balance()
    let looks = 0
    const runner = run({
      look() {
        looks++
        return Promise.resolve(working)
      },
    })
    await runner.start()
    const minute = async () => {
      for (let seconds = 0; seconds < 60; seconds += 10) {
        move(10_000)
        await flush(runner)
      }
    }
    await minute()
    await minute()
    const day = 86_400_000
    for (const jumpMs of [30 * day, -30 * day, 2 * 3_600_000, -3_600_000, -26 * 365 * day]) {
      clock.jump(jumpMs)
      looks = 0
      await minute()
      expect(looks).toBeWithin(2, 30)
      await minute()
      expect(await statesOf(jobs)).toEqual(['in_progress', 'in_progress'])
    }
    expect(await balance()).toBe(before)
    // What it was set forward by is no age, what passed is.
    clock.jump(26 * 365 * day)
    for (let minutes = 0; minutes < 32; minutes++) await minute()
    expect(await statesOf(jobs)).toEqual(['failed', 'failed'])
  })

  test('of a process whose clock was ahead are looked at by the next one soon', async () => {
    const job = await accepted()
    await ledger.flush()
    clock.jump(3_600_000)
    const first = run()
    await first.start()
    await flush(first)
    await first.close()
    clock.jump(-3_600_000)
    const next = run({ look: () => Promise.resolve(made) })
    await next.start()
    move(150_000)
    await flush(next)
    await flush(next)
    expect(await stateOf(job)).toBe('completed')
  })

  test('that ran out while nobody looked get one look before they are given up', async () => {
    const [first, second] = [await accepted(), await accepted()]
    await ledger.flush()
    move(5 * 3_600_000)
    const look = (job: VideoJob) => Promise.resolve(job.id === first.id ? made : working)
    const runner = run({ look })
    await runner.start()
    await runner.step()
    await flush(runner)
    expect(await statesOf([first, second])).toEqual(['completed', 'in_progress'])
    move(minute)
    await runner.step()
    expect(await statesOf([first, second])).toEqual(['completed', 'failed'])
  })

  test('that nobody accepted before the process died cost nothing, and are told as failed', async () => {
    const before = await balance()
    const call = { ...opening(caller, clock.now()), endpoint: 'videos' as const }
    const begun = videoJob(caller, clock.now(), { request: call.id, cost })
    await ledger.hold({ caller, amount: cost, opening: call })
    await storage.videos.begin(begun)
    await ledger.flush(true)
    expect(await storage.videos.find(begun.id, caller.project.id)).toBeNull()
    expect(await storage.ledger.recover()).toBe(1)
    expect(await storage.videos.find(begun.id, caller.project.id)).toMatchObject({
      status: 'failed',
      error: 'creation_lost',
    })
    expect(await storage.ledger.find(call.id)).toEqual({ status: 'error', cost: zeroUsd })
    expect(await balance()).toBe(before)
    expect(run().open()).toBe(0)
  })
})

describe('two processes', () => {
  test('never look at one job at the same time, and what one leaves the other goes on with', async () => {
    const jobs = []
    for (let made = 0; made < 60; made++) jobs.push(await accepted({ vendor: `v${made % 2}` }))
    await ledger.flush()
    const looking = new Map<string, number>()
    let most = 0
    const look = async (job: VideoJob) => {
      looking.set(job.id, (looking.get(job.id) ?? 0) + 1)
      most = Math.max(most, ...looking.values())
      await Bun.sleep(0)
      looking.set(job.id, (looking.get(job.id) ?? 1) - 1)
      return made
    }
    const [one, dead] = [run({ look }), run({ look: () => new Promise(() => {}) })]
    await one.start()
    await dead.start()
    await Promise.all([dead.step(), one.step()])
    await flush(one)
    await flush(one)
    const over = (await statesOf(jobs)).filter((state) => state === 'completed').length
    expect(over).toBeGreaterThan(0)
    expect(over).toBeLessThan(60)
    // Until its claims end.
    move(2 * minute + 1000)
    for (let step = 0; step < 3; step++) await flush(one)
    expect(new Set(await statesOf(jobs))).toEqual(new Set(['completed']))
    expect(most).toBe(1)
  })

  test('keep what the later claim wrote', async () => {
    const job = await accepted()
    await ledger.flush()
    const claims = { now: clock.now(), mostRunning: 16, running: new Map<string, number>() }
    const [first] = await storage.videos.claim({ ...claims, until: (clock.now() + 1) as Ms })
    expect(await storage.videos.claim({ ...claims, until: clock.now() })).toEqual([])
    const later = { ...claims, now: (clock.now() + 1) as Ms, until: (clock.now() + 9) as Ms }
    const [second] = await storage.videos.claim(later)
    if (first === undefined || second === undefined) throw new Error('nothing was due')
    const looked = { due: (clock.now() + 10) as Ms, failures: 0, missing: 0 }
    const ended: VideoJob = { ...job, status: 'failed', error: 'video_lost', ended: clock.now() }
    const of = (claim: number) => [{ job: ended, claimed: { claim, ...looked } }]
    expect(await storage.videos.advance(of(first.claim), true)).toEqual([])
    expect(await stateOf(job)).toBe('queued')
    expect(await storage.videos.advance(of(second.claim), true)).toHaveLength(1)
    expect(await stateOf(job)).toBe('failed')
  })
})

test('a job that another process finds made is not cancelled', async () => {
  const job = await accepted()
  await ledger.flush()
  const before = await balance()
  const { videos } = storage
  const done: VideoJob = { ...job, status: 'completed', progress: 100, ended: clock.now() }
  const runner = run({
    store: {
      ...videos,
      async find(id, project) {
        const found = await videos.find(id, project)
        await videos.advance([{ job: done, claimed: null }], true)
        return found
      },
    },
  })
  expect(await runner.cancel(job)).toBeNull()
  expect([await stateOf(job), await balance()]).toEqual(['completed', before])
})

test('the video of a job that another process finds made as it runs out is kept', async () => {
  const job = await accepted()
  await ledger.flush()
  const { videos } = storage
  const done: VideoJob = { ...job, status: 'completed', progress: 100, ended: clock.now() }
  const forgotten: VideoJob[] = []
  const runner = run({
    giveUp: async (each) => void forgotten.push(each),
    store: {
      ...videos,
      async overdue(ordered, most) {
        const found = await videos.overdue(ordered, most)
        await videos.advance([{ job: done, claimed: null }], true)
        return found
      },
    },
  })
  await runner.start()
  move(40 * minute)
  await flush(runner)
  await flush(runner)
  expect([await stateOf(job), forgotten]).toEqual(['completed', []])
})

describe('money', () => {
  test('goes back once, however often a job fails', async () => {
    const before = await balance()
    const job = await accepted()
    await ledger.flush()
    expect(await balance()).toBe(nanoUsd(before - cost))
    const failed: VideoJob = { ...job, status: 'failed', error: 'video_failed', ended: clock.now() }
    expect(await storage.videos.advance([{ job: failed, claimed: null }], true)).toHaveLength(1)
    expect(await storage.videos.advance([{ job: failed, claimed: null }], true)).toEqual([])
    expect(
      await storage.videos.advance(
        [{ job: { ...failed, status: 'cancelled' }, claimed: null }],
        true,
      ),
    ).toEqual([])
    expect(await stateOf(job)).toBe('failed')
    expect(await balance()).toBe(before)
  })

  test('is exact in memory at once, with charges on their way and on any day', async () => {
    const job = await accepted()
    await ledger.flush()
    const waiting = await ledger.hold({
      caller,
      amount: nanoUsd(5),
      opening: opening(caller, clock.now()),
    })
    const held = await ledger.funds(caller.account.id)
    move(40 * 3_600_000)
    const runner = run({
      look: () => Promise.resolve(refused),
    })
    await runner.start()
    move(10_000)
    await runner.step()
    await flush(runner)
    expect(await stateOf(job)).toBe('failed')
    const { balance: now, held: stillHeld } = await ledger.funds(caller.account.id)
    expect([now - held.balance, stillHeld]).toEqual([cost, nanoUsd(5)])
    expect(await ledger.spentByKey(caller.key.id)).toBe(zeroUsd)
    waiting.settle(ending(nanoUsd(3)))
    await ledger.flush()
    expect(await ledger.spentByKey(caller.key.id)).toBe(nanoUsd(3))
    while (await storage.ledger.sumUp(10)) expect((await storage.audit()).differences).toEqual([])
    const sums = await spentIn(storage, { kind: 'key', id: caller.key.id, period: '' })
    expect(sums).toBe(nanoUsd(3))
  })

  test('of a job that nobody was told of goes back as soon as it is written down', async () => {
    const before = await balance()
    const gone: VideoJob[] = []
    const runner = run({ giveUp: (job) => (gone.push(job), Promise.resolve()) })
    const job = await accepted()
    runner.abandon(job)
    await runner.step()
    await flush(runner)
    await flush(runner)
    expect(await stateOf(job)).toBe('failed')
    expect(await balance()).toBe(before)
    expect(gone.map(({ id }) => id)).toEqual([job.id])
  })

  test('is not lost when the database refuses for a while', async () => {
    const before = await balance()
    const job = await accepted()
    await ledger.flush()
    let refuses = true
    const runner = run({
      store: {
        ...storage.videos,
        advance(jobs, durable) {
          if (refuses) throw new Error('the disk is full')
          return storage.videos.advance(jobs, durable)
        },
      },
      look: () => Promise.resolve(refused),
    })
    await runner.start()
    move(10_000)
    await runner.step()
    await flush(runner)
    expect(faults.length).toBeGreaterThan(0)
    expect(await stateOf(job)).toBe('queued')
    refuses = false
    await runner.step()
    expect(await stateOf(job)).toBe('failed')
    expect(await balance()).toBe(before)
  })
})

describe('looks', () => {
  test('come at their vendor’s pace, apart from each other, and less often the longer it takes', async () => {
    await accepted()
    await ledger.flush()
    const at: number[] = []
    const began = clock.now()
    const runner = run({ look: () => (at.push(clock.now() - began), Promise.resolve(working)) })
    await runner.start()
    for (let second = 0; second < 25 * 60; second++) {
      move(1000)
      await runner.step()
      await Bun.sleep(0)
    }
    const gaps = at.slice(1).map((time, index) => time - (at[index] ?? 0))
    const early = gaps.filter((_, index) => (at[index + 1] ?? 0) < 3 * minute)
    expect(Math.min(...early)).toBeGreaterThanOrEqual(8000)
    expect(Math.max(...early)).toBeLessThanOrEqual(13_000)
    expect(new Set(early).size).toBeGreaterThan(2)
    expect(gaps.at(-1) ?? 0).toBeGreaterThanOrEqual(24_000)
  })

  test('that come to nothing come less and less often, and wait as long as they are told', async () => {
    await accepted()
    await ledger.flush()
    const at: number[] = []
    const began = clock.now()
    let looked = lost
    let troubles = 0
    const runner = run({
      look: () => (at.push(clock.now() - began), Promise.resolve(looked)),
      onTrouble: () => void troubles++,
    })
    await runner.start()
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        move(1000)
        await runner.step()
        await Bun.sleep(0)
      }
    }
    await pass(600)
    expect(at.length).toBeLessThan(12)
    expect(troubles).toBeGreaterThan(0)
    looked = { kind: 'failed', retryAfterMs: 300_000, cause: 'busy' }
    await pass(200)
    const last = at.at(-1) ?? 0
    await pass(290)
    expect(at.at(-1)).toBeLessThan(last + 300_000 + 1000)
    expect(at.filter((time) => time > last && time < last + 300_000)).toEqual([])
  })

  test('at 10,000 jobs are as many each second, and never more than one vendor’s room', async () => {
    const count = 10_000
    await storage.ledger.commit({ opened: [], ended: [], spent: [] }, false)
    for (let made = 0; made < count; made++) await accepted({ cost: zeroUsd })
    await ledger.flush()
    let looks = 0
    let running = 0
    let most = 0
    const runner = run({
      async look() {
        looks++
        most = Math.max(most, ++running)
        await Promise.resolve()
        running--
        return working
      },
    })
    await runner.start()
    expect(runner.open()).toBe(count)
    const perSecond: number[] = []
    let mostInAStep = 0
    for (let second = 0; second < 40; second++) {
      const before = looks
      for (let step = 0; step < 20; step++) {
        move(50)
        const begun = looks
        await runner.step()
        mostInAStep = Math.max(mostInAStep, looks - begun)
        await Bun.sleep(0)
      }
      perSecond.push(looks - before)
    }
    expect(most).toBeLessThanOrEqual(16)
    const settled = perSecond.slice(5)
    // 16 at each of 20 steps, and at those of the runner's own timer, which is the machine's: a crowd
    // waits its turn, and no second is twice as full as another.
    expect(Math.max(...settled)).toBeLessThan(640)
    expect(Math.min(...settled)).toBeGreaterThanOrEqual(300)
    expect(looks).toBeGreaterThan(count)
    expect(mostInAStep).toBe(16)
  })

  test('at a vendor that hangs do not hold another’s back', async () => {
    const jobsOf = (vendor: string, length: number) =>
      Promise.all(Array.from({ length }, () => accepted({ vendor })))
    const slow = await jobsOf('slow', 100)
    const quick = await jobsOf('quick', 40)
    await ledger.flush()
    let asked = 0
    const runner = run({
      look: ({ vendor }) =>
        vendor === 'slow' ? (asked++, new Promise(() => {})) : Promise.resolve(made),
    })
    await runner.start()
    move(10_000)
    for (let step = 0; step < 10; step++) await flush(runner)
    expect(asked).toBe(16)
    expect(new Set(await statesOf(quick))).toEqual(new Set(['completed']))
    move(30 * minute)
    for (let step = 0; step < 3; step++) await flush(runner)
    expect(new Set(await statesOf(slow))).toEqual(new Set(['failed']))
    expect(runner.open()).toBe(0)
  })

  test('end with the runner, and what they find then is left to the next one', async () => {
    const job = await accepted()
    await ledger.flush()
    const gate = Promise.withResolvers<Looked>()
    const runner = run({ look: () => gate.promise })
    await runner.start()
    move(10_000)
    await runner.step()
    await runner.close()
    gate.resolve(made)
    await Bun.sleep(5)
    expect(await stateOf(job)).toBe('queued')
  })
})

test('the clock of a job is that of its order', async () => {
  const job = await accepted({ created: (clock.now() - 29 * minute) as Ms })
  await ledger.flush()
  const runner = run({ look: () => new Promise(() => {}) })
  await runner.start()
  move(minute + 1000)
  await runner.step()
  expect(await stateOf(job)).toBe('failed')
})
