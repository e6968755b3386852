import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, type Fields } from '../../../src/gateway/json/fields'
import { messagesError, saysMessage } from '../../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { addHubVendor } from '../../support/hub-vendor'
import { openStandIn, type StandIn } from '../../support/stand-in'

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn(saysMessage())
  chapar = await openTestGateway({
    prepare: addHubVendor({
      kind: 'anthropic',
      url: vendor.url,
      models: {
        'claude-opus-4-7': {},
        'claude-sonnet-4-6': {},
        'claude-opus-4-8': {},
        'claude-sonnet-5': {},
        'claude-sonnet-4-5': {},
        'claude-latest': {},
        another: {},
        budgeted: { thinking: 'budget' },
        weighing: { thinking: 'adaptive' },
      },
    }),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const user = (content: unknown) => ({ role: 'user', content })
const hello = user('Hello')
const night = { role: 'system', content: 'It is night.' }

async function sent(body: object): Promise<Fields> {
  const response = await fetch(`${chapar.url}/messages`, {
    method: 'POST',
    headers: { 'x-api-key': chapar.key, 'anthropic-version': '2023-06-01' },
    body: JSON.stringify({ max_tokens: 9000, messages: [hello], ...body }),
  })
  expect(response.status).toBe(200)
  return fieldsOf(vendor.seen.at(-1)?.body)
}

describe('instructions among the turns', () => {
  test.each(['claude-opus-4-8', 'claude-sonnet-5', 'claude-latest'])(
    'reach %s as they are',
    async (model) => {
      const messages = [hello, night]
      expect((await sent({ model, messages }))['messages']).toEqual(messages)
    },
  )

  test.each(['claude-opus-4-7', 'claude-sonnet-4-6', 'claude-sonnet-4-5', 'another', 'budgeted'])(
    'reach %s, which knows two roles, as what a user says',
    async (model) => {
      const marked = { type: 'text', text: 'It is cold.', cache_control: { type: 'ephemeral' } }
      const messages = [hello, night, { role: 'assistant', content: 'Yes.' }, hello]
      expect(
        (await sent({ model, messages: [...messages, { role: 'system', content: [marked] }] }))[
          'messages'
        ],
      ).toEqual([
        hello,
        user([{ type: 'text', text: '<system>It is night.</system>' }]),
        { role: 'assistant', content: 'Yes.' },
        hello,
        user([{ ...marked, text: '<system>It is cold.</system>' }]),
      ])
    },
  )

  test('with tools that come and go stay what they are', async () => {
    const added = { type: 'tool_addition', tool: { type: 'tool_reference', name: 'look' } }
    const messages = [hello, { role: 'system', content: [added] }]
    const tools = [{ name: 'look', input_schema: { type: 'object' }, defer_loading: true }]
    const body = await sent({ model: 'claude-opus-4-7', messages, tools })
    expect(body['messages']).toEqual(messages)
  })
})

describe('thinking that is left to a model', () => {
  const thinking = { type: 'adaptive', display: 'summarized' }

  test.each(['claude-sonnet-4-5', 'budgeted'])('has a budget at %s', async (model) => {
    const format = { type: 'json_schema', schema: { type: 'object' } }
    const config = { effort: 'medium', format }
    expect(await sent({ model, thinking, output_config: config })).toMatchObject({
      thinking: { type: 'enabled', display: 'summarized', budget_tokens: 8192 },
      output_config: { format },
    })
    const body = await sent({ model, thinking, output_config: { effort: 'high' } })
    expect(body['thinking']).toMatchObject({ type: 'enabled', budget_tokens: 8999 })
    expect(body).not.toHaveProperty('output_config')
  })

  test('is left out where a budget has no room', async () => {
    const body = await sent({ model: 'budgeted', thinking, max_tokens: 1024 })
    expect(body).not.toHaveProperty('thinking')
  })

  test.each(['claude-opus-4-8', 'claude-sonnet-4-6', 'another'])('is left to %s', async (model) => {
    const members = { thinking, output_config: { effort: 'medium' } }
    expect(await sent({ model, ...members })).toMatchObject(members)
  })

  test.each([
    ['claude-opus-4-8', 8192, undefined, 'medium'],
    ['claude-opus-4-7', 30_000, undefined, 'high'],
    ['claude-opus-4-8', 1024, 'high', 'high'],
    ['weighing', 8192, undefined, 'medium'],
  ])('replaces a budget, which %s refuses', async (model, budget, own, effort) => {
    const body = await sent({
      model,
      max_tokens: 40_000,
      thinking: { type: 'enabled', display: 'summarized', budget_tokens: budget },
      ...(own === undefined ? {} : { output_config: { effort: own } }),
    })
    expect(body['thinking']).toEqual(thinking)
    expect(body['output_config']).toEqual({ effort })
  })

  // A model of another maker may not know the member.
  test.each([
    ['claude-opus-4-8', {}, { display: 'summarized' }],
    ['claude-opus-4-8', { display: null }, { display: 'summarized' }],
    ['claude-opus-4-8', { display: 'omitted' }, { display: 'omitted' }],
    ['weighing', {}, {}],
  ])('is shown by %s as under a budget: %j', async (model, display, shown) => {
    const body = await sent({
      model,
      thinking: { type: 'enabled', budget_tokens: 2048, ...display },
    })
    expect(body['thinking']).toEqual({ type: 'adaptive', ...shown })
  })

  test.each(['claude-sonnet-4-6', 'claude-sonnet-4-5', 'another'])(
    'leaves a budget to %s, which takes it',
    async (model) => {
      const budget = { type: 'enabled', budget_tokens: 2048 }
      expect(await sent({ model, thinking: budget })).toMatchObject({ thinking: budget })
    },
  )

  test('goes on without any in a turn that another model began', async () => {
    const refuses = messagesError(
      400,
      'invalid_request_error',
      'Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    )
    vendor.play((...asked) => {
      const { type } = fieldsOf(fieldsOf(asked[0].body)['thinking'])
      return (type === 'enabled' ? refuses : saysMessage())(...asked)
    })
    const look = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Dark.' }
    const messages = [hello, { role: 'assistant', content: [look] }, user([result]), night]
    const tools = [{ name: 'look', input_schema: { type: 'object' } }]
    expect(await sent({ model: 'budgeted', thinking, messages, tools })).not.toHaveProperty(
      'thinking',
    )
  })
})
