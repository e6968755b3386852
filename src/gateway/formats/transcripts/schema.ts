import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler'
import { firstFault, invalid, modelFault } from '../schema-fault'
import { field, wordField } from '../field'

const transcriptFormats = ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] as const
type TranscriptFormat = (typeof transcriptFormats)[number]

const both = {
  model: Type.String({ minLength: 1, maxLength: 256 }),
  prompt: field(Type.String(), 'a string'),
  temperature: field(Type.Number({ minimum: 0, maximum: 2 }), 'a number from 0 to 2'),
}

const transcription = {
  ...both,
  response_format: wordField(transcriptFormats),
  language: field(
    Type.String({ pattern: '^[A-Za-z]{2,12}(?:[-_][A-Za-z0-9]{2,8}){0,3}$' }),
    'a language code such as fa',
  ),
  timestamp_granularities: field(
    Type.Array(Type.Union([Type.Literal('word'), Type.Literal('segment')])),
    'word | segment',
  ),
  stream: field(Type.Boolean(), 'true or false'),
}

const translation = {
  ...both,
  response_format: wordField(['json', 'text', 'srt', 'verbose_json', 'vtt']),
}

/** File of a form; checked where it is read. */
const file = { file: Type.String({ format: 'binary' }) }

/**
 * A recording to be written down. A title names it in the document of the interface.
 * @see openai/openai-openapi `CreateTranscriptionRequest`, `CreateTranslationRequest`, 2.3.0 of 2026-08-21
 */
export const TranscriptionForm = Type.Object(
  { ...file, ...transcription },
  { additionalProperties: true, title: 'TranscriptionRequest' },
)

/** A recording to be written down in English. */
export const TranslationForm = Type.Object(
  { ...file, ...translation },
  { additionalProperties: true, title: 'TranslationRequest' },
)

const TranscriptionBody = Type.Object(transcription, { additionalProperties: true })
const TranslationBody = Type.Object(translation, { additionalProperties: true })

export type AudioTask = 'transcribe' | 'translate'

/** A checked form, without its file. */
export interface AudioBody {
  readonly model: string
  readonly format: TranscriptFormat
  readonly language: string | null
  readonly prompt: string | null
  readonly temperature: number | null
  readonly granularities: readonly ('word' | 'segment')[]
  readonly stream: boolean
  /** Fields of the reference that only some vendors know, as they were sent. */
  readonly extras: readonly (readonly [name: string, value: string])[]
}

const extras: ReadonlySet<string> = new Set([
  'chunking_strategy',
  'include',
  'known_speaker_names',
  'known_speaker_references',
  'languages',
  'keywords',
])

/** Of these, what asks for more than the text: who sends it waits for it. */
const demanded = ['include', 'known_speaker_names', 'known_speaker_references']

/** The field that a vendor without such fields cannot be asked; null for none. */
export const demandedExtra = ({ extras: sent }: AudioBody): string | null =>
  demanded.find((name) => sent.some(([each]) => each.replace(/\[.*$/, '') === name)) ?? null

const checks: Readonly<
  Record<AudioTask, TypeCheck<typeof TranscriptionBody | typeof TranslationBody>>
> = {
  transcribe: TypeCompiler.Compile(TranscriptionBody),
  translate: TypeCompiler.Compile(TranslationBody),
}

/**
 * Checks the form of a transcription.
 * @param sent the fields of the form; a list comes as a name several times, with brackets or without
 * @throws missing_model | invalid_model | invalid_field
 */
export function checkAudioBody(
  sent: readonly (readonly [name: string, value: string])[],
  task: AudioTask,
): AudioBody {
  const value: Record<string, unknown> = {}
  const passed: (readonly [string, string])[] = []
  for (const [name, text] of sent) {
    const plain = name.replace(/\[.*$/, '')
    if (extras.has(plain)) passed.push([name, text])
    else if (plain === 'timestamp_granularities')
      value[plain] = [...listAt(value, plain), ...text.split(',').map((each) => each.trim())]
    else {
      const read = readers.get(name)
      if (read !== undefined) value[name] = read(text)
    }
  }
  const wrong = modelFault(value['model'])
  if (wrong !== null) throw wrong
  const check = checks[task]
  if (!check.Check(value)) {
    const { param, expected } = firstFault(check, value)
    throw invalid(param.replace(/\[\d+\]$/, ''), expected)
  }
  return bodyOf(value, passed, task)
}

function bodyOf(
  value: Static<typeof TranscriptionBody>,
  passed: AudioBody['extras'],
  task: AudioTask,
): AudioBody {
  const format = value.response_format ?? 'json'
  const isWritten = task === 'transcribe'
  return {
    model: value.model,
    format,
    language: (isWritten ? value.language : null) ?? null,
    prompt: value.prompt ?? null,
    temperature: value.temperature ?? null,
    granularities: (isWritten ? value.timestamp_granularities : null) ?? [],
    // The reference ignores it where the answer has another form than text.
    stream: isWritten && value.stream === true && streamed.has(format),
    extras: isWritten ? passed : [],
  }
}

const streamed: ReadonlySet<string> = new Set(['json', 'text', 'diarized_json'])

const listAt = (value: Record<string, unknown>, name: string): readonly unknown[] => {
  const list = value[name]
  return Array.isArray(list) ? list : []
}

/** A form has only texts; what is no number or no truth value stays one, and is refused. */
const numberOr = (text: string): unknown =>
  /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : text
const truthOr = (text: string): unknown =>
  /^(?:true|1)$/i.test(text) ? true : /^(?:false|0)$/i.test(text) ? false : text
/** Empty for what is not set in a page's form; official clients leave such a field out. */
const textOr = (text: string): unknown => (text === '' ? null : text)

const readers: ReadonlyMap<string, (text: string) => unknown> = new Map([
  ['model', (text) => text],
  ['prompt', textOr],
  ['language', textOr],
  ['response_format', textOr],
  ['temperature', (text) => (text === '' ? null : numberOr(text))],
  ['stream', (text) => (text === '' ? null : truthOr(text))],
])
