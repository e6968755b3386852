import { renderForm } from '../../formats/multipart/render'
import { invalid } from '../../formats/schema-fault'
import { parseTranscript } from '../../formats/transcripts/parse-reply'
import { readReferenceStream } from '../../formats/transcripts/stream'
import { isFields, type Fields } from '../../json/fields'
import { refuseEmbedded } from '../failure'
import type { AudioQuestion, AudioRequest } from '../audio-input'
import type { Target, TranscribeAbility } from '../vendor'

type Field = readonly [name: string, value: string]

/**
 * Transcription in the reference format (openai/openai-openapi `CreateTranscriptionRequest`, 2.3.0 of
 * 2026-08-21).
 */
export const transcribe: TranscribeAbility = {
  translates: true,
  takesExtras: true,
  request: (question, target) => audioForm(question, audioFields(question, target)),
  readReply(text, { model }) {
    const reply: unknown = JSON.parse(text)
    if (!isFields(reply)) throw new Error('reply is not a JSON object')
    if (reply['text'] === undefined) refuseFailure(reply, model)
    return parseTranscript(reply)
  },
  openStream: ({ model }) => readReferenceStream((event) => refuseFailure(event, model)),
}

/** @throws the failure that a reply or an event is */
function refuseFailure(reply: Fields, model: string): void {
  if (reply['error'] === undefined && reply['type'] !== 'error') return
  refuseEmbedded(reply, model)
}

/** The fields of a form to the reference's endpoint, but for the file. */
export function audioFields(question: AudioQuestion, { route, traits }: Target): readonly Field[] {
  const { body, task } = question
  const format = vendorFormat(question)
  const optional: readonly (readonly [string, string | null])[] = [
    ['language', body.language],
    ['prompt', body.prompt],
    ['temperature', body.temperature === null ? null : String(body.temperature)],
    ['stream', requestsStream(question) ? 'true' : null],
  ]
  // Times of words come with the form that has them, and with no other.
  const granularities = format === 'verbose_json' && task === 'transcribe' ? timesOf(question) : []
  return [
    ['model', route.vendorModel],
    ['response_format', format],
    ...optional.flatMap(([name, value]): readonly Field[] =>
      value === null ? [] : [[name, value]],
    ),
    ...granularities.map((each): Field => ['timestamp_granularities[]', each]),
    ...body.extras,
  ].filter(
    ([name]) => traits.drop?.includes(name.replace(/\[.*$/, '')) !== true,
  ) as readonly Field[]
}

/** Segments are wanted for the times of subtitles, also where the client wants words alone. */
const timesOf = ({ body }: AudioQuestion): readonly string[] =>
  body.format === 'verbose_json' && body.granularities.length > 0 ? body.granularities : []

/**
 * Whether to ask for a stream. A model with the form that tells times (whisper-1) ignores `stream` and
 * answers whole.
 */
const requestsStream = ({ body, formats }: AudioQuestion): boolean =>
  body.stream && formats?.includes('verbose_json') !== true

/**
 * Where the model has it the form that tells length and times: the others are made of it.
 * @throws invalid_field for a form that cannot be made of the model's
 */
function vendorFormat({ body: { format }, formats }: AudioQuestion): string {
  if (format === 'diarized_json') {
    if (formats?.includes(format) === false) throw unmade(formats)
    return format
  }
  if (formats?.includes('verbose_json') === true) return 'verbose_json'
  if (format === 'json' || format === 'text') return 'json'
  if (formats === undefined) return 'verbose_json'
  throw unmade(formats)
}

const unmade = (formats: readonly string[]) =>
  invalid('response_format', [...new Set(['json', 'text', ...formats])].join(' | '))

/** Form of a transcription. @returns the request with the recording as the last part of its form */
export function audioForm(
  { file, boundary, task }: AudioQuestion,
  fields: readonly Field[],
): AudioRequest {
  const { filename, contentType } = file
  const form = renderForm(boundary, fields, { name: 'file', filename, contentType })
  return {
    path: task === 'translate' ? '/audio/translations' : '/audio/transcriptions',
    contentType: form.contentType,
    body: [form.before, { file: 'bytes' }, form.after],
  }
}
