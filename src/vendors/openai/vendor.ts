import { embeddedFailure, vendorFailure } from '../failure'
import type { Vendor } from '../vendor'
import { normaliseReply } from './normalise-reply'
import { dialectOf, shapeRequest } from './shape-request'

/** Any address that speaks the reference format, in whatever dialect. */
export const openai: Vendor = {
  kind: 'openai',
  abilities: {
    chat: { path: '/chat/completions', shape: shapeRequest, normalise: normaliseReply },
  },
  sign(headers, credential, { dialect }) {
    if (dialectOf(dialect).auth === 'api-key') headers.set('api-key', credential)
    else headers.set('authorization', `Bearer ${credential}`)
  },
  failure: vendorFailure,
  embeddedFailure,
}
