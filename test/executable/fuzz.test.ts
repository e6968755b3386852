import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { operatorKey, setUpOperator } from '../console/operator-visitor'
import { openVisitor } from '../console/visitor'
import { seeded } from '../ledger/leased/weather'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { firstSeed, roundsOf } from '../support/campaigns'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'
import { addCustomer } from '../support/gateway'
import { paced, until } from '../support/pace'
import { residentBytes } from '../support/resident-memory'
import { openFuzzer, type FuzzedRequest, type Sender } from './fuzzed-requests'

const requests = roundsOf('fuzzed requests')
const atOnce = 16
const megabyte = 1_048_576
const maxResidentBytes = 400 * megabyte
const backMs = paced(10_000)

type Credentials = Readonly<Record<Sender, Readonly<Record<string, string>>>>

async function credentialsOf(serving: Serving, data: string, key: string): Promise<Credentials> {
  const origin = new URL(serving.url).origin
  const browser = { origin, 'sec-fetch-site': 'same-origin' }
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  try {
    const visitor = openVisitor(serving)
    await visitor.signIn('09123456789')
    const staff = await setUpOperator({ storage, url: serving.url }, systemClock)
    return {
      customer: { authorization: `Bearer ${key}` },
      operator: { authorization: `Bearer ${await operatorKey({ storage }, 'owner')}` },
      visitor: { ...browser, cookie: visitor.cookie() },
      staff: { ...browser, cookie: staff.visitor.cookie() },
      stranger: {},
    }
  } finally {
    await storage.close()
  }
}

/** Sends them, so many at a time. @returns statuses with how often, and answers that are a fault of ours */
async function sendAll(
  serving: Serving,
  credentials: Credentials,
  next: () => FuzzedRequest,
  count: number,
) {
  const { origin } = new URL(serving.url)
  const statuses: Record<string, number> = {}
  const faults: string[] = []
  let left = count
  const send = async ({ sender, method, path, headers, body }: FuzzedRequest) => {
    const answer = await fetch(`${origin}${path}`, {
      method,
      headers: { ...credentials[sender], ...headers },
      ...(body === null || method === 'HEAD' ? {} : { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(paced(60_000)),
    })
    const reader = answer.body?.getReader()
    const first = await reader?.read()
    // Streams of live requests never end.
    const isEndless = path.includes('/live') || path.includes('/stream')
    if (isEndless) await reader?.cancel()
    else for (let part = first; part?.done === false;) part = await reader?.read()
    const text =
      first?.value === undefined ? '' : new TextDecoder().decode(first.value as Uint8Array)
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (answer.status === 500 || /\bat .*\.ts:\d+/.test(text))
      faults.push(
        `${answer.status} ${method} ${path.slice(0, 200)} ${String(body).slice(0, 300)} → ${text.slice(0, 300)}`,
      )
  }
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) {
        const request = next()
        try {
          await send(request)
        } catch (thrown) {
          faults.push(`${String(thrown)} ${request.method} ${request.path.slice(0, 200)}`)
        }
      }
    }),
  )
  return { statuses, faults }
}

const errorsIn = (logs: string): readonly string[] =>
  logs.split('\n').filter((line) => line.includes('"level":"error"'))

test.skipIf(process.platform !== 'linux')(
  `${requests} requests that nobody would send break nothing (seed ${firstSeed})`,
  async () => {
    const data = join(temporaryFolder(), 'data')
    const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
    const limits = { concurrency: 1000, requestsPerMinute: 1_000_000 }
    const { key } = await addCustomer(storage, {
      usd: '1000',
      account: limits,
      key: { requestsPerMinute: 1_000_000 },
    })
    await storage.close()
    const serving = await serve(['--data', data, '--demo'], { CHAPAR_ADDRESS_RPM: '1000000' })
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, residentBytes(serving.pid))), 5)
    try {
      const credentials = await credentialsOf(serving, data, key)
      const next = openFuzzer(seeded(firstSeed))
      // Code and tables of the first requests stay.
      await sendAll(serving, credentials, openFuzzer(seeded(firstSeed + 1000)), 500)
      const before = residentBytes(serving.pid)
      const { statuses, faults } = await sendAll(serving, credentials, next, requests)
      expect(faults).toEqual([])
      expect(errorsIn(serving.logs())).toEqual([])
      expect(statuses['200'] ?? 0).toBeGreaterThan(requests / 20)
      const began = performance.now()
      await until(() => residentBytes(serving.pid) < 1.2 * before, 50)
      process.stderr.write(
        `${JSON.stringify({ statuses, megabytes: [before, peak, residentBytes(serving.pid)].map((bytes) => Math.round(bytes / megabyte)), backMs: Math.round(performance.now() - began) })}\n`,
      )
      expect(performance.now() - began).toBeLessThan(backMs)
      expect(peak).toBeLessThan(maxResidentBytes)
      expect(await run(['audit'], { data })).toMatchObject({ code: 0 })
      serving.kill('SIGTERM')
      expect(await serving.exited).toBe(0)
    } finally {
      clearInterval(watch)
      serving.kill('SIGKILL')
      await serving.exited
      rmSync(data, { recursive: true, force: true })
    }
  },
)
