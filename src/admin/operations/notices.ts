import { Type } from '@sinclair/typebox'
import { systemNoticeId, type NoticeId } from '../../domain/ids'
import { noticeBody } from '../../notices/notice-body'
import { sampleNotice } from '../../notices/sample'
import { retryNotice } from '../retry-notice'
import { textForms } from '../refusals/text-forms'
import { max, orNull, page, pageOf } from './fields'
import { liveOperation, operation } from './operation'

const DeliveryView = Type.Object({
  channel: Type.String(),
  state: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempts: Type.Integer(),
  /** When it is tried next; when it ended, once it is not pending. */
  due: Type.String(),
  error: orNull(Type.String()),
})

const NoticeView = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  created: Type.String(),
  period: Type.String(),
  threshold: orNull(Type.Integer()),
  /** In English and Persian, as channels carry it. */
  text: Type.Unknown(),
  subject: Type.Unknown(),
  deliveries: Type.Array(DeliveryView),
})

export const noticeOperations = [
  operation({
    name: 'notice.list',
    method: 'GET',
    path: '/notices',
    role: 'viewer',
    about: 'Notices and their delivery, newest first',
    query: {
      /** Only those that still wait for a channel. */
      pending: Type.Optional(Type.Boolean()),
      /** Only those that some channel gave up. */
      failed: Type.Optional(Type.Boolean()),
      before: Type.Optional(Type.String({ maxLength: 60 })),
      max,
    },
    result: pageOf(NoticeView, Type.String()),
    async run({ storage }, { query }) {
      const { pending = false, failed = false, before = null, max } = query
      const found = await storage.notices.list({
        pending,
        failed,
        before: before as NoticeId | null,
        most: max + 1,
      })
      const views = found.map(({ notice, deliveries }) => {
        const { id, kind, created, period, threshold, text, subject } = noticeBody(notice)
        return {
          id,
          kind,
          created,
          period,
          threshold,
          text,
          subject,
          deliveries: deliveries.map(({ due, ...each }) => ({
            ...each,
            due: new Date(due).toISOString(),
          })),
        }
      })
      return page(views, max, ({ id }) => id)
    },
  }),
  operation({
    name: 'notice.retry',
    method: 'POST',
    path: '/notices/{id}/retry',
    role: 'staff',
    about: 'Send a notice again by every channel that gave it up',
    params: { id: Type.String({ pattern: textForms.notice }) },
    result: Type.Object({ id: Type.String(), channels: Type.Array(Type.String()) }),
    async run({ storage, service }, { params }) {
      const channels = await retryNotice(storage, params.id, service.clock.now())
      return { id: params.id, channels: [...channels] }
    },
  }),
  liveOperation({
    name: 'notice.sample',
    method: 'POST',
    path: '/notices/sample',
    role: 'staff',
    about: 'Send a sample by every channel to operators, in the place of an earlier one',
    result: Type.Object({ id: Type.String(), channels: Type.Array(Type.String()) }),
    async run({ storage, service }) {
      const notice = sampleNotice(systemNoticeId(), service.clock.now())
      const channels = [...service.noticeChannels]
      await storage.notices.putSample({ notice, channels })
      await storage.looks.record('notices', 'notice.sample')
      return { id: notice.id, channels }
    },
  }),
] as const
