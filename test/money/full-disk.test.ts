import { afterEach, beforeEach, expect, test } from 'bun:test'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import type { RequestId } from '../../src/domain/ids'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

/** A disk of our own can be filled; only root makes one. */
const makesDisks = process.platform === 'linux' && process.getuid?.() === 0
const diskBytes = 8 * 1024 * 1024

let disk = ''
let vendor: StandIn
let key = ''
let serving: Serving
let mounted = false

const command = (...words: string[]) => Bun.spawnSync(words).exitCode === 0

beforeEach(async () => {
  disk = temporaryFolder()
  mounted = makesDisks && command('mount', '-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk)
  if (!mounted) return
  mkdirSync(join(disk, 'data'))
  vendor = openStandIn(() => wholeReply('ok'))
  key = await setUp(join(disk, 'data'), vendor.url)
  serving = await serve(['--data', join(disk, 'data')])
})
afterEach(async () => {
  if (mounted) {
    serving.kill('SIGKILL')
    await serving.exited
    await vendor.close()
    command('umount', disk)
  }
  rmSync(disk, { recursive: true, force: true })
})

const filler = () => join(disk, 'filler')

function fill() {
  const descriptor = openSync(filler(), 'w')
  try {
    for (let bytes = 65_536; bytes > 0;)
      try {
        if (writeSync(descriptor, new Uint8Array(bytes)) < bytes) bytes >>= 1
      } catch {
        bytes >>= 1
      }
  } finally {
    closeSync(descriptor)
  }
}

const call = () =>
  fetch(`${serving.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(ask('priced', { max_tokens: 50 })),
  })
const readiness = async () => (await fetch(serving.url.replace(/\/v1$/, '/readyz'))).status

/** Calls, a few at a time, until one is refused. @returns which answers came whole */
async function callUntilRefused(): Promise<RequestId[]> {
  const seen: RequestId[] = []
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 4 }, call))
    for (const answer of answers)
      if (answer.status === 200 && (await answer.text()).endsWith('}'))
        seen.push((answer.headers.get('x-request-id') ?? '') as RequestId)
    const refused = answers.find(({ status }) => status !== 200)
    if (refused === undefined) continue
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: { code: 'gateway_error' } })
    return seen
  }
}

test.skipIf(!makesDisks)(
  'a full disk: calls are refused, and what was answered is charged after a kill too',
  async () => {
    if (!mounted) return
    expect(await readiness()).toBe(200)
    fill()
    const seen = await callUntilRefused()
    expect(seen.length).toBeGreaterThan(0)
    expect(await readiness()).toBe(503)
    serving.kill('SIGKILL')
    await serving.exited
    rmSync(filler())

    const storage = openStorage({
      folder: join(disk, 'data'),
      exclusive: true,
      clock: systemClock,
    })
    try {
      expect((await storage.audit()).spooled).toBeGreaterThan(0)
      await storage.ledger.recover()
      expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, spooled: 0 })
      const records = await Promise.all(seen.map((id) => storage.ledger.find(id)))
      expect(records.filter((record) => record?.status !== 'success')).toEqual([])
      for (const record of records) expect(record?.cost).toBeGreaterThan(0)
    } finally {
      await storage.close()
    }
  },
)

test.skipIf(!makesDisks)(
  'a disk that has room again: calls go on without anybody’s doing',
  async () => {
    if (!mounted) return
    fill()
    const seen = await callUntilRefused()
    rmSync(filler())
    while ((await readiness()) !== 200) await Bun.sleep(10)
    const answer = await call()
    expect(answer.status).toBe(200)
    seen.push((answer.headers.get('x-request-id') ?? '') as RequestId)
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)

    const storage = openStorage({
      folder: join(disk, 'data'),
      exclusive: true,
      clock: systemClock,
    })
    try {
      expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, spooled: 0 })
      for (const id of seen)
        expect(await storage.ledger.find(id)).toMatchObject({ status: 'success' })
    } finally {
      await storage.close()
    }
  },
)

test.skipIf(!makesDisks)(
  'a full or read-only disk: operators, customers and uploads are told to try again',
  async () => {
    if (!mounted) return
    const data = join(disk, 'data')
    const made = await run(
      [
        'operator',
        'key',
        'create',
        '--name',
        'program',
        '--role',
        'owner',
        '--expires',
        '90d',
        '--json',
      ],
      { data },
    )
    const { key: operatorKey } = made.json<{ key: string }>()
    const site = serving.url.replace(/\/v1$/, '')
    const operate = async () =>
      (
        await fetch(`${site}/admin/v1/accounts`, {
          method: 'POST',
          headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'x'.repeat(60) }),
        })
      ).status
    const upload = async () => {
      const form = new FormData()
      form.set('model', 'sandbox/transcribe')
      form.set('file', new Blob([new Uint8Array(512 * 1024)]), 'a.wav')
      const headers = { authorization: `Bearer ${key}` }
      const answer = await fetch(`${serving.url}/audio/transcriptions`, {
        method: 'POST',
        headers,
        body: form,
      })
      return answer.status
    }
    expect(await operate()).toBe(200)
    fill()
    expect(await upload()).toBe(503)
    // What is left in the log of the database is soon used up.
    const met = new Set<number>()
    for (let tries = 0; !met.has(503) && tries < 200; tries++) met.add(await operate())
    expect([...met].filter((status) => status !== 200)).toEqual([503])
    rmSync(filler())
    expect(await operate()).toBe(200)
    expect(serving.logs()).not.toContain('internal error')
  },
)
