import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { SocketSink } from '../../../src/gateway/net/socket'
import { connectSandbox } from '../../../src/gateway/vendors/sandbox/realtime'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { openRealtimeClient } from '../../support/realtime-client'

let chapar: TestGateway
beforeAll(async () => {
  chapar = await openTestGateway()
})
afterAll(() => chapar.close())

const call = (model = 'sandbox/realtime') =>
  openRealtimeClient(`${chapar.url.replace('http', 'ws')}/realtime?model=${model}`, {
    headers: { authorization: `Bearer ${chapar.key}` },
  })
const item = (text: string) => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
})
const ask = (response?: object) => ({ type: 'response.create', ...(response && { response }) })
const silence = Buffer.alloc(48_000).toString('base64')
const sound = Buffer.alloc(48_000, 0x33).toString('base64')
const append = (audio: string) => ({ type: 'input_audio_buffer.append', audio })

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
}

interface Done {
  readonly status: string
  readonly output: {
    readonly content?: { readonly transcript?: string; readonly text?: string }[]
  }[]
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number }
}
const doneOf = (event: Record<string, unknown>) => event['response'] as Done

describe('the sandbox holds a conversation', () => {
  test('aloud: every word is said and is a tone of its own', async () => {
    const client = call()
    await client.next('session.created')
    client.send(item('یک two three'))
    client.send(ask())
    const done = doneOf(await client.next('response.done'))
    const said = client.frames
      .map((frame) => JSON.parse(frame) as { type: string; delta?: string })
      .filter(({ type }) => type === 'response.output_audio.delta')
      .map(({ delta }) => Buffer.from(delta ?? '', 'base64'))
    expect(said.length).toBe(3)
    expect(said.every((tone) => tone.byteLength === 9600)).toBe(true)
    expect(new Set(said.map((tone) => Bun.hash(tone))).size).toBe(3)
    expect(done).toMatchObject({
      status: 'completed',
      output: [{ content: [{ transcript: 'یک two three' }] }],
      usage: { input_tokens: 3, output_tokens: 3 + 12 },
    })
    client.close()
    await client.closed
  })

  test('in writing, where that is asked for', async () => {
    const client = call()
    await client.next('session.created')
    client.send(item('just words'))
    client.send(ask({ output_modalities: ['text'] }))
    const done = doneOf(await client.next('response.done'))
    expect(done.output[0]?.content?.[0]?.text).toBe('just words')
    expect(client.frames.some((frame) => frame.includes('audio.delta'))).toBe(false)
    client.close()
    await client.closed
  })

  test('by sound alone: it hears when somebody has finished speaking', async () => {
    const client = call()
    await client.next('session.created')
    client.send(append(silence))
    client.send(append(sound))
    client.send(append(silence))
    await client.next('input_audio_buffer.speech_started')
    await client.next('input_audio_buffer.committed')
    const done = doneOf(await client.next('response.done'))
    expect(done.output[0]?.content?.[0]?.transcript).toContain('seconds of sound')
    client.close()
    await client.closed
  })

  test('with tools', async () => {
    const client = call()
    await client.next('session.created')
    const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }]
    client.send({ type: 'session.update', session: { tools, tool_choice: 'required' } })
    client.send(item('what is there'))
    client.send(ask())
    const called = await client.next('response.function_call_arguments.done')
    expect(called).toMatchObject({ name: 'look' })
    await client.next('response.done')
    client.send({
      type: 'conversation.item.create',
      item: {
        type: 'function_call_output',
        call_id: called['call_id'],
        output: '{"seen":"a cat"}',
      },
    })
    client.send({ type: 'session.update', session: { tools: [], tool_choice: 'auto' } })
    client.send(ask())
    const done = doneOf(await client.next('response.done'))
    expect(done.output[0]?.content?.[0]?.transcript).toContain('a cat')
    client.close()
    await client.closed
  })

  test('and stops in the middle when it is told to', async () => {
    const client = call()
    await client.next('session.created')
    client.send(item('word '.repeat(2000)))
    client.send(ask())
    await client.next('response.output_audio.delta')
    client.send({ type: 'response.cancel' })
    const done = doneOf(await client.next('response.done'))
    expect(done.status).toBe('cancelled')
    expect(done.usage.output_tokens).toBeGreaterThan(4)
    expect(done.usage.output_tokens).toBeLessThan(2000)
    client.close()
    await client.closed
  })
})

test('with prices it charges what it counts', async () => {
  const client = call('sandbox/realtime-priced')
  await client.next('session.created')
  client.send(item('one two three'))
  client.send(ask())
  await client.next('response.done')
  client.close()
  await client.closed
  // 3 words in, 3 out, and 0.6 seconds spoken: 12 tokens.
  const spent = 3 * 1500 + 3 * 6000 + 12 * 24_000
  expect((await chapar.rest()).balance).toBe(String(100_000_000_000 - spent))
})

test('where it breaks off the client is told', async () => {
  const client = call('sandbox/realtime-error-stream_interrupted')
  await client.next('session.created')
  client.send(item('one two three four five six'))
  client.send(ask())
  expect((await client.next('error'))['error']).toMatchObject({ code: 'stream_interrupted' })
  expect(await client.closed).toMatchObject({ code: 1011 })
})

test('any event at all is answered or ignored, and the next conversation is as ever', async () => {
  const types = [
    'session.update',
    'input_audio_buffer.append',
    'input_audio_buffer.commit',
    'input_audio_buffer.clear',
    'conversation.item.create',
    'conversation.item.retrieve',
    'conversation.item.delete',
    'conversation.item.truncate',
    'response.create',
    'response.cancel',
    '__proto__',
    'constructor',
    'hasOwnProperty',
  ]
  const members = ['session', 'item', 'item_id', 'audio', 'response', 'event_id', 'content_index']
  const anything = fc.jsonValue({ maxDepth: 3 })
  const said: string[] = []
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(fc.constantFrom(...types), fc.dictionary(fc.constantFrom(...members), anything)),
        { maxLength: 12 },
      ),
      async (events) => {
        const socket = connectSandbox({ url: 'ws://sandbox/?model=realtime', headers: [] }, 'x')
        let closed = 0
        const sink: SocketSink = {
          frame: (frame) => void said.push(String(frame)),
          pong: () => {},
          closed: () => void closed++,
        }
        socket.listen(sink)
        for (const [type, rest] of events) socket.send(JSON.stringify({ type, ...rest }))
        socket.send('{"type":"input_audio_buffer.append","audio":"\n"}')
        await turns(40)
        socket.close(1000, '')
        await turns(2)
        expect(closed).toBe(1)
      },
    ),
    { numRuns: 300 },
  )
  const kinds = new Set(said.map((frame) => (JSON.parse(frame) as { type: string }).type))
  expect(kinds.has('error')).toBe(true)
  expect(kinds.has('response.done')).toBe(true)
})

test('a client that does not listen makes it wait, not remember', async () => {
  const socket = connectSandbox({ url: 'ws://sandbox/?model=realtime', headers: [] }, 'x')
  socket.pause()
  expect(socket.waiting()).toBeLessThan(10_000)
  for (let times = 0; times < 5000; times++) socket.send('{"type":"nothing"}')
  expect(socket.waiting()).toBeGreaterThan(1_048_576)
  socket.close(1000, '')
  await Bun.sleep(0)
})

test('an hour of sound and a book of text are not kept', async () => {
  const client = call()
  await client.next('session.created')
  const page = 'word '.repeat(20_000)
  for (let pages = 0; pages < 10; pages++) client.send(item(page))
  client.send(ask({ output_modalities: ['text'], max_output_tokens: 10 }))
  await client.next('response.created')
  client.send({ type: 'response.cancel' })
  const { usage } = doneOf(await client.next('response.done'))
  expect(usage.input_tokens).toBeGreaterThan(20_000)
  expect(usage.input_tokens).toBeLessThan(100_000)
  client.close()
  await client.closed
})
