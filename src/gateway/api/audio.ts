import { Type } from '@sinclair/typebox'
import { openAudioEndpoint } from '../endpoints/transcription/endpoint'
import { runCall } from '../call/run'
import { TranscriptionForm, TranslationForm, type AudioTask } from '../formats/transcripts/schema'
import { chargedHeaders, streamedErrors, type RouteDoc } from './reference/doc'
import { DryRunReply, TranscriptReply, VerboseTranscript } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const errors = [...streamedErrors, 'missing_file'] as const

const notes = {
  file: 'at most 25 MB: mp3, mp4, m4a, wav, webm, ogg or flac',
  model: 'an `id` of `GET /v1/models?type=audio_stt`',
  prompt: 'words that are hard to hear: names, terms',
  response_format: '`srt` and `vtt` are subtitles; `verbose_json` has the times too',
} as const

const answers: RouteDoc['answers'] = [
  {
    status: 200,
    description: 'What was said, in the form asked for; with `X-Dry-Run`, the estimate.',
    headers: chargedHeaders,
    content: {
      'application/json': {
        schema: Type.Union([TranscriptReply, VerboseTranscript, DryRunReply]),
      },
      'text/plain': { schema: Type.String() },
      'application/x-subrip': { schema: Type.String() },
      'text/vtt': { schema: Type.String() },
      'text/event-stream': { schema: Type.String() },
    },
  },
]

const charging = `Charged by the length that the vendor counted, or by the tokens it counted where the model
is sold by tokens. Before the vendor is asked, as much is set aside as the file's own head tells.`

const serving =
  (task: AudioTask): ApiRoute['serve'] =>
  async (parts, inbound) => {
    const endpoint = openAudioEndpoint(task, parts.spool)
    try {
      return await runCall(parts, endpoint, inbound)
    } finally {
      endpoint.close()
    }
  }

/** Transcription of a recording. */
export const transcriptions: ApiRoute = {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  doc: {
    group: 'Generation',
    summary: 'What is said in a recording.',
    description: `${charging} Subtitles are made also where the vendor gives only the times of words.`,
    keyed: true,
    request: {
      schema: TranscriptionForm,
      contentType: 'multipart/form-data',
      notes: {
        ...notes,
        language: 'of what is said, such as `fa`',
        timestamp_granularities: 'what has times in `verbose_json`; segments unless told',
        stream: 'events as the text is written; only with `json`, `text` and `diarized_json`',
      },
    },
    answers,
    errors,
  },
  serve: serving('transcribe'),
}

/** Translation of a recording into English. */
export const translations: ApiRoute = {
  method: 'POST',
  path: '/v1/audio/translations',
  doc: {
    group: 'Generation',
    summary: 'What is said in a recording, in English.',
    description: `${charging} Models that can tell it in \`capabilities.translation\`.`,
    keyed: true,
    request: { schema: TranslationForm, contentType: 'multipart/form-data', notes },
    answers,
    errors,
  },
  serve: serving('translate'),
}
