import { embeddedFailure, vendorFailure } from '../failure'
import type { Vendor } from '../vendor'
import { speech } from './speech'

/** Voices, in a format of its own. */
export const deepgram: Vendor = {
  kind: 'deepgram',
  abilities: { speak: speech },
  sign: (credential) => [['authorization', `Token ${credential}`]],
  failure: vendorFailure,
  embeddedFailure,
}
