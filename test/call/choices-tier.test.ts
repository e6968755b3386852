import { afterAll, beforeAll, expect, test } from 'bun:test'
import { parseUsd } from '../../src/domain/money'
import { messageEvent, textBlock, wholeMessage } from '../support/anthropic-stand-in'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

/** Of one prompt; two of them together are beyond the tier. */
const read = 150_000
const tier = 200_000
const usage = { input_tokens: read, output_tokens: 1000 }

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn(({ body }) =>
    body['stream'] === true
      ? streamReply([
          messageEvent({
            type: 'message_start',
            message: { id: 'm', type: 'message', role: 'assistant', content: [], usage },
          }),
          ...textBlock(0, 'Hello'),
          messageEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage }),
          messageEvent({ type: 'message_stop' }),
        ])
      : wholeMessage([{ type: 'text', text: 'Hello' }], 'end_turn', usage),
  )
  chapar = await openTestGateway({
    async prepare(storage) {
      const models = { claude: { oneChoice: true } } as const
      await addHubVendor({ kind: 'anthropic', url: vendor.url, models })(storage)
      const [model] = await storage.catalogue.models()
      if (model === undefined) throw new Error('no model')
      const { created: _, card: __, ...entry } = model
      const above = { when: { inputAbove: tier } }
      await storage.catalogue.saveModel({ ...entry, contextLength: 1_000_000 }, [
        { meter: 'input', unit: 'million', price: '3' },
        { meter: 'output', unit: 'million', price: '15' },
        { meter: 'input', unit: 'million', price: '6', ...above },
        { meter: 'output', unit: 'million', price: '22.5', ...above },
      ])
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** A prompt of about as many tokens, and what one choice of it costs below the tier. */
const content = 'word '.repeat(read)
const each = parseUsd('0.465')

test.each([
  ['whole', false, '100'],
  ['streamed', true, '100'],
  ['that ends at the money', false, '1.1'],
] as const)(
  'a call of several choices, %s, costs each by the size of its own prompt',
  async (...of) => {
    const [, stream, usd] = of
    const { key } = await chapar.customer({ usd })
    const body = {
      ...ask('claude', { n: 2, stream, max_tokens: 1000 }),
      messages: [{ role: 'user', content }],
    }
    const authorization = `Bearer ${key}`
    const answer = await chapar.post(body, { authorization })
    expect(answer.status).toBe(200)
    await answer.text()
    await chapar.rest()
    const id = answer.headers.get('x-request-id') ?? ''
    const call = await chapar.storage.reports.call(id, null)
    expect(call).toMatchObject({ inputTokens: 2 * read, cost: 2 * each, unpaid: null })
    const shown = await fetch(`${chapar.url}/requests/${id}`, { headers: { authorization } })
    const { receipt } = (await shown.json()) as {
      readonly receipt: { readonly lines: readonly { readonly amount_usd: string }[] }
    }
    expect(receipt.lines.map((line) => line.amount_usd)).toEqual(['0.9', '0.03'])
  },
)
