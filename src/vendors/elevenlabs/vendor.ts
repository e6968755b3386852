import { embeddedFailure } from '../failure'
import type { Vendor } from '../vendor'
import { elevenLabsFailure } from './failure'
import { speech } from './speech'

/** Voices, in a format of its own. */
export const elevenlabs: Vendor = {
  kind: 'elevenlabs',
  abilities: { speak: speech },
  sign: (credential) => [['xi-api-key', credential]],
  failure: elevenLabsFailure,
  embeddedFailure,
}
