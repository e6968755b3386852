import { embeddedFailure } from '../failure'
import type { Vendor, MusicAbility } from '../vendor'
import { elevenLabsFailure } from './failure'
import { speech } from './speech'
import { transcribe } from './transcribe'

/** Pieces of a length that is asked for: it is what they are paid by there. */
const ordinarySeconds = 60

/** Whole pieces as MP3 files (`POST /v1/music`). It knows neither temperature nor seed. */
const music: MusicAbility = {
  request: ({ body, seconds }, { route }) => ({
    method: 'POST',
    path: '/music?output_format=mp3_44100_128',
    contentType: 'application/json',
    body: JSON.stringify({
      prompt: body.prompt,
      music_length_ms: (seconds ?? ordinarySeconds) * 1000,
      model_id: route.vendorModel,
    }),
  }),
  readReply(audio, { mediaType }) {
    if (!mediaType.startsWith('audio/') || audio.byteLength === 0)
      throw new Error('reply without audio')
    return { text: '', format: 'mp3', audio }
  },
}

/**
 * ElevenLabs: speech, transcription and music in a format of its own; the key goes as `xi-api-key`.
 * @see vercel/ai `packages/elevenlabs` of 2026-08-22
 */
export const elevenlabs: Vendor = {
  kind: 'elevenlabs',
  abilities: { speak: speech, music, transcribe },
  sign: (credential) => [['xi-api-key', credential]],
  failure: elevenLabsFailure,
  embeddedFailure,
}
