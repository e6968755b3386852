import { fieldsOf, type Fields } from '../../json/fields'

/**
 * Bytes of a second of sound in the channel's formats: 16 bits at 24 kHz, or G.711 at 8 kHz.
 * @see openai/openai-openapi `RealtimeAudioFormats`, 2.3.0 of 2026-08-21
 */
const bytesPerSecond: Readonly<Record<string, number>> = {
  'audio/pcm': 48_000,
  'audio/pcmu': 8_000,
  'audio/pcma': 8_000,
}
const usualFormat = 'audio/pcm'

/**
 * Tokens that vendors count for a second of sound: one for 100 ms of it heard, for 50 ms spoken.
 * @see https://developers.openai.com/api/docs/guides/realtime-costs, November 2026
 */
const inputPerSecond = 10
const outputPerSecond = 20
const charsPerToken = 4

/** Bytes per second of a session's sounds, by its formats. */
export interface SoundRates {
  readonly heardBytesPerSecond: number
  readonly spokenBytesPerSecond: number
}

/** Rates of a session that names no formats. */
export const usualRates: SoundRates = {
  heardBytesPerSecond: bytesPerSecond[usualFormat] ?? 0,
  spokenBytesPerSecond: bytesPerSecond[usualFormat] ?? 0,
}

/** Rates of a session's sounds. @param session of `session.created` or `session.updated` */
export function soundRates(session: unknown): SoundRates {
  const audio = fieldsOf(fieldsOf(session)['audio'])
  return {
    heardBytesPerSecond: bytesOf(fieldsOf(audio['input'])),
    spokenBytesPerSecond: bytesOf(fieldsOf(audio['output'])),
  }
}

function bytesOf({ format }: Fields): number {
  const { type } = fieldsOf(format)
  return (
    bytesPerSecond[typeof type === 'string' ? type : usualFormat] ?? usualRates.heardBytesPerSecond
  )
}

const secondsOf = (base64Chars: number, rate: number): number => (base64Chars * 3) / 4 / rate

/** Tokens of a client's sound. @param base64Chars length of its base64 */
export const inputAudioTokens = (base64Chars: number, rates: SoundRates): number =>
  Math.ceil(secondsOf(base64Chars, rates.heardBytesPerSecond) * inputPerSecond)

/** Tokens of a vendor's sound. @param base64Chars length of its base64 */
export const outputAudioTokens = (base64Chars: number, rates: SoundRates): number =>
  Math.ceil(secondsOf(base64Chars, rates.spokenBytesPerSecond) * outputPerSecond)

/** Tokens of a text, by its length alone. */
export const textTokens = (chars: number): number => Math.ceil(chars / charsPerToken)

/** Seconds of sound that were counted in tokens, and the other way round. */
export const secondsOfTokens = (tokens: number): number => tokens / inputPerSecond
/** Tokens of a client's sound, by its seconds. */
export const tokensOfSeconds = (seconds: number): number => Math.ceil(seconds * inputPerSecond)
