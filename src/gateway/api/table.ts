import { transcriptions, translations } from './audio'
import { chat } from './chat'
import { completions } from './completions'
import { countTokens } from './count-tokens'
import { embeddings } from './embeddings'
import { health, readiness } from './health'
import { images } from './images'
import { me } from './me'
import { messages } from './messages'
import { model, models } from './models'
import { realtime } from './realtime'
import { openReference } from './reference'
import { moderations } from './moderations'
import { music } from './music'
import { request } from './requests'
import { compact, responses } from './responses'
import type { ApiRoute } from './route'
import { speech } from './speech'
import { usage } from './usage'
import { createVideos, deleteVideo, listVideos, video, videoContent } from './videos'

/** Reference of the table, its own routes included. */
export const reference = openReference(() => table)

/** Every address that answers. */
export const table: readonly ApiRoute[] = [
  models,
  model,
  chat,
  messages,
  responses,
  compact,
  completions,
  embeddings,
  moderations,
  images,
  transcriptions,
  translations,
  speech,
  music,
  createVideos,
  listVideos,
  video,
  deleteVideo,
  videoContent,
  countTokens,
  realtime,
  me,
  usage,
  request,
  health,
  readiness,
  ...reference.routes,
]
