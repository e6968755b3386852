import { Type } from '@sinclair/typebox'
import { runCall } from '../call/run'
import { speechEndpoint } from '../endpoints/speech/endpoint'
import { audioFormats, audioTypes } from '../media/audio-format'
import { SpeechBody } from '../formats/speech/schema'
import { chargedHeaders, meteredErrors, type RouteDoc } from './reference/doc'
import { DryRunReply } from './reference/generation-schemas'
import type { ApiRoute } from './route'

const file = Type.String({ format: 'binary', description: 'the file, as it is made' })

const doc: RouteDoc = {
  group: 'Generation',
  summary: 'A text, spoken.',
  description: `The audio comes as it is made, without a length. Charged by the characters of
\`input\` (code points), which \`X-Cost-Usd\` tells in front, or by tokens where a model is sold so.
Voices and formats of a model stand in its \`capabilities\`; the first of its formats is given where MP3
is none of them. A voice that breaks off ends with the connection, never in order: what was sent is
charged by the rules of a stream that is cut.`,
  keyed: true,
  request: {
    schema: SpeechBody,
    notes: {
      model: 'an `id` of `GET /v1/models?type=audio_tts`',
      input: 'what is to be said, 4096 characters at most',
      voice: 'one of the model’s `capabilities.voices`',
      instructions: 'tone and manner, for models that take them',
      response_format: '`mp3` unless told otherwise',
      speed: '1 is the voice’s own',
    },
    example: { model: 'sandbox/speak', input: 'سلام دنیا', voice: 'alloy' },
  },
  answers: [
    {
      status: 200,
      description: 'The audio; with `X-Dry-Run`, the estimate.',
      headers: chargedHeaders,
      content: {
        ...Object.fromEntries(audioFormats.map((name) => [audioTypes[name], { schema: file }])),
        'application/json': { schema: DryRunReply },
      },
    },
  ],
  errors: [...meteredErrors, 'missing_input', 'input_too_long'],
}

/** Voices of any vendor. */
export const speech: ApiRoute = {
  method: 'POST',
  path: '/v1/audio/speech',
  doc,
  serve: (parts, inbound) => runCall(parts, speechEndpoint, inbound),
}
