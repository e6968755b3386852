import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import {
  inputUsage,
  messageEvent,
  messageStart,
  saysMessage,
  textBlock,
} from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendors, vendorsOfFormats } from '../support/hub-vendor'
import { greet, spentBy } from '../support/paid-calls'
import { geminiReply } from '../support/google-stand-in'
import { message, responds } from '../support/responses-stand-in'
import {
  chunk,
  event,
  openStandIn,
  streamReply,
  usage,
  wholeReply,
  type Script,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(() => {
  vendor = openStandIn()
})
afterAll(() => vendor.close())

beforeEach(async () => {
  await chapar?.close()
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendorsOfFormats) })
})
afterAll(() => chapar.close())

/** Asks once; @returns nano-dollars that it cost */
async function ask(path: string, model: string, stream: boolean, script: Script): Promise<number> {
  vendor.play(script)
  return await spentBy(chapar, async () => {
    const response = await greet(chapar, path, { model, stream })
    await response.text()
    expect(response.status).toBe(200)
  })
}

const toldNotices = async () =>
  (await chapar.storage.notices.list({ pending: false, most: 20 }))
    .map(({ notice: { kind, subject, limit } }) => ({ kind, source: subject.source, limit }))
    .toReversed()

const otherwise = (vendorName: string, model: string, served: string) => ({
  kind: 'vendor_serves_otherwise',
  source: { vendor: vendorName, model, served },
  limit: 0,
})

const chatReply = (rest: object, stream: boolean): Script => {
  if (!stream)
    return async () => Response.json({ ...((await wholeReply('Hi').json()) as object), ...rest })
  const last = { object: 'chat.completion.chunk', choices: [], usage, ...rest }
  const said = [chunk({ role: 'assistant', content: 'Hi' }), chunk({}, 'stop')]
  return () => streamReply([...said, event(last), 'data: [DONE]\n\n'])
}

test.each([false, true])(
  'a tier of chat is told once a day and changes no charge; %p',
  async (stream) => {
    const plain = await ask('/chat/completions', 'chat', stream, chatReply({}, stream))
    for (const tier of ['default', 'on_demand', 'standard', 'auto', null, 7])
      await ask('/chat/completions', 'chat', stream, chatReply({ service_tier: tier }, stream))
    expect(await toldNotices()).toEqual([])
    for (const path of ['/chat/completions', '/chat/completions', '/messages', '/responses'])
      expect(await ask(path, 'chat', stream, chatReply({ service_tier: 'priority' }, stream))).toBe(
        plain,
      )
    await ask('/chat/completions', 'chat', stream, chatReply({ service_tier: 'flex' }, stream))
    await ask('/chat/completions', 'chat', stream, chatReply({ service_tier: 'no word!' }, stream))
    expect(await toldNotices()).toEqual([
      otherwise('openai', 'chat', 'service_tier priority'),
      otherwise('openai', 'chat', 'service_tier flex'),
      otherwise('openai', 'chat', 'service_tier other'),
    ] as never)
  },
)

test.each(['/messages', '/chat/completions'])(
  'tier, speed and region of Messages; %s',
  async (path) => {
    const told = { service_tier: 'priority', speed: 'fast', inference_geo: 'us' }
    const start = JSON.parse(messageStart().split('data: ')[1] ?? '{}') as {
      type: string
      message: object
    }
    const counted = { ...inputUsage, ...told, output_tokens: 1 }
    const begun = messageEvent({ ...start, message: { ...start.message, usage: counted } })
    const end = {
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: { output_tokens: 5 },
    }
    const ended = [messageEvent(end), messageEvent({ type: 'message_stop' })]
    await ask(path, 'claude', true, () => streamReply([begun, ...textBlock(0, 'Hi'), ...ended]))
    await ask(path, 'claude', false, saysMessage())
    expect(await toldNotices()).toEqual([
      otherwise('anthropic', 'claude', 'service_tier priority'),
      otherwise('anthropic', 'claude', 'speed fast'),
      otherwise('anthropic', 'claude', 'inference_geo us'),
    ] as never)
  },
)

test('tiers of Responses, natively and translated, and of Google', async () => {
  const flex = responds([message('Hi')], { service_tier: 'flex' })
  for (const path of ['/responses', '/chat/completions'])
    for (const stream of [false, true]) await ask(path, 'responses', stream, flex)
  const metadata = { promptTokenCount: 5, candidatesTokenCount: 2, trafficType: 'ON_DEMAND_FLEX' }
  await ask('/chat/completions', 'gemini', false, async () =>
    Response.json({ ...geminiReply([{ text: 'Hi' }]), usageMetadata: metadata }),
  )
  expect(await toldNotices()).toEqual([
    otherwise('oai', 'responses', 'service_tier flex'),
    otherwise('google', 'gemini', 'traffic_type on_demand_flex'),
  ] as never)
})
