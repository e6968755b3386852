import { oneTurnBytes, yieldToLoop } from '../../../domain/yield-to-loop'
import { parseCostOf } from '../../json/parse-cost'
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
  async readReply(body, { model }) {
    const refusals = refusalsFor(model)
    await parseCostOf(body)
    const json = decoder.decode(body)
    if (body.byteLength > oneTurnBytes) await yieldToLoop()
    const { media, text } = readMediaEvent(json, refusals)
    const found = media.find(({ mediaType }) => mediaType.startsWith('audio/'))
    if (found === undefined) return refusals.blocked('no audio')
    return { text, format: /\bwav\b/.test(found.mediaType) ? 'wav' : 'mp3', audio: found.bytes }
  },
}
