import { readMediaEvent } from '../../formats/gemini/media'
import type { MusicAbility } from '../vendor'
import { contentMethod } from './method'
import { refusalsFor } from './refusals'

const decoder = new TextDecoder()

/**
 * Whole pieces, with the words that are sung. How long they are is the model's own.
 * @see ai.google.dev, music generation (Lyria 3), November 2026
 */
export const music: MusicAbility = {
  request({ body: { prompt, temperature, seed } }, target) {
    return {
      method: 'POST',
      path: contentMethod(target, false),
      contentType: 'application/json',
      body: JSON.stringify({
        contents: [{ role: 'user', parts: [{ text: prompt }] }],
        generationConfig: {
          responseModalities: ['AUDIO', 'TEXT'],
          ...(typeof temperature === 'number' ? { temperature } : {}),
          ...(typeof seed === 'number' ? { seed } : {}),
        },
      }),
    }
  },
  readReply(body, { model }) {
    const refusals = refusalsFor(model)
    const { media, text } = readMediaEvent(decoder.decode(body), refusals)
    const found = media.find(({ mediaType }) => mediaType.startsWith('audio/'))
    if (found === undefined) return refusals.blocked('no audio')
    return { text, format: /\bwav\b/.test(found.mediaType) ? 'wav' : 'mp3', audio: found.bytes }
  },
}
