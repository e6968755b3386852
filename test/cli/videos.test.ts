import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import type { VideoJob } from '../../src/domain/video-job'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { orderVideo } from '../endpoints/videos/order'
import { customer } from '../storage/folder'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let jobs: readonly VideoJob[]
beforeEach(async () => {
  terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: true, clock: systemClock })
  const caller = await customer(storage, { usd: '10' })
  const made: VideoJob[] = []
  for (const status of ['queued', 'completed', 'failed'] as const) {
    const request = systemIds.request()
    const accepted = await orderVideo(storage, caller, systemClock.now(), 400_000_000, request)
    if (status !== 'queued')
      await storage.videos.advance(
        [
          {
            job: { ...accepted, status, error: status === 'failed' ? 'video_timeout' : null },
            claimed: null,
          },
        ],
        true,
      )
    made.push({ ...accepted, status })
  }
  jobs = made
  await storage.close()
})
afterEach(() => terminal.close())

interface Listed {
  readonly data: readonly { readonly id: string; readonly status: string }[]
}

test('videos list shows every job, newest first, and those that are open alone', async () => {
  const all = await terminal.json<Listed>('videos', 'list')
  expect(all.data.map(({ status }) => status)).toEqual(['failed', 'completed', 'queued'])
  const open = await terminal.json<Listed>('videos', 'list', '--open')
  expect(open.data.map(({ id }) => id)).toEqual(jobs.slice(0, 1).map(({ id }) => id as string))
  const { stdout } = await terminal.run('videos', 'list', '--limit', '1')
  expect(stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(stdout).toEndWith('… 2 more: --limit 3, or --csv for all\n')
  expect(stdout).toContain('$0.400000 (refunded)')
})

test('videos show tells of one job who makes it; of none that there is none', async () => {
  const [job] = jobs
  expect(await terminal.json<object>('videos', 'show', job?.id ?? '')).toMatchObject({
    status: 'queued',
    usd: '0.400000',
    refunded: false,
    vendor: 'films',
    vendor_job: 'v',
    request: job?.request ?? '',
  })
  expect(await terminal.run('videos', 'show', 'vid_none')).toMatchObject({ code: 1 })
})

test('a refund is in the account’s ledger and in the receipt of its request', async () => {
  const { data } = await terminal
    .json<{ data: { kind: string; reference: string }[] }>('account', 'ledger', '1')
    .catch(async () => ({ data: [] as { kind: string; reference: string }[] }))
  expect(data.filter(({ kind }) => kind === 'refund').map(({ reference }) => reference)).toEqual([
    jobs[2]?.request ?? '',
  ])
  const { stdout } = await terminal.run('requests', 'show', jobs[2]?.request ?? '')
  expect(stdout).toContain('$0.400000 given back')
})

test('a call whose video failed is listed and shown as failed', async () => {
  const [first, second, third] = jobs.map(({ request }) => request as string)
  const failed = { id: third ?? '', status: 'error', error: 'video_timeout' }
  const listed = async (...options: readonly string[]) =>
    (await terminal.json<{ data: object[] }>('requests', 'list', ...options)).data
  expect(await listed('--status', 'error')).toMatchObject([failed])
  expect(await listed('--status', 'success')).toMatchObject([{ id: second }, { id: first }])
  expect(await terminal.json<object>('requests', 'show', failed.id)).toMatchObject(failed)
  const { stdout } = await terminal.run('requests', 'list', '--csv')
  expect(stdout.split('\n').find((line) => line.includes(failed.id))).toContain('error')
  expect(stdout).toContain('video_timeout')
  expect((await terminal.run('audit')).code).toBe(0)
})

test('a model is added with the sizes and seconds that it makes', async () => {
  const vendor = ['--kind', 'openai', '--base-url', 'http://localhost:1/v1', '--api-key', 'x']
  await terminal.json<object>('vendor', 'add', '--name', 'films', '--no-test', ...vendor)
  const prices = ['--price', 'per_second:1280x720=0.1', '--price', 'per_second:1920x1080=0.2']
  const made = await terminal.json<object>(
    'model',
    'add',
    '--id',
    'wan',
    '--type',
    'video',
    '--route',
    'films:wan',
    '--capability',
    'seconds=5, 10',
    ...prices,
  )
  expect(made).toMatchObject({ capabilities: { seconds: ['5', '10'] } })
})
