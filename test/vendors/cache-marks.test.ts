import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Traits } from '../../src/domain/model'
import { isFields, type Fields } from '../../src/gateway/json/fields'
import type { DialectName } from '../../src/gateway/vendors/openai/dialects'
import { saysMessage } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { saysGemini } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { message, responds } from '../support/responses-stand-in'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

/* Where a mark of caches stands in the body of each vendor, by where its client put it. */

type Kind = 'anthropic' | 'google' | 'openai'
const models: Readonly<Record<string, readonly [Kind, DialectName, Traits?]>> = {
  anthropic: ['anthropic', 'generic'],
  oairesp: ['openai', 'openai', { chat: 'responses' }],
  openai: ['openai', 'openai'],
  azure: ['openai', 'azure'],
  old: ['openai', 'openai', { drop: ['prompt_cache_breakpoint'] }],
  openrouter: ['openai', 'openrouter'],
  alibaba: ['openai', 'alibaba'],
  generic: ['openai', 'generic'],
  mistral: ['openai', 'mistral'],
  google: ['google', 'generic'],
}

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn((seen, request) => {
    if (seen.path.endsWith('/responses')) return responds([message('Hello')])(seen, request)
    if (seen.path.endsWith('/messages')) return saysMessage()(seen, request)
    if (seen.path.includes('Content')) return saysGemini()(seen, request)
    return replies()(seen, request)
  })
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const [name, [kind, dialect, traits = {}]] of Object.entries(models))
        await addHubVendor({ name, kind, url: vendor.url, dialect, models: { [name]: traits } })(
          storage,
        )
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** What the vendor of a model gets. */
async function sent(path: string, model: string, body: object): Promise<Fields> {
  const answer = await fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ ...body, model }),
  })
  expect([answer.status, answer.ok ? '' : await answer.text()]).toEqual([200, ''])
  await answer.text()
  return vendor.seen.at(-1)?.body ?? {}
}

const names = new Map([
  ['cache_control', 'control'],
  ['prompt_cache_breakpoint', 'breakpoint'],
])

/** Each mark by its place, form and lifetime. */
function marksIn(value: unknown, at = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => {
    const form = names.get(name)
    if (form === undefined) return marksIn(each, `${at}${name}.`)
    const ttl = isFields(each) ? each['ttl'] : undefined
    return [`${at}${form}${typeof ttl === 'string' ? ` ${ttl}` : ''}`]
  })
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([name]) => !names.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, unmarked(each)]))
}

const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const half = { prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
const png = 'iVBORw0KGgo='
const schema = { type: 'object', properties: {} }

/** Where the mark is at each vendor; nowhere for those that are not named. */
interface Row {
  readonly body: Fields
  readonly at: Readonly<Partial<Record<keyof typeof models, string>>>
}

/** At the vendors of the chat format. */
function chatVendors(place: string, ...others: readonly ('alibaba' | 'openai')[]): Row['at'] {
  const [control, breakpoint] = [`${place}.control`, `${place}.breakpoint`]
  return {
    openrouter: control,
    ...(others.includes('alibaba') ? { alibaba: control } : {}),
    ...(others.includes('openai') ? { openai: breakpoint, azure: breakpoint } : {}),
  }
}

async function checkRow(path: string, { body, at }: Row): Promise<void> {
  for (const model of Object.keys(models)) {
    const marked = await sent(path, model, body)
    const plain = await sent(path, model, unmarked(body) as object)
    const place = at[model]
    expect([model, ...marksIn(marked)]).toEqual(place === undefined ? [model] : [model, place])
    // Without a mark it is what it would have been.
    if (place === undefined) expect(marked).toEqual(plain)
  }
}

const chatHi = { role: 'user', content: 'Hi' }
const chatText = { type: 'text', text: 'Hi', ...hour }
const chatCall = { id: 'call_abcd', type: 'function', function: { name: 'f', arguments: '{}' } }
const chatResult = { role: 'tool', tool_call_id: 'call_abcd', content: 'done' }
const chatTool = { type: 'function', function: { name: 'f', parameters: schema } }
const chatImage = { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }

const chatRows: Readonly<Record<string, Row>> = {
  system: {
    body: { messages: [{ role: 'system', content: [chatText] }, chatHi] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'system.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      generic: 'messages.0.content.0.control',
    },
  },
  'user text': {
    body: { messages: [{ role: 'user', content: [chatText, { type: 'text', text: '?' }] }] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      generic: 'messages.0.content.0.control',
    },
  },
  image: {
    body: { messages: [{ role: 'user', content: [{ ...chatImage, ...hour }] }] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      generic: 'messages.0.content.0.control',
    },
  },
  breakpoint: {
    body: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', ...half }] }] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      old: 'messages.0.content.0.breakpoint',
      anthropic: 'messages.0.content.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      generic: 'messages.0.content.0.breakpoint',
    },
  },
  message: {
    body: { messages: [{ ...chatHi, ...hour }] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      generic: 'messages.0.control',
    },
  },
  'tool result': {
    body: {
      messages: [
        chatHi,
        { role: 'assistant', content: null, tool_calls: [chatCall] },
        { ...chatResult, content: [{ type: 'text', text: 'done', ...hour }] },
      ],
      tools: [chatTool],
    },
    at: {
      ...chatVendors('messages.2.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.2.content.0.control 1h',
      oairesp: 'input.2.output.0.breakpoint 12h',
      generic: 'messages.2.content.0.control',
    },
  },
  tool_use: {
    body: {
      messages: [
        chatHi,
        { role: 'assistant', content: null, tool_calls: [{ ...chatCall, ...hour }] },
        chatResult,
      ],
      tools: [chatTool],
    },
    at: {
      ...chatVendors('messages.1.tool_calls.0'),
      anthropic: 'messages.1.content.0.control 1h',
      generic: 'messages.1.tool_calls.0.control',
    },
  },
  assistant: {
    body: { messages: [chatHi, { role: 'assistant', content: [chatText] }, chatHi] },
    at: {
      ...chatVendors('messages.1.content.0', 'alibaba'),
      anthropic: 'messages.1.content.0.control 1h',
      generic: 'messages.1.content.0.control',
    },
  },
  tool: {
    body: { messages: [chatHi], tools: [{ ...chatTool, ...hour }] },
    at: {
      ...chatVendors('tools.0'),
      anthropic: 'tools.0.control 1h',
      generic: 'tools.0.control',
    },
  },
  'the whole': {
    body: { messages: [chatHi], ...hour },
    at: { anthropic: 'control 1h', openrouter: 'control', generic: 'control' },
  },
}

test('a mark that is null is none', async () => {
  const none = { cache_control: null }
  const body = {
    messages: [{ role: 'user', content: [{ ...chatText, ...none }], ...none }],
    ...none,
  }
  for (const model of ['openrouter', 'openai', 'mistral', 'anthropic', 'oairesp'])
    expect(JSON.stringify(await sent('/chat/completions', model, body))).not.toMatch(
      /ephemeral|breakpoint/,
    )
})

describe('a chat client’s mark on', () => {
  test.each(Object.entries(chatRows))('%s', (_, row) => checkRow('/chat/completions', row))
})

const saying = (...content: object[]) => ({ max_tokens: 9, messages: [{ role: 'user', content }] })
const block = { type: 'text', text: 'Hi' }
const messagesTool = { name: 'f', input_schema: schema }
const use = { type: 'tool_use', id: 'call_abcd', name: 'f', input: {} }
const used = (ofUse: object, ofResult: object, ...inner: object[]) => ({
  max_tokens: 9,
  tools: [messagesTool],
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [{ ...use, ...ofUse }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'call_abcd', content: inner, ...ofResult }],
    },
  ],
})

const messagesRows: Readonly<Record<string, Row>> = {
  system: {
    body: { ...saying(block), system: [{ ...block, ...hour }, block] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'system.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
    },
  },
  'user text': {
    body: saying({ ...block, ...hour }),
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
    },
  },
  'several texts': {
    body: saying(block, { ...block, ...hour }),
    at: {
      ...chatVendors('messages.0.content.1', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.1.control 1h',
      oairesp: 'input.0.content.1.breakpoint 12h',
    },
  },
  image: {
    body: saying(block, {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: png },
      ...hour,
    }),
    at: {
      ...chatVendors('messages.0.content.1', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.1.control 1h',
      oairesp: 'input.0.content.1.breakpoint 12h',
    },
  },
  'tool result': {
    body: used({}, hour, block),
    at: {
      ...chatVendors('messages.2.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.2.content.0.control 1h',
      oairesp: 'input.2.output.0.breakpoint 12h',
    },
  },
  'a text of a tool result': {
    body: used({}, {}, block, { ...block, ...hour }),
    at: {
      ...chatVendors('messages.2.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.2.content.0.content.1.control 1h',
      oairesp: 'input.2.output.0.breakpoint 12h',
    },
  },
  tool_use: {
    body: used(hour, {}, block),
    at: {
      ...chatVendors('messages.1.tool_calls.0'),
      anthropic: 'messages.1.content.0.control 1h',
    },
  },
  assistant: {
    body: {
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: [block, { ...block, ...hour }] },
        { role: 'user', content: 'Hi' },
      ],
    },
    at: {
      ...chatVendors('messages.1.content.1', 'alibaba'),
      anthropic: 'messages.1.content.1.control 1h',
    },
  },
  tool: {
    body: { ...saying(block), tools: [{ ...messagesTool, ...hour }] },
    at: { ...chatVendors('tools.0'), anthropic: 'tools.0.control 1h' },
  },
  'the whole': {
    body: { ...saying(block), ...hour },
    at: { anthropic: 'control 1h', openrouter: 'control' },
  },
}

describe('a Messages client’s mark on', () => {
  test.each(Object.entries(messagesRows))('%s', (_, row) => checkRow('/messages', row))
})

const input = (...content: object[]) => ({ input: [{ role: 'user', content }] })
const part = { type: 'input_text', text: 'Hi' }

const responsesRows: Readonly<Record<string, Row>> = {
  'user text': {
    body: input({ ...part, ...half }),
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      openai: 'input.0.content.0.breakpoint 12h',
      old: 'input.0.content.0.breakpoint 12h',
    },
  },
  instructions: {
    body: { input: [{ role: 'developer', content: [{ ...part, ...half }] }, chatHi] },
    at: {
      ...chatVendors('messages.0.content.0', 'alibaba', 'openai'),
      anthropic: 'system.0.control 1h',
      oairesp: 'input.0.content.0.breakpoint 12h',
      openai: 'input.0.content.0.breakpoint 12h',
      old: 'input.0.content.0.breakpoint 12h',
    },
  },
  image: {
    body: input(part, {
      type: 'input_image',
      detail: 'auto',
      image_url: chatImage.image_url.url,
      ...half,
    }),
    at: {
      ...chatVendors('messages.0.content.1', 'alibaba', 'openai'),
      anthropic: 'messages.0.content.1.control 1h',
      oairesp: 'input.0.content.1.breakpoint 12h',
      openai: 'input.0.content.1.breakpoint 12h',
      old: 'input.0.content.1.breakpoint 12h',
    },
  },
  'tool result': {
    body: {
      input: [
        chatHi,
        { type: 'function_call', call_id: 'call_abcd', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'call_abcd', output: [{ ...part, ...half }] },
      ],
      tools: [{ type: 'function', name: 'f', parameters: schema, strict: false }],
    },
    at: {
      ...chatVendors('messages.2.content.0', 'alibaba', 'openai'),
      anthropic: 'messages.2.content.0.control 1h',
      oairesp: 'input.2.output.0.breakpoint 12h',
      openai: 'input.2.output.0.breakpoint 12h',
      old: 'input.2.output.0.breakpoint 12h',
    },
  },
}

describe('a Responses client’s mark on', () => {
  test.each(Object.entries(responsesRows))('%s', (_, row) => checkRow('/responses', row))

  test('options of caches go where they are known, without a lifetime that usage cannot tell', async () => {
    const options = { mode: 'explicit', ttl: '12h' }
    const body = { ...input(part), prompt_cache_options: options, prompt_cache_retention: '24h' }
    const seen = async (model: string) => {
      const { prompt_cache_options, prompt_cache_retention } = await sent('/responses', model, body)
      return [prompt_cache_options, prompt_cache_retention]
    }
    expect(await seen('oairesp')).toEqual([options, '24h'])
    expect(await seen('azure')).toEqual([{ mode: 'explicit' }, '24h'])
    expect(await seen('openrouter')).toEqual([{ mode: 'explicit' }, undefined])
    for (const model of ['alibaba', 'mistral', 'generic', 'anthropic', 'google'])
      expect(await seen(model)).toEqual([undefined, undefined])
  })
})
