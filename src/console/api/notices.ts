import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { page } from '../../business/operations/fields'
import { textForms } from '../../business/operations/refusals/text-forms'
import type { NoticeId } from '../../domain/ids'
import type { BellNotice } from '../../business/notices/recipients/contract'
import { holderText } from '../../business/notices/recipients/titles'
import { topicOf } from '../../business/notices/recipients/topics'
import { visitOf } from '../page-head'
import { max } from './fields'
import type { ConsoleParts } from './parts'

function noticeView({ notice, seen }: BellNotice, language: 'fa' | 'en') {
  const { title, text } = holderText(notice)
  return {
    id: notice.id as string,
    kind: notice.kind,
    topic: topicOf(notice),
    title: title[language],
    text: text[language],
    created: notice.created as number,
    seen,
  }
}

/** `/app/api/notices`: what the person is told of, newest first, and up to where they have seen it. */
export const noticesApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/notices', normalize: false })
    .get(
      '/',
      async ({ request, query }) => {
        const who = await parts.customer(request)
        const before = (query.before ?? null) as NoticeId | null
        const found = await parts.holderNotices.bell(who, { before, max: query.max + 1 })
        const { data, next } = page(found, query.max, ({ notice }) => notice.id)
        const { language } = visitOf(request.headers)
        return {
          data: data.map((each) => noticeView(each, language)),
          next,
          unread: await parts.holderNotices.unread(who),
        }
      },
      { query: t.Object({ before: t.Optional(t.String({ pattern: textForms.notice })), max }) },
    )
    .post(
      '/seen',
      async ({ request, body }) => {
        const who = await parts.customer(request)
        await parts.holderNotices.seen(who, body.up_to as NoticeId, parts.clock.now())
        return { unread: await parts.holderNotices.unread(who) }
      },
      { body: Type.Object({ up_to: Type.String({ pattern: textForms.notice }) }) },
    )
