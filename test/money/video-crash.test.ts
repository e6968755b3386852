import type { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { VideoJob } from '../../src/domain/video-job'
import type { Storage } from '../../src/business/data/storage'
import { addFilm } from '../endpoints/videos/desk'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { testFolder, type TestFolder } from '../storage/folder'
import { addCustomer, type Customer } from '../support/gateway'
import { roundsOf } from '../support/campaigns'
import { until } from '../support/pace'

/** The suite's own; two hundred were run, too: `VIDEO_CRASH_ROUNDS=200 bun test test/money/video-crash`. */
const rounds = roundsOf('video kills')
const callers = 6
const child = join(import.meta.dir, 'video-child.ts')

/** What becomes of a job at the vendor, and when. */
interface Fate {
  readonly kind: 'completed' | 'failed' | 'lost' | 'working'
  readonly at: number
}

let folder: TestFolder
let customer: Customer
let raw: Database
let vendor: ReturnType<typeof openVendor>

/** Its jobs outlive the gateway's deaths; now and then it takes a job and the answer takes long. */
function openVendor() {
  const fates = new Map<string, Fate>()
  const kinds = ['completed', 'failed', 'lost', 'working'] as const
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      const id = new URL(request.url).pathname.replace(/^\/v1\/videos\/?/, '')
      if (request.method === 'POST') {
        await request.arrayBuffer()
        const name = `video_${fates.size}`
        const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? 'working'
        fates.set(name, { kind, at: performance.now() + Math.random() * 200 })
        await Bun.sleep(Math.random() < 0.3 ? Math.random() * 60 : 0)
        return Response.json({ id: name, status: 'queued', progress: 0 })
      }
      const fate = fates.get(id)
      const over = fate !== undefined && fate.at <= performance.now()
      if (fate === undefined || (over && fate.kind === 'lost'))
        return Response.json({ error: { message: 'gone' } }, { status: 404 })
      if (!over || fate.kind === 'working')
        return Response.json({ id, status: 'in_progress', progress: 50 })
      return Response.json({ id, status: fate.kind })
    },
  })
  return { url: `http://127.0.0.1:${server.port}/v1`, fates, close: () => server.stop(true) }
}

beforeAll(async () => {
  folder = testFolder()
  vendor = openVendor()
  const storage = openStorage({ folder: folder.path, exclusive: true, clock: systemClock })
  await addFilm(storage, vendor.url)
  customer = await addCustomer(storage, { usd: '100000' })
  await storage.close()
  raw = folder.raw()
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await vendor.close()
})

async function start() {
  const run = Bun.spawn([process.execPath, child, folder.path], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await run.stdout.getReader().read()
  const url = new TextDecoder().decode(said.value).trim()
  if (url === '') throw new Error('the gateway did not start')
  return { run, url }
}

const headers = () => ({
  authorization: `Bearer ${customer.key}`,
  'content-type': 'application/json',
})

/** Orders, and cancels one in four, until the gateway dies; tells what it was told. */
async function orderUntilDead(url: string, ordered: Set<string>, cancelled: Set<string>) {
  const body = JSON.stringify({ model: 'film', prompt: 'the sea' })
  try {
    for (;;) {
      const answer = await fetch(`${url}/videos`, { method: 'POST', headers: headers(), body })
      const { id } = (await answer.json()) as { id?: string }
      if (answer.status !== 200 || id === undefined) continue
      ordered.add(id)
      await Bun.sleep(Math.random() * 20)
      if (Math.random() > 0.25) continue
      const gone = await fetch(`${url}/videos/${id}`, { method: 'DELETE', headers: headers() })
      const { refunded } = (await gone.json()) as { refunded?: boolean }
      if (gone.status === 200 && refunded === true) cancelled.add(id)
    }
  } catch {
    // It died.
  }
}

/** Charges and refunds of each request, as the transfers have them. */
function movesOf(): ReadonlyMap<string, { charges: number; refunds: number }> {
  const moves = new Map<string, { charges: number; refunds: number }>()
  for (const { kind, reference, count } of raw
    .prepare<{ kind: string; reference: string; count: number }, []>(
      `SELECT kind, reference, count(*) AS count FROM transfers
      WHERE kind IN ('charge', 'refund') GROUP BY kind, reference`,
    )
    .iterate()) {
    const one = moves.get(reference) ?? { charges: 0, refunds: 0 }
    one[kind === 'charge' ? 'charges' : 'refunds'] += count
    moves.set(reference, one)
  }
  return moves
}

function allJobs(): readonly Pick<VideoJob, 'id' | 'request' | 'status' | 'error'>[] {
  return raw
    .prepare<VideoJob, []>('SELECT id, request, status, error FROM video_jobs ORDER BY id')
    .all()
}

/** What holds after any death, before anything else runs. */
async function check(
  storage: Storage,
  ordered: ReadonlySet<string>,
  cancelled: ReadonlySet<string>,
) {
  expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, differences: [] })
  const moves = movesOf()
  const jobs = allJobs()
  for (const { id, request, status, error } of jobs) {
    const { charges, refunds } = moves.get(request) ?? { charges: 0, refunds: 0 }
    const paid = status === 'completed' || status === 'queued' || status === 'in_progress'
    const never = error === 'creation_lost'
    expect({ id, status, charges, refunds }).toEqual({
      id,
      status,
      charges: never ? 0 : 1,
      refunds: paid || never ? 0 : 1,
    })
  }
  const known = new Map(jobs.map((job) => [job.id as string, job]))
  for (const id of ordered) expect(known.get(id)?.error ?? null).not.toBe('creation_lost')
  for (const id of ordered) expect(known.has(id)).toBe(true)
  for (const id of cancelled) expect(known.get(id)?.status).toBe('cancelled')
}

test(`${rounds} times killed: each video is charged once and made, or refunded once, and none is forgotten`, async () => {
  const ordered = new Set<string>()
  const cancelled = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const { run, url } = await start()
    const orders = Array.from({ length: callers }, () => orderUntilDead(url, ordered, cancelled))
    // A third of them dies before it has answered.
    const before = ordered.size
    if (round % 3 > 0) await until(() => ordered.size > before)
    await Bun.sleep(20 + Math.random() * 250)
    run.kill('SIGKILL')
    await run.exited
    await Promise.all(orders)
    const storage = openStorage({ folder: folder.path, exclusive: true, clock: systemClock })
    try {
      await storage.ledger.recover()
      await check(storage, ordered, cancelled)
    } finally {
      await storage.close()
    }
  }

  // What is left goes to its end by itself, but for what is never made.
  const { run, url } = await start()
  const open = () => allJobs().filter(({ status }) => /queued|in_progress/.test(status))
  const endless = new Set(
    [...vendor.fates].flatMap(([id, { kind }]) => (kind === 'working' ? id : [])),
  )
  const ending = () =>
    raw
      .prepare<{ name: string }, []>(
        `SELECT vendor_job AS name FROM video_jobs WHERE status IN ('queued', 'in_progress')`,
      )
      .all()
      .filter(({ name }) => !endless.has(name))
  await until(() => ending().length === 0, 50)
  for (const { id } of open()) {
    const gone = await fetch(`${url}/videos/${id}`, { method: 'DELETE', headers: headers() })
    expect((await gone.json()) as object).toMatchObject({ refunded: true })
    cancelled.add(id)
  }
  run.kill('SIGKILL')
  await run.exited
  const storage = openStorage({ folder: folder.path, exclusive: true, clock: systemClock })
  await check(storage, ordered, cancelled)
  const statuses = Map.groupBy(allJobs(), ({ status, error }) => `${status} ${error ?? ''}`.trim())
  await storage.close()
  expect(open()).toEqual([])
  const met = [...statuses].map(([status, jobs]) => [status, jobs.length] as const)
  for (const status of [
    'completed',
    'cancelled',
    'failed video_failed',
    'failed video_lost',
    'failed creation_lost',
  ])
    expect([status, statuses.get(status)?.length ?? 0, met]).not.toEqual([status, 0, met])
})
