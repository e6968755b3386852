import type { NativeAbility } from '../vendor'
import { dialectOf } from './shape-request'

/** Never the client's: it tells who he is, asks for another form of answer, or is a name of ours. */
const neverPassed: ReadonlySet<string> = new Set([
  'user',
  'stream',
  'partial_images',
  'response_format',
  'safety_identifier',
])

/** Pictures in the reference format. */
export const images: NativeAbility = {
  path: () => '/images/generations',
  shape(body, { config, traits }, { safetyId }) {
    const dialect = dialectOf(config.dialect)
    const drop = Object.keys(body).filter(
      (name) =>
        neverPassed.has(name) || traits.drop?.includes(name) === true || body[name] === null,
    )
    return {
      set: {
        ...(dialect.safetyField === null ? {} : { user: safetyId }),
        // The reference always answers so, and refuses to be asked for it.
        ...(dialect.responses ? {} : { response_format: 'b64_json' }),
      },
      drop,
    }
  },
}
