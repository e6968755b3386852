import { embeddedFailure } from '../failure'
import type { Vendor } from '../vendor'
import { elevenLabsFailure } from './failure'
import { music } from './music'
import { speech } from './speech'

/** Voices and music, in a format of its own. */
export const elevenlabs: Vendor = {
  kind: 'elevenlabs',
  abilities: { speak: speech, music },
  sign: (credential) => [['xi-api-key', credential]],
  failure: elevenLabsFailure,
  embeddedFailure,
}
