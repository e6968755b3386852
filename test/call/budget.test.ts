import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { chunk, openStandIn, streamReply, usageChunk, type StandIn } from '../support/stand-in'

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

const balanceOf = async (account: number): Promise<number> =>
  (await chapar.storage.directory.listAccounts()).find(({ id }) => id === account)?.balance ?? -1

describe('a stream without a ceiling ends at the money, never beyond', () => {
  const pieces = [40, 200, 1600]
  const amounts = ['0.025', '0.0262', '0.0275', '0.029', '0.031', '0.035']
  test.each(pieces.flatMap((letters) => amounts.map((usd) => [letters, usd] as const)))(
    'in events of %d dense letters, with %s dollars',
    async (letters, usd) => {
      const { account, key } = await chapar.customer({ usd })
      const said = chunk({ content: '牛'.repeat(letters) })
      vendor.play(() => streamReply(Array.from({ length: 16_000 / letters }, () => said)))
      const response = await chapar.post(ask('priced', { stream: true }), {
        authorization: `Bearer ${key}`,
      })
      expect(await response.text()).toContain('insufficient_credit')
      await chapar.rest()
      expect(await balanceOf(account)).toBeGreaterThanOrEqual(0)
      // All but one step of 1,024 tokens, and one event, could be used.
      expect(await balanceOf(account)).toBeLessThan((1024 + 1600) * 6000)
    },
  )
})

test('a stream within its ceiling is not ended before it, with no more money than that', async () => {
  const body = ask('priced', { stream: true, max_tokens: 4000 })
  const dry = await chapar.post(body, { 'x-dry-run': '1' })
  const { hold_usd: usd } = (await dry.json()) as { hold_usd: string }
  const { account, key } = await chapar.customer({ usd })
  const told = { prompt_tokens: 10, completion_tokens: 3990, total_tokens: 4000 }
  vendor.play(() =>
    streamReply([
      ...Array.from({ length: 1330 }, () => chunk({ content: 'word '.repeat(3) })),
      chunk({}, 'stop'),
      usageChunk(told),
      'data: [DONE]\n\n',
    ]),
  )
  const response = await chapar.post(body, { authorization: `Bearer ${key}` })
  const text = await response.text()
  expect(text).not.toContain('error')
  expect(text).toContain('"completion_tokens":3990')
  await chapar.rest()
  expect(await balanceOf(account)).toBeGreaterThanOrEqual(0)
})
