import type { MusicAbility } from '../vendor'

/** Pieces of a length that is asked for: it is what they are paid by there. */
const ordinarySeconds = 60

/** Whole pieces as MP3 files (`POST /v1/music`). It knows neither temperature nor seed. */
export const music: MusicAbility = {
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
