import { plainAudio } from '../../formats/speech/audio-reader'
import { openSpeechEvents } from '../../formats/speech/speech-events'
import { refuseEmbedded } from '../failure'
import type { SpeakAbility } from '../vendor'
import { dialectOf } from './shape-request'

/** Never the client's: it tells who he is, or asks for another form of answer. */
const neverPassed: ReadonlySet<string> = new Set([
  'user',
  'safety_identifier',
  'stream',
  'stream_format',
])

/** Speech in the reference format (openai/openai-openapi `CreateSpeechRequest`, 2.3.0 of 2026-08-21). */
export const speech: SpeakAbility = {
  request({ body, voice, format }, { route, config, traits, sells }) {
    const passed = Object.entries(body).filter(
      ([name, value]) =>
        value !== null && !neverPassed.has(name) && traits.drop?.includes(name) !== true,
    )
    // Only events tell how many tokens were made; who sells by the character has none of them.
    const inEvents = sells('output_audio') && dialectOf(config.dialect).responses?.passes === 'all'
    return {
      method: 'POST',
      path: '/audio/speech',
      contentType: 'application/json',
      body: JSON.stringify({
        ...Object.fromEntries(passed),
        model: route.vendorModel,
        ...(typeof body.voice === 'string' ? { voice } : {}),
        response_format: format,
        ...(inEvents ? { stream_format: 'sse' } : {}),
      }),
    }
  },
  openReply: ({ mediaType, model }) =>
    mediaType.includes('event-stream')
      ? openSpeechEvents((event) => refuseEmbedded(event, model))
      : plainAudio(),
  tokensPerSecond: 20,
}
