import { embeddedFailure, vendorFailure } from '../failure'
import { safetyHeader } from '../safety-header'
import type { Vendor, NativeAbility } from '../vendor'
import { normaliseReply } from './normalise-reply'
import { shapeCacheMarks } from './cache-marks'
import { embeddings } from './embeddings'
import { images } from './images'
import { nativeCompact, nativeResponses } from './native-responses'
import { realtime } from './realtime'
import { videosOf } from './videos'
import { needsResponses, responses } from './responses'
import { speech } from './speech'
import { dialectOf, shapeRequest } from './shape-request'
import { transcribe } from './transcribe'

/**
 * Moderation in the reference format (openai/openai-openapi `CreateModerationRequest`): it takes no more
 * than what is judged.
 */
const moderations: NativeAbility = {
  path: () => '/moderations',
  shape: (body) => ({
    set: {},
    drop: Object.keys(body).filter((name) => name !== 'input' && name !== 'model'),
  }),
}

/** Any address that speaks the reference format, in whatever dialect. */
export const openai: Vendor = {
  kind: 'openai',
  abilities: {
    chat: {
      path: () => '/chat/completions',
      takes: (body, target) => !needsResponses(body, target),
      shape: (body, target, mark) => shapeCacheMarks(body, target, mark, shapeRequest),
      headers: ({ config }, { safetyId }) =>
        dialectOf(config.dialect).safetyField === null ? [safetyHeader(safetyId)] : [],
      normalise: normaliseReply,
      wantsReasoning({ config }) {
        const { reasoning } = dialectOf(config.dialect).messages
        if (reasoning === null) return null
        if (reasoning.own === true || reasoning.member === 'as-sent') return 'own'
        return reasoning.required !== undefined || reasoning.details === true ? 'all' : 'calls'
      },
      thinksUnpaid: ({ config, traits }) =>
        dialectOf(config.dialect).thinkingBeyond !== undefined &&
        traits.thinkingBeyond === undefined,
      choosesSellers: ({ config }) => dialectOf(config.dialect).choosesSellers === true,
    },
    hub: responses,
    realtime,
    responses: nativeResponses,
    compact: nativeCompact,
    embeddings,
    moderate: moderations,
    images,
    transcribe,
    speak: speech,
    videos: videosOf,
  },
  sign: (credential, { dialect }) => [
    dialectOf(dialect).auth === 'api-key'
      ? ['api-key', credential]
      : ['authorization', `Bearer ${credential}`],
  ],
  failure: vendorFailure,
  embeddedFailure,
}
