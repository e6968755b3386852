import type { MusicAbility } from '../vendor'

/** A piece of a few tones. */
export const music: MusicAbility = {
  request: ({ body: { prompt, seed } }, { route }) => ({
    method: 'POST',
    path: '/audio/music',
    contentType: 'application/json',
    body: JSON.stringify({ model: route.vendorModel, prompt, seed }),
  }),
  readReply: (audio) => ({
    text: 'Tones drawn from the words of the prompt.',
    format: 'mp3',
    audio,
  }),
}
