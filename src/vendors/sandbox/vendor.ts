import { openai } from '../openai/vendor'
import { videos } from '../openai/videos'
import type { Vendor } from '../vendor'
import { music } from './music'
import { connectSandbox } from './realtime'
import { serve } from './server'
import { transcribe } from './transcribe'

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
