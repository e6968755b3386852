import type { EndpointName } from '../../src/domain/model'

/** The sandbox's model behind each metered endpoint. */
export const sandboxModels: Readonly<Record<EndpointName, string>> = {
  realtime: 'realtime',
  chat: 'echo',
  messages: 'echo',
  responses: 'echo',
  compact: 'echo',
  completions: 'echo',
  embeddings: 'embed',
  moderations: 'moderate',
  images: 'draw',
  transcriptions: 'listen',
  translations: 'listen',
  speech: 'speak',
  music: 'compose',
  videos: 'video',
}
