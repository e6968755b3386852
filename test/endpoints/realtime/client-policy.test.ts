import { describe, expect, test } from 'bun:test'
import { GatewayError } from '../../../src/errors/gateway-error'
import {
  passEvent,
  RefusedEvent,
  type PolicyParts,
} from '../../../src/gateway/endpoints/realtime/client-policy'
import { leastCpuMs } from '../../support/cpu-time'

const parts: PolicyParts = {
  checkCaller: () => {},
  checkService: () => {},
  takeRequest: async () => {},
  transcribeBy: async (model) => (model === 'ears' ? 'vendor-ears' : model),
}
const passed = (event: object | string, own: Partial<PolicyParts> = {}) =>
  passEvent(typeof event === 'string' ? event : JSON.stringify(event), { ...parts, ...own })
const parsed = async (event: object) =>
  JSON.parse((await passed(event)).frame) as Record<string, unknown>
const refusal = async (event: object | string, own: Partial<PolicyParts> = {}) => {
  try {
    await passed(event, own)
  } catch (thrown) {
    if (thrown instanceof RefusedEvent) return [thrown.error.code, thrown.eventId]
    throw thrown
  }
  return null
}

const own = { type: 'function', name: 'look', parameters: {} }
const mcp = { type: 'mcp', server_label: 'x', server_url: 'https://example.com' }

describe('what is not the client’s to decide is taken out', () => {
  test('of a session: its model, tracing, stored prompts, and tools that the vendor runs', async () => {
    const session = {
      type: 'realtime',
      model: 'another',
      tracing: 'auto',
      prompt: { id: 'pmpt_1' },
      instructions: 'be brief',
      tools: [own, mcp],
    }
    expect(await parsed({ type: 'session.update', event_id: 'e', session })).toEqual({
      type: 'session.update',
      event_id: 'e',
      session: { type: 'realtime', instructions: 'be brief', tools: [own] },
    })
  })

  test('of one answer', async () => {
    const response = { instructions: 'x', prompt: { id: 'pmpt_1' }, tools: [mcp] }
    expect(await parsed({ type: 'response.create', response })).toEqual({
      type: 'response.create',
      response: { instructions: 'x', tools: [] },
    })
  })

  test('and models for transcriptions get the vendor’s name, in the form before the release too', async () => {
    const input = { transcription: { model: 'ears', language: 'fa' }, noise_reduction: null }
    const session = { audio: { input, output: { voice: 'x' } } }
    expect((await parsed({ type: 'session.update', session }))['session']).toEqual({
      audio: {
        input: { transcription: { model: 'vendor-ears', language: 'fa' }, noise_reduction: null },
        output: { voice: 'x' },
      },
    })
    const old = { input_audio_transcription: { model: 'ears' } }
    expect((await parsed({ type: 'session.update', session: old }))['session']).toEqual({
      input_audio_transcription: { model: 'vendor-ears' },
    })
  })

  test.each([
    '{"type":"session.update","session":{"audio":{"input":{"transcription":null}}}}',
    '{"type": "session.update", "session": {"audio":{"input":{"transcription":{"model":"same"}}}}}',
    '{"type":"response.create"}',
    '{"type":"response.create","response":{"tools":[{"type":"function","name":"x"}],"n":1.0}}',
    '{"type":"conversation.item.create","item":{"model":"another","tracing":"auto"}}',
  ])('and nothing else is touched: %s', async (frame) => {
    expect((await passed(frame)).frame).toBe(frame)
  })
})

describe('an event is refused', () => {
  test.each([
    ['text that is no JSON', '{"type":"response.create"', 'invalid_json'],
    ['a list', '["response.create"]', 'invalid_json'],
    ['nothing', '', 'invalid_json'],
    ['without a type', '{"kind":"response.create"}', 'invalid_json'],
    ['with two types', '{"type":"response.cancel","type":"session.update"}', 'invalid_json'],
    [
      'with a member twice, in an escape too',
      '{"type":"session.update","session":{"model":"x"},"sess\\u0069on":{}}',
      'invalid_json',
    ],
    [
      'sound with another type behind it',
      '{"type":"input_audio_buffer.append","audio":"AAAA","type":"session.update"}',
      'invalid_json',
    ],
    ['too deep', `{"type":"x","a":${'['.repeat(40_000)}`, 'invalid_json'],
    [
      'the session of the form before the release',
      '{"type":"transcription_session.update"}',
      'invalid_field',
    ],
    [
      'a transcription by nobody',
      '{"type":"session.update","session":{"audio":{"input":{"transcription":{}}}}}',
      'invalid_field',
    ],
  ])('%s', async (_, frame, code) => {
    expect((await refusal(frame))?.[0]).toBe(code as never)
  })

  test('that is no text', async () => {
    expect(passEvent(new Uint8Array([1]), parts)).rejects.toThrow(RefusedEvent)
  })

  test('that is one request too many, by its own id; another costs no request', async () => {
    let asked = 0
    const full = {
      takeRequest: async () => {
        asked++
        throw new GatewayError('rate_limit_exceeded', { limit: 1, by: 'key', seconds: 1 })
      },
    }
    expect(await refusal({ type: 'response.create', event_id: 'mine' }, full)).toEqual([
      'rate_limit_exceeded',
      'mine',
    ])
    expect(await refusal({ type: 'conversation.item.create' }, full)).toBeNull()
    expect(asked).toBe(1)
  })

  test('but a key that may not call any more is no matter of one event', async () => {
    const revoked = {
      checkCaller: () => {
        throw new GatewayError('api_key_revoked', {})
      },
    }
    expect(passed({ type: 'response.cancel' }, revoked)).rejects.toThrow(GatewayError)
    expect(passed({ type: 'response.cancel' }, revoked)).rejects.not.toBeInstanceOf(RefusedEvent)
  })
})

describe('what passes is counted', () => {
  test.each([
    ['{"type":"input_audio_buffer.append","audio":"AAAA"}', 4, 0],
    ['{"event_id":"e-1","type":"input_audio_buffer.append","audio":"AAAABBBB"}', 8, 0],
    ['{"type":"input_audio_buffer.append","audio":"AAAA","event_id":"e"}', 4, 0],
    // An unusual form is parsed, and counted all the same.
    ['{"audio":"AAAA","type":"input_audio_buffer.append"}', 4, 0],
    ['{"type":"input_audio_buffer.append","audio":"AA\\u0041A"}', 4, 0],
    ['{"type":"response.create"}', 0, 0],
    ['{"type":"conversation.item.create","item":{}}', 0, 45],
  ])('%s', async (frame, sound, text) => {
    expect(await passed(frame)).toEqual({ frame, sound, text })
  })

  test('of long events what is text, and nothing of their pictures', async () => {
    const data = 'A'.repeat(100_000)
    const content = [
      { type: 'input_text', text: 'سلام' },
      { type: 'input_image', image_url: `data:image/png;base64,${data}` },
      { type: 'input_audio', audio: data },
    ]
    const frame = JSON.stringify({ type: 'conversation.item.create', item: { content } })
    expect((await passed(frame)).text).toBeLessThan(200)
  })

  test('without parsing sound', async () => {
    const frame = JSON.stringify({
      type: 'input_audio_buffer.append',
      audio: 'A'.repeat(10_000_000),
    })
    expect((await passed(frame)).sound).toBe(10_000_000)
    // To parse it takes five times as long.
    const parsing = await leastCpuMs(() => JSON.parse(frame), 10)
    expect(await leastCpuMs(() => passed(frame), 10)).toBeLessThan(parsing)
  })
})

test('a picture at an address that is not public is refused', async () => {
  const shown = (image_url: string) => ({
    type: 'conversation.item.create',
    event_id: 'e',
    item: { type: 'message', role: 'user', content: [{ type: 'input_image', image_url }] },
  })
  expect(await refusal(shown('http://169.254.169.254/'))).toEqual(['invalid_field', 'e'])
  expect(await refusal(shown('https://example.com/a.png'))).toBe(null)
})
