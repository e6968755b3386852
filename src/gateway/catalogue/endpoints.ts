import type { EndpointName, ModelFamily, ModelType } from '../../domain/model'

/** Each metered endpoint: its path, and the type of model that it serves. */
export const endpoints: Readonly<
  Record<EndpointName, { readonly path: string; readonly type: ModelType }>
> = {
  realtime: { path: '/v1/realtime', type: 'chat' },
  chat: { path: '/v1/chat/completions', type: 'chat' },
  messages: { path: '/v1/messages', type: 'chat' },
  responses: { path: '/v1/responses', type: 'chat' },
  compact: { path: '/v1/responses/compact', type: 'chat' },
  completions: { path: '/v1/completions', type: 'chat' },
  embeddings: { path: '/v1/embeddings', type: 'embedding' },
  moderations: { path: '/v1/moderations', type: 'moderation' },
  images: { path: '/v1/images/generations', type: 'image' },
  transcriptions: { path: '/v1/audio/transcriptions', type: 'audio_stt' },
  translations: { path: '/v1/audio/translations', type: 'audio_stt' },
  speech: { path: '/v1/audio/speech', type: 'audio_tts' },
  music: { path: '/v1/audio/music', type: 'music' },
  videos: { path: '/v1/videos', type: 'video' },
}

/** The endpoint of a family; of several the first. */
export const pathOf = (family: ModelFamily): string => {
  if (family === 'realtime') return endpoints.realtime.path
  const { realtime: _, ...others } = endpoints
  return Object.values(others).find(({ type }) => type === family)?.path ?? endpoints.chat.path
}

/** Types that an endpoint serves; models of another type could be bought by nobody. */
export const servedTypes: ReadonlySet<ModelType> = new Set(
  Object.values(endpoints).map(({ type }) => type),
)
