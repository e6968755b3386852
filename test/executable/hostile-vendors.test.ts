import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { sampleOf } from '../support/campaigns'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'
import { addCustomer, addModel, addVendor, ask } from '../support/gateway'
import { paced, until } from '../support/pace'
import { isWhole, openRawVendor, type RawVendor } from '../support/raw-vendor'
import { residentBytes } from '../support/resident-memory'
import { openStandIn, type StandIn } from '../support/stand-in'
import { endingOf } from './hostile-endings'
import { evil, hostileKinds, type HostileKind } from './hostile-kinds'

const megabyte = 1_048_576
const maxResidentBytes = 400 * megabyte
const paid = '100'
/** Of 16,384 tokens, which is all that a call may answer, and of its prompt. */
const maxCharge = parseUsd('0.11')
/** How long a vendor that says nothing is waited for. */
const silenceMs = paced(700)

const calls = sampleOf(hostileKinds, 3).flatMap((kind) => [
  { name: `${kind.name}, whole`, kind, stream: false },
  { name: `${kind.name}, as a stream`, kind, stream: true },
])

describe.skipIf(process.platform !== 'linux')('a vendor that misbehaves costs one call', () => {
  let kind: HostileKind | null = null
  let hostile: RawVendor
  let elsewhere: StandIn
  let good: StandIn
  let serving: Serving
  let key = ''
  const data = join(temporaryFolder(), 'data')
  const charges: string[] = []
  const ordinaryFields = new Set<string>()
  let restingBytes = 0
  let peakBytes = 0
  let watch: ReturnType<typeof setInterval>

  const get = async <Answer>(path: string): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}` }
    return (await (await fetch(`${serving.url}${path}`, { headers })).json()) as Answer
  }
  const funds = async () =>
    (await get<{ balance: { usd: string; held_usd: string } }>('/me')).balance

  /** Asks a model, and waits for what its record says that it cost. */
  const call = async (model: string, stream: boolean, rest: object = {}) => {
    const response = await fetch(`${serving.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask(model, { stream, ...rest })),
    })
    const text = await response.text()
    let record = { status: 'pending', usd: '' }
    await until(async () => {
      record = await get(`/requests/${response.headers.get('x-request-id')}`)
      return record.status !== 'pending'
    })
    charges.push(record.usd)
    return { response, text, usd: record.usd, ending: endingOf(response, text, stream) }
  }

  const ordinaryCall = async (stream: boolean) => {
    const { response, text, usd, ending } = await call('good', stream)
    expect({ ending, usd }).toEqual({ ending: 'answer', usd: '0.000450' })
    expect(text).toContain('vendor')
    return response
  }

  /** A process that does nothing at all may keep what it does not need for half a minute. */
  const memoryIsBack = (share: number) =>
    until(async () => {
      if (residentBytes(serving.pid) < share * restingBytes) return true
      await funds()
      return false
    }, 50)

  beforeAll(async () => {
    hostile = await openRawVendor(
      (request) =>
        kind === null || !request.startsWith('POST')
          ? []
          : kind.wire({ stream: request.includes('"stream":true'), elsewhere: elsewhere.url }),
      () => kind?.end ?? 'fin',
      (received) => kind?.when === 'before it is read' || isWhole(received),
    )
    elsewhere = openStandIn(() => new Response(evil))
    good = openStandIn()
    const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
    await addVendor(storage, 'good', good.url)
    await addVendor(storage, 'hostile', hostile.url, paced(60_000))
    await addVendor(storage, 'silent', hostile.url, silenceMs)
    for (const name of ['good', 'hostile', 'silent']) await addModel(storage, name, [name])
    ;({ key } = await addCustomer(storage, { usd: paid }))
    await storage.close()
    serving = await serve(['--data', data], { CHAPAR_ADDRESS_RPM: '1000000' })
    for (let times = 0; times < 50; times++)
      for (const stream of [false, true])
        for (const [name] of (await ordinaryCall(stream)).headers) ordinaryFields.add(name)
    restingBytes = residentBytes(serving.pid)
    watch = setInterval(() => (peakBytes = Math.max(peakBytes, residentBytes(serving.pid))), 5)
  })
  afterAll(async () => {
    clearInterval(watch)
    serving.kill('SIGTERM')
    await serving.exited
    for (const vendor of [hostile, elsewhere, good]) await vendor.close()
    rmSync(data, { recursive: true, force: true })
  })

  test.each(calls)('$name', async ({ kind: next, stream }) => {
    // What the last one left behind is not yet collected, and is none of this one's.
    await memoryIsBack(1.3)
    kind = next
    const isLong = kind.when === 'before it is read'
    const long = { messages: [{ role: 'user', content: 'Hello there '.repeat(30_000) }] }
    const model = kind.when === 'never' ? 'silent' : 'hostile'
    const { response, text, usd, ending } = await call(model, stream, isLong ? long : {})
    expect(ending).toBe(stream ? kind.stream : kind.whole)
    for (const [name, value] of response.headers) {
      if (name !== 'retry-after') expect(ordinaryFields).toContain(name)
      expect(value).not.toContain(evil)
    }
    for (const word of [evil, 'sk-vendor-secret', new URL(hostile.url).host])
      expect(text).not.toContain(word)
    expect(parseUsd(usd)).toBeLessThanOrEqual(response.status === 200 ? maxCharge : 0)
    await ordinaryCall(stream)
    // Closed by one of them: the next call must not be on its way where the vendor closes without a word.
    await until(() => hostile.connections === 0)
  })

  test('and at the end no money is held and its memory is back', async () => {
    expect(elsewhere.seen).toEqual([])
    const { usd, held_usd: held } = await funds()
    expect(held).toBe('0.000000')
    const charged = charges.reduce((sum, each) => sum + parseUsd(each), 0)
    expect<number>(parseUsd(usd)).toBe(parseUsd(paid) - charged)
    expect((await run(['audit'], { data })).code).toBe(0)
    await memoryIsBack(1.2)
    expect(peakBytes).toBeLessThan(maxResidentBytes)
    expect(serving.logs()).not.toMatch(/"level":"error"|sk-vendor-secret/)
  })
})
