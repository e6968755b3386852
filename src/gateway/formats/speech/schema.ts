import { Type, type Static } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { checkFields, checkGiven, checkLength, checkNamed } from '../check-body'
import { field, wordField } from '../field'
import { audioFormats, type AudioFormat } from '../../media/audio-format'
import { GatewayError } from '../../../errors/gateway-error'

/** Longest text that is said, in characters. */
const maxInputCharacters = 4096

/**
 * A request for speech; what we do not know passes to vendors of the same format.
 * @see openai/openai-openapi `CreateSpeechRequest`, 2.3.0 of 2026-08-21
 */
export const SpeechBody = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 256 }),
    input: Type.String({ minLength: 1, description: 'a non-empty string' }),
    voice: Type.Union(
      [
        Type.String({ minLength: 1, maxLength: 256 }),
        Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) }),
      ],
      { description: 'a non-empty string, or an object with id' },
    ),
    instructions: field(Type.String({ maxLength: 4096 }), 'a string of at most 4096 characters'),
    response_format: wordField(audioFormats),
    speed: field(Type.Number({ minimum: 0.25, maximum: 4 }), 'a number from 0.25 to 4'),
    // Events would be other bytes than the file that is given here.
    stream_format: wordField(['audio']),
  },
  // Names it in the document of the interface.
  { additionalProperties: true, title: 'SpeechRequest' },
)
export type SpeechBody = Static<typeof SpeechBody>

/** Requested speech, in terms of the chosen model. */
export interface Speech {
  readonly input: string
  /** The catalogue's spelling, or the vendor's id of a voice. */
  readonly voice: string
  readonly format: AudioFormat
  /** One is the voice's own. */
  readonly speed: number
  /** Tone and manner. */
  readonly instructions: string | null
  /** The model hands its audio out while it makes it. */
  readonly streams: boolean
  /** As the client sent it. */
  readonly body: SpeechBody
}

const compiled = TypeCompiler.Compile(SpeechBody)

/**
 * Checks a request for speech.
 * @throws invalid_field | missing_model | invalid_model | missing_input | input_too_long
 */
export function checkSpeechBody(value: unknown): SpeechBody {
  checkNamed(value)
  checkGiven(value, 'input')
  checkLength(value, 'input', maxInputCharacters)
  checkFields(compiled, value)
  return value
}

/**
 * A field that the interface knows and this vendor or model does not take so. The vendor would refuse
 * it too: it need not be asked.
 * @param allowed what it takes, for the message
 */
export const unsupportedValue = (param: string, allowed: string): GatewayError =>
  new GatewayError('upstream_rejected', { said: `${param} must be ${allowed}` }, { param })
