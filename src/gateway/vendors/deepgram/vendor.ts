import { embeddedFailure, vendorFailure } from '../failure'
import type { Vendor } from '../vendor'
import { speech } from './speech'
import { transcribe } from './transcribe'

/**
 * Deepgram: speech and transcription in a format of its own; its keys are signed in with as `Token`.
 * @see deepgram/deepgram-api-specs
 */
export const deepgram: Vendor = {
  kind: 'deepgram',
  abilities: { speak: speech, transcribe },
  sign: (credential) => [['authorization', `Token ${credential}`]],
  failure: vendorFailure,
  embeddedFailure,
}
