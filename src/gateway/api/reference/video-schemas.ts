import { Type } from '@sinclair/typebox'
import { videoFaults } from '../../../domain/video-job'
import { object, nullable, seconds, usd, words } from './schema-parts'

const videoId = Type.String({ pattern: '^vid_' })

export const VideoReply = object(
  {
    id: videoId,
    object: Type.Literal('video'),
    created_at: seconds('when it was ordered'),
    completed_at: nullable(seconds('when it was made')),
    expires_at: nullable(seconds('until when its file can be fetched')),
    model: Type.String(),
    status: words(['queued', 'in_progress', 'completed', 'failed'], 'only ever goes forward'),
    progress: Type.Integer({ minimum: 0, maximum: 100 }),
    seconds: Type.String(),
    size: Type.String(),
    usd: usd('its cost'),
    refunded: Type.Boolean({ description: 'it was not made, and its cost was returned' }),
    error: nullable(object({ code: words(videoFaults), message: Type.String() })),
  },
  'VideoJob',
)

export const VideoList = object(
  {
    object: Type.Literal('list'),
    data: Type.Array(VideoReply),
    first_id: nullable(videoId),
    last_id: nullable(videoId),
    has_more: Type.Boolean({ description: 'ask again with `after`: the `last_id`' }),
  },
  'VideoList',
)

export const VideoDeleted = object(
  {
    id: videoId,
    object: Type.Literal('video.deleted'),
    deleted: Type.Literal(true),
    refunded: Type.Boolean({ description: 'whether its cost was returned' }),
  },
  'VideoDeleted',
)
