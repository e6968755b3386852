import { embeddedFailure } from '../failure'
import type { Vendor } from '../vendor'
import { elevenLabsFailure } from './failure'
import { music } from './music'
import { speech } from './speech'
import { transcribe } from './transcribe'

/** Voices, ears and music, in a format of its own. */
export const elevenlabs: Vendor = {
  kind: 'elevenlabs',
  abilities: { speak: speech, music, transcribe },
  sign: (credential) => [['xi-api-key', credential]],
  failure: elevenLabsFailure,
  embeddedFailure,
}
