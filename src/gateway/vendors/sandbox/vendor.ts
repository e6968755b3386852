import { openai } from '../openai/vendor'
import { videos } from '../openai/videos'
import type { Vendor, MusicAbility } from '../vendor'
import { connectSandbox } from './realtime'
import { serve } from './server'
import { transcribe } from './transcribe'

/** A piece of a few tones. */
const music: MusicAbility = {
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

/** Its videos are made in seconds, and a client's tests should not wait for longer. */
const paceMs = 500

/** The reference kind, with a vendor that lives in this process: everything else goes the real way. */
export const sandbox: Vendor = {
  ...openai,
  kind: 'sandbox',
  abilities: { ...openai.abilities, music, transcribe, videos: () => ({ ...videos, paceMs }) },
  fetch: serve,
  connect: connectSandbox,
}
