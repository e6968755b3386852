import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { lengthOf, secondsOf } from '../../formats/transcripts/parse-reply'
import type { Word } from '../../formats/transcripts/transcript'
import type { TranscribeAbility } from '../vendor'

/**
 * Transcription with word times; the recording is the whole body.
 * @see deepgram/deepgram-api-specs, `POST /v1/listen`
 */
export const transcribe: TranscribeAbility = {
  translates: false,
  // Diarization is an add-on by the minute (deepgram.com/pricing, November 2026).
  billsSpeakers: true,
  request({ body, file }, { route }) {
    const query = new URLSearchParams({
      model: route.vendorModel,
      smart_format: 'true',
      punctuate: 'true',
    })
    if (body.language === null || isSeveral(body.language)) query.set('detect_language', 'true')
    else query.set('language', body.language)
    if (body.format === 'diarized_json') query.set('diarize', 'true')
    return {
      path: `/listen?${query.toString()}`,
      contentType: file.contentType,
      body: [{ file: 'bytes' }],
    }
  },
  readReply(text, { body }) {
    const reply = fieldsOf(JSON.parse(text))
    const channel = fieldsOf(listOf(fieldsOf(reply['results'])['channels'])[0])
    const best = fieldsOf(listOf(channel['alternatives'])[0])
    const { transcript } = best
    if (typeof transcript !== 'string') throw new Error('reply without transcript')
    const seconds = lengthOf(fieldsOf(reply['metadata'])['duration'])
    const language = channel['detected_language']
    return {
      text: transcript,
      language: typeof language === 'string' ? language : body.language,
      seconds,
      segments: [],
      words: listOf(best['words']).filter(isFields).flatMap(wordOf),
      usage: seconds === null ? null : { kind: 'seconds', seconds },
    }
  },
}

/** `multi` is no language, and is billed at another price (deepgram.com/pricing, November 2026). */
const isSeveral = (language: string): boolean => language.toLowerCase() === 'multi'

function wordOf({ word, punctuated_word: shown, start, end, speaker }: Fields): readonly Word[] {
  const from = secondsOf(start)
  const to = secondsOf(end)
  const said = typeof shown === 'string' ? shown : word
  if (typeof said !== 'string' || from === null || to === null) return []
  const named =
    typeof speaker === 'number' ? { speaker: String.fromCharCode(65 + (speaker % 26)) } : {}
  return [{ word: said, start: from, end: to, ...named }]
}
