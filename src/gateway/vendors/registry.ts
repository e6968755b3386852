import { anthropic } from './anthropic/vendor'
import { deepgram } from './deepgram/vendor'
import { elevenlabs } from './elevenlabs/vendor'
import { google } from './google/vendor'
import { openai } from './openai/vendor'
import { sandbox } from './sandbox/vendor'
import type { Vendor } from './vendor'

/** Vendors by kind. */
export const vendors: Readonly<Record<string, Vendor>> = {
  openai,
  anthropic,
  google,
  elevenlabs,
  deepgram,
  sandbox,
}
