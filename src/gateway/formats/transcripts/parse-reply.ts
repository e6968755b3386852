import { inputUnits, type Units } from '../../../domain/usage'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import type { AudioUsage, Segment, Transcript, Word } from './transcript'

/**
 * A transcript in the reference format, any of its JSON forms.
 * @throws Error when it is none
 * @see openai/openai-openapi `CreateTranscriptionResponseVerboseJson`, `…DiarizedJson`, `…Json`, 2.3.0 of
 *   2026-08-21
 */
export function parseTranscript(reply: Fields): Transcript {
  const { text, language, logprobs } = reply
  if (typeof text !== 'string') throw new Error('reply without transcript')
  const seconds = lengthOf(reply['duration'])
  return {
    text,
    language: typeof language === 'string' && language !== '' ? language : null,
    seconds,
    segments: listOf(reply['segments']).flatMap(segmentOf),
    words: listOf(reply['words']).flatMap(wordOf),
    usage:
      parseAudioUsage(reply['usage']) ?? (seconds === null ? null : { kind: 'seconds', seconds }),
    ...(Array.isArray(logprobs) ? { logprobs } : {}),
  }
}

/** Seconds of a number; some vendors write numbers as texts. */
export function secondsOf(value: unknown): number | null {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof seconds === 'number' && seconds >= 0 && Number.isFinite(seconds) ? seconds : null
}

/** No recording that is taken lasts longer. */
const maxSeconds = 48 * 3600

/** A length of nothing is what a vendor says that does not know it; one of weeks cannot be true. */
export function lengthOf(value: unknown): number | null {
  const seconds = secondsOf(value)
  return seconds === null || seconds === 0 || seconds > maxSeconds ? null : seconds
}

function segmentOf(value: unknown): readonly Segment[] {
  if (!isFields(value)) return []
  const { text, speaker } = value
  const start = secondsOf(value['start'])
  const end = secondsOf(value['end'])
  if (start === null || end === null || typeof text !== 'string') return []
  const reported =
    isFields(value) && value['seek'] !== undefined ? { reported: value } : diarizedReported(value)
  return [{ start, end, text, ...(typeof speaker === 'string' ? { speaker } : {}), ...reported }]
}

const diarizedReported = (value: Fields): { reported?: Fields } =>
  value['type'] === 'transcript.text.segment' ? { reported: value } : {}

function wordOf(value: unknown): readonly Word[] {
  const { word, start, end } = fieldsOf(value)
  const from = secondsOf(start)
  const to = secondsOf(end)
  return typeof word === 'string' && from !== null && to !== null
    ? [{ word, start: from, end: to }]
    : []
}

/**
 * Tokens or seconds (`TranscriptTextUsageTokens`, `TranscriptTextUsageDuration`); null when the vendor
 * tells nothing.
 */
export function parseAudioUsage(value: unknown): AudioUsage | null {
  const usage = fieldsOf(value)
  const seconds = lengthOf(usage['seconds'] ?? usage['prompt_audio_seconds'])
  if (seconds !== null) return { kind: 'seconds', seconds }
  const input = usage['input_tokens']
  const output = usage['output_tokens']
  if (!isCount(input) || !isCount(output)) return null
  const { audio_tokens: audio, text_tokens: text } = fieldsOf(usage['input_token_details'])
  // Where it does not tell them apart, all it was given is sound.
  const words = isCount(text)
    ? Math.min(text, input)
    : isCount(audio)
      ? Math.max(0, input - audio)
      : 0
  return tokenUsage({ input: words, input_audio: input - words, output })
}

/** Usage in tokens, in the reference's shape too. @param units disjoint */
export function tokenUsage(units: Units): AudioUsage {
  const input = inputUnits(units)
  const audio = (units.input_audio ?? 0) + (units.cached_input_audio ?? 0)
  const output = outputUnits(units)
  const reported = {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { text_tokens: input - audio, audio_tokens: audio },
    output_tokens: output,
    total_tokens: input + output,
  }
  return { kind: 'tokens', units, reported }
}

const outputUnits = ({ output = 0, output_audio: audio = 0, output_image: image = 0 }: Units) =>
  output + audio + image
