import type { Usage } from '../../domain/usage'
import { fieldsOf, isFields, type Fields } from '../chat/wire'
import type { TextStream } from '../hub-stream'
import { segmentsOf } from './cues'
import { parseAudioUsage } from './parse-reply'
import { diarizedSegment, usageFields, type Wanted } from './render'
import type { AudioUsage, Transcript } from './transcript'

/** What an event of a vendor's stream says. */
export interface TranscriptEvent {
  /** What was said since the last one. */
  readonly text: string
  /** An event of the reference, which passes as it is; made of the text where there is none. */
  readonly told: Fields | null
  /** The whole text, from the event that ends the stream; null as long as it goes on. */
  readonly end: { readonly text: string | null } | null
  readonly usage: AudioUsage | null
  readonly logprobs?: unknown
}

export interface TranscriptStreamParts {
  /** @throws GatewayError a failure that the vendor tells in its stream */
  read(event: Fields): TranscriptEvent
  readonly wanted: Wanted
  /** What it comes to by now. @param told null as long as the vendor has not counted */
  usageOf(told: AudioUsage | null, text: string): Usage
}

/** A transcript as it is written, in the events of the reference. */
export function openTranscriptStream({ read, wanted, usageOf }: TranscriptStreamParts): TextStream {
  let text = ''
  let sent = false
  let done = false
  let whole: string | null = null
  let told: AudioUsage | null = null
  let logprobs: unknown

  const event = (data: string): string => {
    if (done || data.trim() === '' || data.trim() === '[DONE]') return ''
    const parsed: unknown = JSON.parse(data)
    if (!isFields(parsed)) throw new Error('an event that is no object')
    const said = read(parsed)
    told = said.usage ?? told
    text += said.text
    let out = ''
    if (said.told !== null) out = line(said.told)
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
    event,
    ended: () => '',
    complete: () => done,
    sent: () => sent,
    toldUsage: () => usageOf(told, text),
    countedTokens: () => 0,
    close: ({ error, costUsd }) =>
      error === null
        ? line({
            type: 'transcript.text.done',
            text: whole ?? text,
            ...(logprobs === undefined ? {} : { logprobs }),
            usage: usageFields({ usage: told }, wanted),
            cost_usd: costUsd,
          })
        : line(fieldsOf(error)),
  }
}

/** An answer that came whole, in the events of a stream. @returns what the client gets at once */
export function passWhole(stream: TextStream, transcript: Transcript, wanted: Wanted): string {
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

/** An event of the reference format. */
export function readTranscriptEvent(event: Fields): TranscriptEvent {
  const { type, delta, text } = event
  const none = { text: '', told: null, end: null, usage: null }
  switch (type) {
    case 'transcript.text.delta':
      return typeof delta === 'string' ? { ...none, text: delta, told: withoutNoise(event) } : none
    case 'transcript.text.segment':
      return { ...none, text: typeof text === 'string' ? text : '', told: withoutNoise(event) }
    case 'transcript.text.done': {
      const { logprobs } = event
      return {
        ...none,
        end: { text: typeof text === 'string' ? text : null },
        usage: parseAudioUsage(event['usage']),
        ...(logprobs === undefined ? {} : { logprobs }),
      }
    }
    default:
      return none
  }
}

/** Letters that only make the event longer. */
const withoutNoise = (event: Fields): Fields => {
  const { obfuscation: _, ...rest } = fieldsOf(event)
  return rest
}
