import { carriedOutcome } from '../../src/endpoints/videos/store'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import type { VideoJob } from '../../src/domain/video-job'
import { openStorage } from '../../src/storage/sqlite/open-storage'
import { videoJob } from '../endpoints/videos/job'
import { customer, ending, noBatch, opening } from '../storage/folder'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let jobs: readonly VideoJob[]
beforeEach(async () => {
  terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: true, clock: systemClock })
  const caller = await customer(storage, { usd: '10' })
  const made: VideoJob[] = []
  for (const [index, status] of ['queued', 'completed', 'failed'].entries()) {
    const call = {
      ...opening(caller, systemClock.now(), `req_${index}`),
      endpoint: 'videos' as const,
    }
    const begun = videoJob(caller, call.created, { request: call.id })
    await storage.videos.begin(begun)
    const accepted: VideoJob = { ...begun, status: 'queued', vendor: 'films', vendorJob: 'v' }
    const ended = { opening: call, ending: ending(begun.cost), held: nanoUsd(0), wasOpened: false }
    const carried = carriedOutcome({ id: begun.id, accepted })
    await storage.ledger.commit({ ...noBatch, ended: [{ ...ended, carried }] }, true)
    if (status !== 'queued')
      await storage.videos.advance(
        [{ job: { ...accepted, status: status as 'completed' }, claimed: null }],
        true,
      )
    made.push({ ...accepted, status: status as 'queued' })
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
    request: 'req_0',
  })
  expect(await terminal.run('videos', 'show', 'vid_none')).toMatchObject({ code: 1 })
})

test('a refund is in the account’s ledger and in the receipt of its request', async () => {
  const { data } = await terminal
    .json<{ data: { kind: string; reference: string }[] }>('account', 'ledger', '1')
    .catch(async () => ({ data: [] as { kind: string; reference: string }[] }))
  expect(data.filter(({ kind }) => kind === 'refund').map(({ reference }) => reference)).toEqual([
    'req_2',
  ])
  const { stdout } = await terminal.run('requests', 'show', 'req_2')
  expect(stdout).toContain('$0.400000 given back')
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
