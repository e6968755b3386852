import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { serve, temporaryFolder } from '../support/executable'
import { addCustomer, addModel, addVendor, ask } from '../support/gateway'
import { openRawVendor } from '../support/raw-vendor'
import { residentBytes } from '../support/resident-memory'
import { addTypedVendor } from '../support/typed-vendor'
import { until } from '../support/pace'

const megabyte = 1_048_576
const piece = Buffer.alloc(262_144, 'x')
/** Above the sum of the ceilings: what is freed, and is not yet the system's again. */
const slackBytes = 128 * megabyte

/** One answer without an end. @param sent told how much of it went out so far */
function* endless(sent: (bytes: number) => void): Generator<Buffer | string> {
  yield 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"x":"'
  for (let bytes = 0; ; sent((bytes += piece.length))) yield piece
}

const lines = [
  { meter: 'input', unit: 'million', price: '1' },
  { meter: 'output_image', unit: 'million', price: '40' },
] as const

test.skipIf(process.platform !== 'linux')(
  'six whole answers without an end fill no more memory than their ceilings',
  async () => {
    const sent: number[] = []
    const vendor = await openRawVendor(() => {
      const at = sent.push(0) - 1
      return endless((bytes) => void (sent[at] = bytes))
    }, 'open')
    const data = join(temporaryFolder(), 'data')
    const storage = openStorage({ folder: data, exclusive: true, clock: systemClock })
    await addVendor(storage, 'endless', vendor.url, 60_000)
    await addModel(storage, 'talks', ['endless'])
    for (const [id, type] of [
      ['vectors', 'embedding'],
      ['draws', 'image'],
    ] as const)
      await addTypedVendor(storage, {
        name: id,
        dialect: 'openai',
        url: vendor.url,
        model: { id, type, vendorModel: id, lines },
      })
    const { key } = await addCustomer(storage, { usd: '100' })
    await storage.close()
    const serving = await serve(['--data', data], {})
    const call = async (path: string, body: object) => {
      const answer = await fetch(`${serving.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return `${answer.status} ${((await answer.json()) as { error: { code: string } }).error.code}`
    }
    const calls = [
      () => call('/chat/completions', ask('talks')),
      () => call('/embeddings', { model: 'vectors', input: 'a' }),
      () => call('/images/generations', { model: 'draws', prompt: 'a' }),
    ]
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, residentBytes(serving.pid))), 5)
    try {
      const before = residentBytes(serving.pid)
      const ended = await Promise.all([...calls, ...calls].map((each) => each()))
      expect(new Set(ended)).toEqual(new Set(['502 upstream_error']))
      const ceiling = 2 * (16 + 64 + 64) * megabyte
      expect(peak - before).toBeLessThan(ceiling + slackBytes)
      // Their connections are closed: what went out is what was read, and what lay in buffers. The vendor hears of it
      // a moment later.
      expect(sent).toHaveLength(6)
      await until(async () => {
        const before = [...sent]
        await Bun.sleep(200)
        return Bun.deepEquals(before, sent)
      })
      expect(sent.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(ceiling + slackBytes)
    } finally {
      clearInterval(watch)
      serving.kill('SIGTERM')
      await serving.exited
      await vendor.close()
    }
  },
)
