import type { Frame } from '../domain/socket'
import { fieldsOf } from '../formats/chat/wire'
import { soundRates, usualRates, type SoundRates } from '../formats/realtime/audio-tokens'
import { deltaChars, eventOf, eventTypeOf } from '../formats/realtime/event-type'
import { readRealtimeUsage } from '../formats/realtime/usage'
import { scrub } from '../vendors/scrub'
import type { Tab } from './tab'
import type { Transcriptions } from './transcriptions'

/** Reads a vendor's events for what they cost. */
export interface VendorEvents {
  /**
   * Takes note of one event that is on its way to the client.
   * @returns what the client is to get: the same, unless the vendor tells of itself in an error
   * @throws the code of the cap that is in the way; the event is not to be sent then
   */
  take(frame: Frame): Frame
  /** Holds money for the next turn when one was billed since. @throws the code of the cap that is in the way */
  cover(): void
  /** Takes in what an event says of a bill, for a client that does not get it any more. */
  bill(frame: Frame): void
  rates(): SoundRates
}

export function openVendorEvents(tab: Tab, transcriptions: Transcriptions): VendorEvents {
  let rates = usualRates
  let coverDue = false

  const billed = (frame: string) => {
    const response = fieldsOf(eventOf(frame)?.['response'])
    tab.billed(readRealtimeUsage(response['usage']), rates)
    coverDue = true
  }
  const transcribed = (frame: string) => {
    transcriptions.done(eventOf(frame)?.['usage'])
    coverDue = true
  }

  const passed = (frame: string, what: 'sound' | 'text') => {
    tab.passed('vendor', what, deltaChars(frame))
    if (tab.coverDue()) tab.cover(rates)
    return frame
  }

  return {
    rates: () => rates,
    cover() {
      if (!coverDue) return
      coverDue = false
      tab.cover(rates)
      transcriptions.cover()
    },
    take(frame) {
      if (typeof frame !== 'string') return frame
      switch (eventTypeOf(frame)) {
        case 'response.output_audio.delta':
        case 'response.audio.delta':
          return passed(frame, 'sound')
        case 'response.output_audio_transcript.delta':
        case 'response.output_text.delta':
        case 'response.function_call_arguments.delta':
        case 'response.audio_transcript.delta':
        case 'response.text.delta':
          return passed(frame, 'text')
        case 'response.created':
          tab.began()
          return frame
        case 'response.done':
          billed(frame)
          return frame
        case 'conversation.item.input_audio_transcription.completed':
          transcribed(frame)
          return frame
        case 'session.created':
        case 'session.updated':
          rates = soundRates(eventOf(frame)?.['session'])
          return frame
        case 'error':
          return scrubbed(frame)
        default:
          return frame
      }
    },
    bill(frame) {
      if (typeof frame !== 'string') return
      const type = eventTypeOf(frame)
      if (type === 'response.done') billed(frame)
      else if (type === 'conversation.item.input_audio_transcription.completed') transcribed(frame)
    },
  }
}

/** A vendor's error without what it says of our account there. */
function scrubbed(frame: string): string {
  const event = eventOf(frame)
  const error = fieldsOf(event?.['error'])
  const { message } = error
  if (event === null || typeof message !== 'string') return frame
  const said = scrub(message)
  return said === message ? frame : JSON.stringify({ ...event, error: { ...error, message: said } })
}
