import type { Usage } from '../../../domain/usage'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { Frames } from '../frames'
import { grownUsage } from '../plausible-usage'
import { openUnits, tokenCount } from '../token-count'
import type { AudioReader } from './audio-reader'

/**
 * Audio in events of the reference: pieces in base64, and at the end what was counted.
 * @see openai/openai-openapi `CreateSpeechResponseStreamEvent`, 2.3.0 of 2026-08-21
 * @param refuse throws the vendor's failure that an event is
 */
export function openSpeechEvents(refuse: (event: Fields) => void): AudioReader {
  const frames = new Frames()
  let done = false
  let usage: Usage | null = null

  const take = (data: string): Uint8Array => {
    const event: unknown = data === '[DONE]' ? {} : JSON.parse(data)
    if (!isFields(event)) throw new Error('event is not a JSON object')
    const { type, audio } = event
    if (type === 'speech.audio.delta' && typeof audio === 'string')
      return Buffer.from(audio, 'base64')
    if (type === 'speech.audio.done') {
      done = true
      const reported = readUsage(event['usage'])
      if (reported !== null) usage = grownUsage(usage, reported)
    } else refuse(event)
    return new Uint8Array()
  }
  const audioIn = (events: readonly string[]) => {
    if (events.length === 0) return null
    return new Uint8Array(Buffer.concat(events.map(take)))
  }

  return {
    push: (piece) => audioIn(frames.push(piece)),
    end: () => audioIn(frames.end()),
    complete: () => done,
    usage: () => usage,
    passed: () => frames.passed(),
    release: () => frames.release(),
  }
}

function readUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  const output = tokenCount(raw, 'output_tokens')
  // Audio of nothing is a count that was not made.
  if (output === 0) return null
  const { units, put } = openUnits()
  put('input', tokenCount(raw, 'input_tokens'))
  put('output_audio', output)
  return { units, reasoning: 0, estimated: false }
}
