import type { Usage } from '../../../domain/usage'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import type { TextStream } from '../hub-stream'
import { segmentsOf } from './cues'
import { parseAudioUsage } from './parse-reply'
import { diarizedSegment, usageFields, type TranscriptForm } from './render'
import type { AudioUsage, Transcript } from './transcript'

/** Event of a vendor's transcript stream. */
export interface TranscriptEvent {
  /** Text since the last event. */
  readonly text: string
  /** An event of the reference, which passes as it is; made of the text where there is none. */
  readonly reported: Fields | null
  /** The whole text, from the event that ends the stream; null as long as it goes on. */
  readonly end: { readonly text: string | null } | null
  readonly usage: AudioUsage | null
  readonly logprobs?: unknown
}

/** A vendor's stream of a transcript. A pure state machine. */
export interface TranscriptReader {
  /** @param data of one event @throws GatewayError a failure that the vendor tells in its stream */
  event(data: string): TranscriptEvent
  /** The connection closed cleanly. @returns the rest, known only at the end; null for none */
  ended(): TranscriptEvent | null
}

interface TranscriptStreamParts {
  readonly reader: TranscriptReader
  readonly wanted: TranscriptForm
  /** Usage so far. @param reported null as long as the vendor has not counted */
  usageOf(reported: AudioUsage | null, text: string): Usage
}

/** A transcript as it is written, in the events of the reference. */
export function openTranscriptStream({
  reader,
  wanted,
  usageOf,
}: TranscriptStreamParts): TextStream {
  let text = ''
  let sent = false
  let done = false
  let whole: string | null = null
  let reported: AudioUsage | null = null
  let logprobs: unknown

  const pass = (said: TranscriptEvent): string => {
    reported = said.usage ?? reported
    text += said.text
    let out = ''
    if (said.reported !== null) out = line(said.reported)
    else if (said.text !== '') out = line({ type: 'transcript.text.delta', delta: said.text })
    if (said.end !== null) {
      done = true
      whole = said.end.text
      logprobs = said.logprobs
      // A vendor may have said nothing before.
      if (!sent && out === '' && whole !== null && whole !== '') {
        text = whole
        out = line({ type: 'transcript.text.delta', delta: whole })
      }
    }
    if (out !== '') sent = true
    return out
  }

  return {
    event: (data) =>
      done || data.trim() === '' || data.trim() === '[DONE]' ? '' : pass(reader.event(data)),
    ended() {
      const last = done ? null : reader.ended()
      return last === null ? '' : pass(last)
    },
    complete: () => done,
    sent: () => sent,
    reportedUsage: () => usageOf(reported, text),
    countedTokens: () => 0,
    close: ({ error, costUsd }) =>
      error === null
        ? line({
            type: 'transcript.text.done',
            text: whole ?? text,
            ...(logprobs === undefined ? {} : { logprobs }),
            usage: usageFields({ usage: reported }, wanted),
            cost_usd: costUsd,
          })
        : line(fieldsOf(error)),
  }
}

/** A whole answer as the events of a stream. @returns the events */
export function passWhole(
  stream: TextStream,
  transcript: Transcript,
  wanted: TranscriptForm,
): string {
  const { text } = transcript
  const events =
    wanted.body.format === 'diarized_json'
      ? segmentsOf(transcript, wanted.seconds).map(diarizedSegment)
      : (text.match(wordGroups) ?? []).map((delta) => ({ type: 'transcript.text.delta', delta }))
  const last = { type: 'transcript.text.done', text }
  return [...events, last].map((each) => stream.event(JSON.stringify(each))).join('')
}

/** Eight words at a time, with what stands between them. */
const wordGroups = /\s*(?:\S+\s*){1,8}/g

const line = (event: Fields): string => `data: ${JSON.stringify(event)}\n\n`

/**
 * The reference's own stream.
 * @param refuse throws the failure that an event is
 * @see openai/openai-openapi `CreateTranscriptionResponseStreamEvent`, 2.3.0 of 2026-08-21
 */
export const readReferenceStream = (refuse: (event: Fields) => void): TranscriptReader => ({
  event(data) {
    const event: unknown = JSON.parse(data)
    if (!isFields(event)) throw new Error('event is not a JSON object')
    refuse(event)
    return readEvent(event)
  },
  ended: () => null,
})

const nothing: TranscriptEvent = { text: '', reported: null, end: null, usage: null }

function readEvent(event: Fields): TranscriptEvent {
  const { type, delta, text, logprobs } = event
  switch (type) {
    case 'transcript.text.delta':
      return typeof delta === 'string'
        ? { ...nothing, text: delta, reported: withoutNoise(event) }
        : nothing
    case 'transcript.text.segment':
      return {
        ...nothing,
        text: typeof text === 'string' ? text : '',
        reported: withoutNoise(event),
      }
    case 'transcript.text.done':
      return {
        ...nothing,
        end: { text: typeof text === 'string' ? text : null },
        usage: parseAudioUsage(event['usage']),
        ...(logprobs === undefined ? {} : { logprobs }),
      }
    default:
      return nothing
  }
}

/** Letters that only make the event longer. */
const withoutNoise = ({ obfuscation: _, ...rest }: Fields): Fields => rest
