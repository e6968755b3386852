import { openGeminiAudio } from '../../formats/gemini/audio'
import { unsupportedValue } from '../../formats/speech/schema'
import type { SpeakAbility } from '../vendor'
import { contentMethod } from './method'
import { refusalsFor } from './refusals'

/**
 * Speech: bare samples, to which a file's header is added here. It gives nothing compressed.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`SpeechConfig`)
 */
export const speech: SpeakAbility = {
  formats: ['wav', 'pcm'],
  request({ input, voice, speed, instructions, streams }, target) {
    if (speed !== 1) throw unsupportedValue('speed', '1')
    const text = instructions === null ? input : `${instructions}: ${input}`
    return {
      method: 'POST',
      path: contentMethod(target, streams),
      contentType: 'application/json',
      body: JSON.stringify({
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
        },
      }),
    }
  },
  openReply: ({ speech: { format }, model, mediaType }) =>
    openGeminiAudio({
      format: format === 'pcm' ? 'pcm' : 'wav',
      events: mediaType.includes('event-stream'),
      ...refusalsFor(model),
    }),
  json: true,
  tokensPerSecond: 32,
}
