import { embeddedFailure, vendorFailure } from '../failure'
import type { Vendor } from '../vendor'
import { speech } from './speech'
import { transcribe } from './transcribe'

/** Voices and ears, in a format of its own. */
export const deepgram: Vendor = {
  kind: 'deepgram',
  abilities: { speak: speech, transcribe },
  sign: (credential) => [['authorization', `Token ${credential}`]],
  failure: vendorFailure,
  embeddedFailure,
}
