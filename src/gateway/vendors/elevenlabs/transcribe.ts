import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { renderForm } from '../../formats/multipart/render'
import { lengthOf, secondsOf } from '../../formats/transcripts/parse-reply'
import type { Word } from '../../formats/transcripts/transcript'
import type { TranscribeAbility } from '../vendor'

/**
 * Transcription with word times.
 * @see vercel/ai `packages/elevenlabs` of 2026-08-22, `POST /v1/speech-to-text`
 */
export const transcribe: TranscribeAbility = {
  translates: false,
  request({ body, file, boundary }, { route }) {
    const { filename, contentType } = file
    const form = renderForm(
      boundary,
      [
        ['model_id', route.vendorModel],
        ['timestamps_granularity', 'word'],
        // Laughter and steps are no words.
        ['tag_audio_events', 'false'],
        ...(body.format === 'diarized_json' ? ([['diarize', 'true']] as const) : []),
        ...(body.language === null ? [] : ([['language_code', body.language]] as const)),
        ...(body.temperature === null
          ? []
          : ([['temperature', String(body.temperature)]] as const)),
      ],
      { name: 'file', filename, contentType },
    )
    return {
      path: '/speech-to-text',
      contentType: form.contentType,
      body: [form.before, { file: 'bytes' }, form.after],
    }
  },
  readReply(text) {
    const reply = fieldsOf(JSON.parse(text))
    const { text: said, language_code: language } = reply
    if (typeof said !== 'string') throw new Error('reply without transcript')
    const seconds = lengthOf(reply['audio_duration_secs'])
    return {
      text: said,
      language: typeof language === 'string' ? language : null,
      seconds,
      segments: [],
      words: listOf(reply['words']).filter(isFields).flatMap(wordOf),
      usage: seconds === null ? null : { kind: 'seconds', seconds },
    }
  },
}

/** Blanks and sounds are entries of their own. */
function wordOf({ text, start, end, type, speaker_id: speaker }: Fields): readonly Word[] {
  const from = secondsOf(start)
  const to = secondsOf(end)
  if (type !== 'word' || typeof text !== 'string' || from === null || to === null) return []
  return [{ word: text, start: from, end: to, ...speakerOf(speaker) }]
}

/** `speaker_0` as `A`. */
function speakerOf(id: unknown): { readonly speaker?: string } {
  const number = typeof id === 'string' ? /(\d+)$/.exec(id)?.[1] : undefined
  return number === undefined ? {} : { speaker: String.fromCharCode(65 + (Number(number) % 26)) }
}
