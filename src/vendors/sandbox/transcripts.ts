import { boundaryOf } from '../../formats/multipart/boundary'
import { openMultipart } from '../../formats/multipart/open-multipart'
import { measuredField } from './transcribe'

/** A form that was listened to: its fields, and a number made of the recording. */
export interface HeardForm {
  /** The last of each name. */
  readonly fields: ReadonlyMap<string, string>
  readonly seed: number
}

/** Reads a form to its end and keeps nothing of the recording. @throws Error when it is none */
export async function readHeard(request: Request): Promise<HeardForm> {
  const fields = new Map<string, string>()
  const decoder = new TextDecoder()
  let seed = 0
  let field: string | null = null
  const form = openMultipart(boundaryOf(request.headers.get('content-type')) ?? '', {
    part({ name, filename }) {
      field = filename === null ? name : null
      if (field !== null) fields.set(field, '')
    },
    data(bytes) {
      if (field === null) seed = Bun.hash.crc32(bytes, seed)
      else fields.set(field, (fields.get(field) ?? '') + decoder.decode(bytes, { stream: true }))
    },
    partEnd() {},
  })
  const body: ReadableStream<Uint8Array> | null = request.body
  for await (const piece of body ?? []) form.push(piece)
  form.end()
  return { fields, seed }
}

/** Of each of the lengths that people speak in one breath. */
const sentences = {
  en: [
    'A courier rode from the capital before sunrise.',
    'At every station a fresh horse was waiting.',
    'Neither snow nor rain nor heat stopped the riders.',
    'The letter arrived on the seventh evening.',
    'Nobody asked what was written in it.',
  ],
  fa: [
    'چاپار پیش از سپیده‌دم از پایتخت به راه افتاد.',
    'در هر منزل اسبی تازه‌نفس آماده بود.',
    'نه برف و نه باران و نه گرما راه سواران را نبست.',
    'نامه شامگاه روز هفتم رسید.',
    'هیچ‌کس نپرسید که در آن چه نوشته است.',
  ],
} as const
const sentenceSeconds = 4
/** An hour: a recording's head may tell of any time at all. */
const maxSentences = 900

/**
 * The same words for the same recording, one sentence for every four seconds of it; Persian where
 * that was asked for, English in a translation.
 */
export function transcriptReply({ fields, seed }: HeardForm, isTranslation: boolean): string {
  const duration = Number(fields.get(measuredField) ?? 0)
  const language = fields.get('language') === 'fa' && !isTranslation ? 'fa' : 'en'
  const known = sentences[language]
  const count = Math.min(maxSentences, Math.max(1, Math.ceil(duration / sentenceSeconds)))
  const segments = Array.from({ length: count }, (_, id) => ({
    id,
    seek: 0,
    start: id * sentenceSeconds,
    end: Math.min(duration, (id + 1) * sentenceSeconds),
    text: ` ${known[(seed + id) % known.length] ?? ''}`,
    tokens: [],
    temperature: Number(fields.get('temperature') ?? 0),
    avg_logprob: -0.1,
    compression_ratio: 1,
    no_speech_prob: 0.01,
  }))
  return JSON.stringify({
    task: isTranslation ? 'translate' : 'transcribe',
    language: language === 'fa' ? 'persian' : 'english',
    duration,
    text: segments.map(({ text }) => text.trim()).join(' '),
    segments,
    words: segments.flatMap(wordsOf),
    usage: { type: 'duration', seconds: Math.ceil(duration) },
  })
}

/** Every word takes as long as the others. */
function wordsOf({ start, end, text }: { start: number; end: number; text: string }) {
  const words = text.trim().split(' ')
  const each = (end - start) / words.length
  return words.map((word, at) => ({ word, start: start + at * each, end: start + (at + 1) * each }))
}
