import type { Target } from '../vendor'

/** A model by the name that Google's paths have for it: `POST /v1beta/models/{model}:generateContent`. */
export const nameOf = ({ route: { vendorModel: name } }: Target): string =>
  name.includes('/') ? name : `models/${name}`

/** Path of a method of a model. */
export const methodOf = (target: Target, method: string): string => `/${nameOf(target)}:${method}`

/** Path at which a model makes its answers. */
export const contentMethod = (target: Target, stream: boolean): string =>
  methodOf(target, stream ? 'streamGenerateContent?alt=sse' : 'generateContent')
