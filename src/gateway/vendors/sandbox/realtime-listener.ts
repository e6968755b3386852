import { fieldsOf, isFields, type Fields } from '../../json/fields'
import type { Saying } from './realtime-answer'
import type { Memory } from './realtime-memory'
import { sandboxInputTokens, isSilent, secondsOf } from './realtime-sound'
import { countSandboxTokens } from './tokens'

/** Hears sound, and where the session wants it tells by itself when somebody has finished speaking. */
interface Listener {
  /** @param audio base64 */
  append(audio: string): void
  /** @returns false when there is nothing */
  commit(): boolean
  clear(): void
}

interface ListenerParts {
  say(saying: Saying): void
  readonly memory: Memory
  session(): Fields
  respond(): void
}

const usualSilenceMs = 500

export function openListener({ say, memory, session, respond }: ListenerParts): Listener {
  /** Seconds not committed yet; null for none. */
  let pendingSeconds: number | null = null
  let heardSeconds = 0
  let silentSeconds = 0
  let speaking = false

  const commit = (): boolean => {
    if (pendingSeconds === null) return false
    const seconds = pendingSeconds
    pendingSeconds = null
    const previous = memory.lastId()
    const content = [{ type: 'input_audio', transcript: null }]
    const item = memory.add({ type: 'message', role: 'user', content }, seconds)
    const about = { previous_item_id: previous, item_id: item['id'] }
    say({ type: 'input_audio_buffer.committed', ...about })
    say({ type: 'conversation.item.added', previous_item_id: previous, item })
    say({ type: 'conversation.item.done', previous_item_id: previous, item })
    if (isFields(inputOf(session())['transcription'])) say(transcribed(item, seconds))
    return true
  }

  return {
    append(audio) {
      const sound = Buffer.from(audio, 'base64')
      const seconds = secondsOf(sound)
      pendingSeconds = (pendingSeconds ?? 0) + seconds
      heardSeconds += seconds
      const detection = inputOf(session())['turn_detection']
      if (!isFields(detection)) return
      const silent = isSilent(sound)
      silentSeconds = silent ? silentSeconds + seconds : 0
      const audio_ms = Math.round(heardSeconds * 1000)
      if (!silent && !speaking) {
        speaking = true
        say({ type: 'input_audio_buffer.speech_started', audio_start_ms: audio_ms })
      }
      const longest = Number(detection['silence_duration_ms'] ?? usualSilenceMs) / 1000
      if (!speaking || silentSeconds < longest) return
      speaking = false
      say({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: audio_ms })
      commit()
      if (detection['create_response'] !== false) respond()
    },
    commit,
    clear() {
      pendingSeconds = null
      speaking = false
      say({ type: 'input_audio_buffer.cleared' })
    },
  }
}

const inputOf = (session: Fields): Fields => fieldsOf(fieldsOf(session['audio'])['input'])

function transcribed(item: Fields, seconds: number): Saying {
  const transcript = `${seconds.toFixed(1)} seconds of sound`
  const [input, output] = [sandboxInputTokens(seconds), countSandboxTokens(transcript)]
  return {
    type: 'conversation.item.input_audio_transcription.completed',
    item_id: item['id'],
    content_index: 0,
    transcript,
    usage: {
      type: 'tokens',
      total_tokens: input + output,
      input_tokens: input,
      input_token_details: { text_tokens: 0, audio_tokens: input },
      output_tokens: output,
    },
  }
}
