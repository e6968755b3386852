import type { EndpointName, ModelType } from '../domain/model'

/** Each metered endpoint: its path, and the type of model that it serves. */
export const endpoints: Readonly<
  Record<EndpointName, { readonly path: string; readonly type: ModelType }>
> = {
  chat: { path: '/v1/chat/completions', type: 'chat' },
  messages: { path: '/v1/messages', type: 'chat' },
  responses: { path: '/v1/responses', type: 'chat' },
  completions: { path: '/v1/completions', type: 'chat' },
  embeddings: { path: '/v1/embeddings', type: 'embedding' },
  moderations: { path: '/v1/moderations', type: 'moderation' },
  images: { path: '/v1/images/generations', type: 'image' },
  videos: { path: '/v1/videos', type: 'video' },
}

/** Types that an endpoint serves; models of another type could be bought by nobody. */
export const servedTypes: ReadonlySet<ModelType> = new Set(
  Object.values(endpoints).map(({ type }) => type),
)
