import type { Frame } from '../../net/socket'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import {
  inputAudioTokens,
  soundRates,
  usualRates,
  type SoundRates,
} from '../../formats/realtime/audio-tokens'
import { deltaChars, eventOf, eventTypeOf } from '../../formats/realtime/event-type'
import { readRealtimeUsage } from '../../formats/realtime/usage'
import { scrub } from '../../vendors/scrub'
import type { RunningBill } from './running-bill'
import type { Transcriptions } from './transcriptions'

/** Reads a vendor's events for their cost. */
export class VendorEvents {
  #rates = usualRates
  #coverDue = false
  /** Of the answer that was billed last, as long as no other one begins: its end may be sent again. */
  #answer: unknown
  /** Of the transcription that was billed last, as long as nothing more is said. */
  #transcript: string | null = null
  readonly #bill: RunningBill
  readonly #transcriptions: Transcriptions

  constructor(bill: RunningBill, transcriptions: Transcriptions) {
    this.#bill = bill
    this.#transcriptions = transcriptions
  }

  rates(): SoundRates {
    return this.#rates
  }

  /** Holds money for the next turn when one was billed since. @throws the code of the cap that is in the way */
  cover(): void {
    if (!this.#coverDue) return
    this.#coverDue = false
    this.#bill.cover(this.#rates)
    this.#transcriptions.cover()
  }

  /** Bills an event for a client that does not get it any more. */
  bill(frame: Frame): void {
    if (typeof frame !== 'string') return
    const type = eventTypeOf(frame)
    if (type === 'response.done') this.#billed(frame)
    else if (type === 'conversation.item.input_audio_transcription.completed')
      this.#transcribed(frame)
  }

  /**
   * Takes note of one event that is on its way to the client.
   * @returns what the client is to get: the same, unless the vendor tells of itself in an error
   * @throws the code of the cap that is in the way; the event is not to be sent then
   */
  take(frame: Frame): Frame {
    if (typeof frame !== 'string') return frame
    switch (eventTypeOf(frame)) {
      case 'response.output_audio.delta':
      case 'response.audio.delta':
        this.#passed('sound', frame)
        return frame
      case 'response.output_audio_transcript.delta':
      case 'response.output_text.delta':
      case 'response.function_call_arguments.delta':
      case 'response.audio_transcript.delta':
      case 'response.text.delta':
        this.#passed('text', frame)
        return frame
      case 'input_audio_buffer.speech_started':
        this.#bill.heard('speech')
        return frame
      case 'input_audio_buffer.cleared':
        this.#bill.heard('nothing')
        return frame
      case 'input_audio_buffer.committed':
        this.#committed(frame)
        return frame
      case 'response.created':
        this.#answer = undefined
        this.#bill.began()
        this.#coverDue = true
        return frame
      case 'response.done':
        this.#billed(frame)
        return frame.includes('"failed"') ? scrubbed(frame) : frame
      case 'conversation.item.input_audio_transcription.delta':
        this.#transcriptions.passed(eventOf(frame)?.['item_id'], deltaChars(frame))
        return frame
      case 'conversation.item.input_audio_transcription.completed':
        this.#transcribed(frame)
        return frame
      case 'session.updated':
        this.#transcriptions.chosen()
        return this.#sessionOf(frame)
      case 'session.created':
        return this.#sessionOf(frame)
      case 'error':
      case 'conversation.item.input_audio_transcription.failed':
        return scrubbed(frame)
      default:
        return frame
    }
  }

  #passed(what: 'sound' | 'text', frame: string): void {
    if (this.#bill.coverDue()) this.#bill.cover(this.#rates)
    this.#bill.passed('vendor', what, deltaChars(frame))
  }

  #committed(frame: string): void {
    const item = eventOf(frame)?.['item_id']
    this.#transcript = null
    this.#transcriptions.committed(item, inputAudioTokens(this.#bill.heard('said'), this.#rates))
    this.#coverDue = true
  }

  #billed(frame: string): void {
    const { id, usage } = fieldsOf(eventOf(frame)?.['response'])
    if (id !== undefined && id === this.#answer) return
    this.#answer = id
    this.#bill.billed(readRealtimeUsage(usage), this.#rates)
    this.#coverDue = true
  }

  #transcribed(frame: string): void {
    const event = fieldsOf(eventOf(frame))
    const { item_id: item, content_index: part, usage, transcript } = event
    const name = item === undefined ? null : JSON.stringify([item, part])
    if (name !== null && name === this.#transcript) return
    this.#transcript = name
    this.#transcriptions.done(item, usage, typeof transcript === 'string' ? transcript.length : 0)
    this.#coverDue = true
  }

  #sessionOf(frame: string): string {
    const event = eventOf(frame)
    const session = fieldsOf(event?.['session'])
    this.#rates = soundRates(session)
    // A secret that opens sockets at the vendor itself, at our cost.
    if (event === null || !isFields(session['client_secret'])) return frame
    const { client_secret: _, ...told } = session
    return JSON.stringify({ ...event, session: told })
  }
}

/** A vendor's error, also of one answer, without its words on our account there. */
function scrubbed(frame: string): string {
  const event = eventOf(frame)
  if (event === null) return frame
  const error = scrubbedError(event['error'])
  if (error !== null) return JSON.stringify({ ...event, error })
  const response = fieldsOf(event['response'])
  const details = fieldsOf(response['status_details'])
  const inside = scrubbedError(details['error'])
  if (inside === null) return frame
  const status_details = { ...details, error: inside }
  return JSON.stringify({ ...event, response: { ...response, status_details } })
}

/** @returns null when it may be told as it is */
function scrubbedError(raw: unknown): Fields | null {
  const error = fieldsOf(raw)
  const { message } = error
  if (typeof message !== 'string') return null
  const said = scrub(message)
  return said === message ? null : { ...error, message: said }
}
