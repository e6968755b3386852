import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import {
  chunk,
  openaiStream,
  openStandIn,
  replies,
  streamReply,
  usage,
  usageChunk,
  type Script,
  type StandIn,
} from '../support/stand-in'

/* The fee of a vendor that does not tell how often it searched. */

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    prepare: addHubVendor({
      kind: 'openai',
      dialect: 'generic',
      url: vendor.url,
      tools: { web_search: '0.01' },
      models: { plain: {} },
    }),
  })
})
afterAll(async () => {
  expect((await chapar.audit()).differences).toEqual([])
  await chapar.close()
  await vendor.close()
})

const tool = { name: 'f', parameters: { type: 'object', properties: {} } }
const search = { type: 'web_search' }
const turn = [{ role: 'user', content: 'weather?' }]
const bodies = {
  'chat/completions': {
    messages: turn,
    tools: [{ type: 'function', function: tool }],
    web_search_options: {},
  },
  messages: {
    messages: turn,
    max_tokens: 1000,
    tools: [
      { name: 'f', input_schema: tool.parameters },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
  },
  responses: { input: 'weather?', tools: [{ type: 'function', ...tool }, search] },
} as const
const paths = Object.keys(bodies) as (keyof typeof bodies)[]

/** Meters of the call's receipt; none for one without a charge. */
async function metersOf(path: keyof typeof bodies, stream: boolean): Promise<readonly unknown[]> {
  const headers = { authorization: `Bearer ${chapar.key}` }
  const answer = await fetch(`${chapar.url}/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'plain', stream, ...bodies[path] }),
  })
  await answer.text()
  await chapar.rest()
  const id = String(answer.headers.get('x-request-id'))
  const record: unknown = await (await fetch(`${chapar.url}/requests/${id}`, { headers })).json()
  return listOf(fieldsOf(fieldsOf(record)['receipt'])['lines']).map(
    (line) => fieldsOf(line)['meter'],
  )
}

const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
const calls: Script = ({ body }) =>
  body['stream'] === true
    ? streamReply([
        chunk({ role: 'assistant', content: null }),
        chunk({ tool_calls: [{ index: 0, ...call }] }),
        chunk({}, 'tool_calls'),
        usageChunk(usage),
        'data: [DONE]\n\n',
      ])
    : Response.json({
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, tool_calls: [call] },
            finish_reason: 'tool_calls',
          },
        ],
        usage,
      })
const breaks: Script = () =>
  streamReply(openaiStream('Sunny all day'), { cutAfter: 4, delayMs: 20 })
const ends: Script = () => streamReply(openaiStream('Sunny all day').slice(0, 3))

describe.each(paths)('/v1/%s: a search', (path) => {
  test.each([true, false])('is charged with an answer (streamed: %p)', async (stream) => {
    vendor.play(replies('Sunny'))
    expect(await metersOf(path, stream)).toContain('tool:web_search')
  })

  test.each([true, false])(
    'is not, where only a call of a tool came (streamed: %p)',
    async (stream) => {
      vendor.play(calls)
      const meters = await metersOf(path, stream)
      expect(meters).toContain('output')
      expect(meters).not.toContain('tool:web_search')
    },
  )

  test.each([
    ['broke off', breaks],
    ['ended early', ends],
  ])('is not, where the answer %s', async (_, script) => {
    vendor.play(script)
    const meters = await metersOf(path, true)
    expect(meters).toContain('output')
    expect(meters).not.toContain('tool:web_search')
  })
})
