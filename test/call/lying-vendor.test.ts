import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, openTestGateway, price, type TestGateway } from '../support/gateway'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const lie = { prompt_tokens: 10, completion_tokens: 900_000_000, total_tokens: 900_000_010 }
const body = ask('priced', { max_tokens: 10 })

describe('two letters that a vendor counts as nine hundred million tokens', () => {
  const callAs = async (stream: boolean) => {
    const response = await chapar.post({ ...body, stream })
    await response.text()
    await chapar.rest()
    return chapar.storage.reports.call(response.headers.get('x-request-id') ?? '', null)
  }
  /** At six dollars a million. */
  const most = 10 * 1500 + 10 * 6000

  test.each([false, true])(
    'cost no more than the ceiling of the client; streamed: %p',
    async (stream) => {
      vendor.play(() => (stream ? streamReply(openaiStream('hi', lie)) : wholeReply('hi', lie)))
      const call = await callAs(stream)
      expect(call?.cost).toBe(most as never)
      expect(call?.units).toEqual({ input: 10, cached_input: 0, output: 10 })
      expect(call?.unpaid).toEqual({
        units: { input: 10, output: 900_000_000 },
        cost: (10 * 1500 + 900_000_000 * Number(price.output) * 1000) as never,
        isBeyondPossible: true,
      })
    },
  )

  test('are told once a day, with vendor and model', async () => {
    const notices = await chapar.storage.notices.list({ pending: false, most: 10 })
    expect(notices.map(({ notice }) => notice)).toMatchObject([
      {
        kind: 'vendor_counts_oddly',
        subject: { source: { vendor: 'standin', model: 'priced' } },
        limit: most,
        period: new Date().toISOString().slice(0, 10),
      },
    ])
    expect((await chapar.audit()).differences).toEqual([])
  })
})

test.each([false, true])(
  'the usage that is told is the one that is charged, and not what was counted; streamed: %p',
  async (stream) => {
    vendor.play(() => (stream ? streamReply(openaiStream('hi', lie)) : wholeReply('hi', lie)))
    const text = await (await chapar.post({ ...body, stream })).text()
    expect(text).toContain('"completion_tokens":10,')
    expect(text).not.toContain('900000000')
  },
)

test('what is within the ceiling, and beyond the money, is charged as far as there is money', async () => {
  const { account, key } = await chapar.customer({ usd: '0.5' })
  // With a ceiling of sixteen thousand tokens a tenth of a dollar is usual.
  const told = { prompt_tokens: 10, completion_tokens: 100_000, total_tokens: 100_010 }
  vendor.play(({ body: { stream } }) =>
    stream === true ? streamReply(openaiStream('hi', told)) : wholeReply('hi', told),
  )
  const send = () =>
    chapar.post(ask('priced'), { authorization: `Bearer ${key}` }).then((each) => each.text())
  await Promise.all(Array.from({ length: 50 }, send))
  await chapar.rest()
  const left = (await chapar.storage.directory.findAccount(account))?.balance ?? -1
  expect(left).toBeGreaterThanOrEqual(0)
  expect((await chapar.audit()).differences).toEqual([])
})
