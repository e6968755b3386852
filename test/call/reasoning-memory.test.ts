import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { openReasoningMemory } from '../../src/gateway/call/reasoning-memory'
import type { Ticks } from '../../src/domain/clock'
import { addModel, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { chunk, openStandIn, replies, streamReply, type StandIn } from '../support/stand-in'

describe('the memory of reasoning', () => {
  const open = (maxBytes = 10_000) => {
    let now = 0
    const memory = openReasoningMemory({ ticks: () => now as Ticks }, { maxBytes, keepMs: 1000 })
    return { memory, wait: (ms: number) => void (now += ms) }
  }

  test('is found by any key of the turn and given out whole', () => {
    const { memory } = open()
    const value = { signed: ['a', 1] }
    memory.remember({ place: 'p', keys: ['a', 'b'], value })
    expect(memory.recall('a')).toEqual(value)
    expect(memory.recall('b')).toEqual(value)
    expect(memory.recall('c')).toBeUndefined()
    expect([memory.knows('p'), memory.knows('q')]).toEqual([true, false])
  })

  test('ends after its time', () => {
    const { memory, wait } = open()
    memory.remember({ place: 'p', keys: ['a', 'b'], value: 'x' })
    wait(999)
    expect(memory.recall('a')).toBe('x')
    wait(1)
    expect(memory.recall('a')).toBeUndefined()
    expect(memory.recall('b')).toBeUndefined()
    expect(memory.bytes()).toBe(0)
    expect(memory.knows('p')).toBe(false)
  })

  test('stays within its bytes: the oldest goes first, and what is too large is not taken', () => {
    const { memory } = open(2000)
    for (let at = 0; at < 100; at++) {
      memory.remember({ place: `p${at}`, keys: [`c${at}`], value: 'x'.repeat(200) })
      expect(memory.bytes()).toBeLessThanOrEqual(2000)
    }
    expect(memory.recall('c0')).toBeUndefined()
    expect(memory.knows('p0')).toBe(false)
    expect(memory.recall('c99')).toBe('x'.repeat(200))
    memory.remember({ place: 'p', keys: ['large'], value: 'x'.repeat(2000) })
    expect(memory.recall('large')).toBeUndefined()
    expect(memory.recall('c99')).toBeDefined()
  })

  test('keeps the later one where the very same turn comes again, and nothing of the earlier', () => {
    const { memory } = open()
    for (let at = 0; at < 50; at++) memory.remember({ place: 'p', keys: ['k', 'l'], value: at })
    expect(memory.recall('l')).toBe(49)
    expect(memory.bytes()).toBeLessThan(500)
  })
})

describe('reasoning that must come back in the chat format', () => {
  const dialects = ['deepseek', 'moonshot', 'openrouter', 'generic']
  let vendor: StandIn
  let chapar: TestGateway
  beforeAll(async () => {
    vendor = openStandIn()
    chapar = await openTestGateway({
      async prepare({ catalogue }) {
        for (const dialect of dialects)
          await catalogue.saveVendor({
            name: dialect,
            kind: 'openai',
            dialect,
            baseUrl: vendor.url,
            credential: null,
            timeoutMs: 10_000,
            transport: 'own',
            active: true,
            source: 'command',
          })
      },
    })
    for (const dialect of dialects) await addModel(chapar.storage, `of-${dialect}`, [dialect])
    await chapar.gateway.reloadCatalogue()
  })
  afterAll(async () => {
    await chapar.close()
    await vendor.close()
  })

  const call = { id: 'call_r', type: 'function', function: { name: 'f', arguments: '{}' } }
  const history = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_r', content: 'done' },
  ]
  const begun = history.slice(0, 1)
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
  const asked = async (model: string) => {
    vendor.play(replies())
    await (await chapar.post(ask(model, { messages: history }))).text()
    const messages = listOf(vendor.seen.at(-1)?.body['messages'])
    return fieldsOf(messages[1])['reasoning_content']
  }

  test.each([
    ['of-deepseek', false],
    ['of-deepseek', true],
    ['of-moonshot', true],
  ])('of %s, streamed: %p', async (model, stream) => {
    const thought = `because of ${model} ${stream}`
    const events = [
      chunk({ role: 'assistant', reasoning_content: thought.slice(0, 7) }),
      chunk({ reasoning_content: thought.slice(7) }),
      chunk({ tool_calls: [{ index: 0, ...call }] }),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ]
    const message = {
      role: 'assistant',
      content: null,
      reasoning_content: thought,
      tool_calls: [call],
    }
    vendor.play(() =>
      stream
        ? streamReply(events)
        : Response.json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    )
    await (await chapar.post(ask(model, { messages: begun, stream, tools }))).text()
    expect(await asked(model)).toBe(thought)
    expect(await asked('of-generic')).toBeUndefined()
  })

  test('is found where marks of caches came to earlier turns', async () => {
    const thought = 'because of marks'
    const called = {
      role: 'assistant',
      content: null,
      reasoning_content: thought,
      tool_calls: [call],
    }
    vendor.play(() =>
      Response.json({ choices: [{ index: 0, message: called, finish_reason: 'tool_calls' }] }),
    )
    const mark = { cache_control: { type: 'ephemeral' } }
    const text = [{ type: 'text', text: 'go' }]
    const marked = [{ type: 'text', text: 'go', ...mark }]
    const first = { role: 'user', content: marked }
    const tools = [{ type: 'function', function: { name: 'f' } }]
    await (await chapar.post(ask('of-deepseek', { messages: [first], tools }))).text()
    vendor.play(replies())
    const [, , result] = history
    for (const content of ['go', text, marked]) {
      const turn = { role: 'assistant', content: null, tool_calls: [{ ...call, ...mark }] }
      const messages = [{ role: 'user', content }, turn, { ...result, ...mark }]
      await chapar.post(ask('of-deepseek', { messages }))
      const [, seen] = listOf(vendor.seen.at(-1)?.body['messages'])
      expect(fieldsOf(seen)).toMatchObject({ reasoning_content: thought, tool_calls: [call] })
      expect(JSON.stringify(vendor.seen.at(-1)?.body)).not.toContain('cache_control')
    }
  })

  test.each([false, true])('of a vendor of vendors, signed, streamed: %p', async (stream) => {
    const detail = (text: string, rest: object = {}) => ({
      type: 'reasoning.text',
      format: 'anthropic-claude-v1',
      index: 0,
      text,
      ...rest,
    })
    const sealed = { type: 'reasoning.encrypted', index: 1, data: `sealed ${stream}` }
    const whole = [detail(`why ${stream}`, { signature: 'sig' }), sealed]
    const pieces = [
      detail('why '),
      detail(`${stream}`, { signature: null }),
      detail('', { signature: 'sig' }),
      sealed,
    ]
    const events = [
      chunk({ role: 'assistant', content: '' }),
      ...pieces.map((piece) => chunk({ reasoning_details: [piece] })),
      chunk({ tool_calls: [{ index: 0, ...call }] }),
      chunk({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ]
    const message = {
      role: 'assistant',
      content: null,
      reasoning_details: whole,
      tool_calls: [call],
    }
    vendor.play(() =>
      stream
        ? streamReply(events)
        : Response.json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    )
    await (await chapar.post(ask('of-openrouter', { messages: begun, stream, tools }))).text()
    vendor.play(replies())
    await chapar.post(ask('of-openrouter', { messages: history }))
    const messages = listOf(vendor.seen.at(-1)?.body['messages'])
    expect(fieldsOf(messages[1])['reasoning_details']).toEqual(whole)
    // What the client kept itself is the client's.
    const own = history.map((each) =>
      each.role === 'assistant' ? { ...each, reasoning_details: [sealed] } : each,
    )
    await chapar.post(ask('of-openrouter', { messages: own }))
    const kept = listOf(vendor.seen.at(-1)?.body['messages'])
    expect(fieldsOf(kept[1])['reasoning_details']).toEqual([sealed])
  })

  test('is empty where nobody knows it', async () => {
    const other = await chapar.customer()
    vendor.play(replies())
    await chapar.post(ask('of-deepseek', { messages: history }), {
      authorization: `Bearer ${other.key}`,
    })
    const messages = listOf(vendor.seen.at(-1)?.body['messages'])
    expect(messages[1]).toMatchObject({ reasoning_content: '' })
  })
})
