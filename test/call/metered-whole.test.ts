import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { KeyChange } from '../../src/gateway/identity/account-directory'
import { parseUsd } from '../../src/domain/money'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import {
  chunk,
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

interface Whole {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly object[] }
    readonly finish_reason: string
  }[]
  readonly usage: { readonly completion_tokens: number }
}

/** Of a customer with so much money. */
async function called(usd: string, body: object = ask('priced'), key: KeyChange = {}) {
  const customer = await chapar.customer({ usd, key })
  const response = await chapar.post(body, { authorization: `Bearer ${customer.key}` })
  const text = await response.text()
  await chapar.rest()
  const left = (await chapar.storage.directory.findAccount(customer.account))?.balance ?? -1
  return {
    status: response.status,
    stoppedBy: response.headers.get('x-stopped-by'),
    reply: JSON.parse(text) as Whole,
    left,
    spent: parseUsd(usd) - left,
  }
}

/** Some twenty-five thousand tokens, of which three cents pay five thousand. */
const long = Array.from({ length: 160 }, () => chunk({ content: '牛'.repeat(200) }))
const longStream = [...long, chunk({}, 'stop'), 'data: [DONE]\n\n']

describe('a whole answer, while there is money for all that it can cost', () => {
  test('is asked for as it was', async () => {
    vendor.play(() => wholeReply('Hello'))
    expect(await called('100')).toMatchObject({ status: 200, stoppedBy: null })
    expect(vendor.seen.at(-1)?.body).not.toHaveProperty('stream')
  })
})

describe('where there is not, it is asked for as a stream', () => {
  test('and is the same if the money lasts', async () => {
    vendor.play(({ body }) =>
      body['stream'] === true ? streamReply(openaiStream('Hello you')) : wholeReply('Hello you'),
    )
    const [rich, poor] = [await called('100'), await called('0.03')]
    expect(vendor.seen.at(-1)?.body['stream']).toBe(true)
    expect(poor.reply.usage).toEqual(rich.reply.usage)
    expect(poor.reply.choices).toMatchObject([
      { index: 0, message: { role: 'assistant', content: 'Hello you' }, finish_reason: 'stop' },
    ])
    expect(poor.spent).toBe(rich.spent)
  })

  test.each([
    ['event by event', () => streamReply(longStream)],
    [
      'in one write',
      () => new Response(longStream.join(''), { headers: { 'content-type': 'text/event-stream' } }),
    ],
  ])('and ends where the money ends: sent %s', async (_, reply) => {
    vendor.play(reply)
    const { status, stoppedBy, reply: whole, left } = await called('0.03')
    expect({ status, stoppedBy }).toEqual({ status: 200, stoppedBy: 'insufficient_credit' })
    expect(whole.choices[0]?.finish_reason).toBe('length')
    expect(whole.choices[0]?.message.content?.length).toBeGreaterThan(2000)
    expect(whole.usage.completion_tokens).toBeGreaterThan(2000)
    expect(left).toBeGreaterThanOrEqual(0)
    expect(left).toBeLessThan((1024 + 2000) * 6000)
  })

  test('says which cap it was that ended it', async () => {
    vendor.play(() => streamReply(longStream))
    const spendLimit = parseUsd('0.03')
    const { stoppedBy, spent } = await called('100', ask('priced'), { spendLimit })
    expect(stoppedBy).toBe('key_spend_limit_reached')
    expect(spent).toBeLessThanOrEqual(spendLimit)
  })

  test('a call of a tool that was being written is cut with it', async () => {
    const call = (args: string, first: object = {}) =>
      chunk({ tool_calls: [{ index: 0, ...first, function: { arguments: args, ...first } }] })
    vendor.play(() =>
      streamReply([
        call('{"a":"', { id: 'call_1', type: 'function', name: 'f' }),
        ...Array.from({ length: 160 }, () => call('牛'.repeat(200))),
        call('"}'),
        chunk({}, 'tool_calls'),
        'data: [DONE]\n\n',
      ]),
    )
    const { reply, stoppedBy } = await called('0.03')
    expect(stoppedBy).toBe('insufficient_credit')
    expect(reply.choices).toMatchObject([
      { message: { content: null, tool_calls: [{ id: 'call_1' }] }, finish_reason: 'length' },
    ])
  })

  test('a vendor that breaks off in the middle costs nothing', async () => {
    vendor.play(() => streamReply(openaiStream('Hello you there'), { cutAfter: 3 }))
    expect(await called('0.03')).toMatchObject({ status: 502, spent: 0 })
  })

  test('a vendor that answers whole all the same is paid what there is', async () => {
    const told = { prompt_tokens: 10, completion_tokens: 16_000, total_tokens: 16_010 }
    vendor.play(() => wholeReply('Hello', told))
    const { status, reply, left } = await called('0.03')
    expect(status).toBe(200)
    expect(reply.choices[0]?.message.content).toBe('Hello')
    expect(left).toBeGreaterThanOrEqual(0)
  })

  test('sound is not: its forms in a stream are others', async () => {
    vendor.play(() => wholeReply('Hello'))
    const body = ask('priced', { modalities: ['text', 'audio'], audio: { format: 'mp3' } })
    expect(await called('0.03', body)).toMatchObject({ status: 200 })
    expect(vendor.seen.at(-1)?.body).not.toHaveProperty('stream')
  })
})

test('of many at once nobody is refused whose money covers the usual', async () => {
  const dry = await chapar.post(ask('priced'), { 'x-dry-run': '1' })
  const { hold_usd: usual } = (await dry.json()) as { hold_usd: string }
  const count = 20
  const { account, key } = await chapar.customer({ usd: (Number(usual) * count).toFixed(9) })
  const told = { prompt_tokens: 10, completion_tokens: 16_000, total_tokens: 16_010 }
  // An answer that came before the last request had its hold could take what that one needs.
  let arrived = 0
  const allHeld = Promise.withResolvers<void>()
  vendor.play(async ({ body }) => {
    if (++arrived === count) allHeld.resolve()
    await allHeld.promise
    return body['stream'] === true ? streamReply(longStream) : wholeReply('牛'.repeat(20_000), told)
  })
  const answers = await Promise.all(
    Array.from({ length: count }, () =>
      // Whatever is answered without the vendor was refused.
      chapar.post(ask('priced'), { authorization: `Bearer ${key}` }).finally(allHeld.resolve),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await Promise.all(answers.map((each) => each.text()))
  await chapar.rest()
  expect((await chapar.storage.directory.findAccount(account))?.balance).toBeGreaterThanOrEqual(0)
  expect((await chapar.audit()).differences).toEqual([])
})
