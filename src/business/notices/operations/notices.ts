import { Type, type Static } from '@sinclair/typebox'
import { systemNoticeId, type NoticeId } from '../../../domain/ids'
import { noticeBody } from '../notice-body'
import { sampleNotice } from '../sample'
import type { NoticeStore } from '../contract'
import { retryNotice } from '../retry-notice'
import { cell, type CommandForm } from '../../operations/command'
import { max, orNull, page, pageOf } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { liveOperation, operation } from '../../operations/operation'

const DeliveryView = Type.Object({
  channel: Type.String(),
  state: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempts: Type.Integer(),
  /** When it is tried next; when it ended, once it is not pending. */
  due: Type.String(),
  error: orNull(Type.String()),
})

type Body = ReturnType<typeof noticeBody>
type About = Body['subject']

/** In dollars; null for a notice of another kind. */
const Amount = orNull(Type.String())

const NoticeView = Type.Object({
  id: Type.String(),
  kind: Type.String(),
  created: Type.String(),
  period: Type.String(),
  threshold: orNull(Type.Integer()),
  limit: Amount,
  spent: Amount,
  balance: Amount,
  /** Of a payment. */
  amount: Type.Optional(Type.String()),
  /** Count of a notice that has no dollars. */
  count: Type.Optional(Type.Integer()),
  /** In English and Persian, as channels carry it. */
  text: Type.Unknown(),
  subject: Type.Unsafe<About>(Type.Unknown()),
  deliveries: Type.Array(DeliveryView),
})

type Viewed = Static<typeof NoticeView>

const noticeView = ({
  notice,
  deliveries,
}: Awaited<ReturnType<NoticeStore['list']>>[number]): Viewed => {
  const { object: _, ...body } = noticeBody(notice)
  return {
    ...body,
    deliveries: deliveries.map(({ due, ...each }) => ({
      ...each,
      due: new Date(due).toISOString(),
    })),
  }
}

/** With the reason where it did not arrive. */
const deliveryText = ({ channel, state, error }: Viewed['deliveries'][number]): string =>
  error === null ? `${channel} ${state}` : `${channel} ${state} (${error})`

function aboutText({ type, key, project, account, source, vendor }: About): string {
  if (vendor !== undefined) return `${vendor.name} ${vendor.credential ?? ''}`.trim()
  if (source !== undefined) return `${source.model} at ${source.vendor}`
  const subject = key ?? project ?? account
  return subject === null ? type : `${type} ${subject.id} (${subject.name})`
}

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'notices list',
  about: 'list notices and their delivery, newest first',
  example: 'notices list --pending',
  object: 'notice',
  formerNames: ({ deliveries }) => ({
    deliveries: deliveries.map(({ channel, state, attempts, due, error }) => ({
      channel,
      state,
      attempts,
      ...(state === 'pending' ? { next_attempt: due } : { ended: due }),
      error,
      due,
    })),
  }),
  list: {
    pages: 'before',
    isNewestFirst: true,
    isCounted: true,
    columns: [
      'id',
      'created',
      'kind',
      'subject.type',
      'subject.account.id',
      'subject.project.id',
      'subject.key.id',
      'subject.vendor.name',
      'subject.vendor.credential',
      'threshold',
      'spent',
      'balance',
      'limit',
      'period',
      'deliveries',
    ],
    heading: ['CREATED', 'KIND', 'ABOUT', 'AT', 'AMOUNT', 'LIMIT', 'PERIOD', 'CHANNELS'],
    cells: (each) => [
      each.created,
      each.kind,
      aboutText(each.subject),
      each.threshold === null ? '–' : `${each.threshold} %`,
      cell.usd(each.spent ?? each.balance),
      cell.usd(each.limit),
      each.period,
      each.deliveries.map(deliveryText).join(', '),
    ],
  },
}

const Retried = Type.Object({ id: Type.String(), channels: Type.Array(Type.String()) })

const retry: CommandForm<Static<typeof Retried>> = {
  words: 'notices retry',
  about: 'send a notice again by the channels that gave it up',
  example: 'notices retry ntc_…',
  params: { id: { name: 'id', about: 'id of the notice', as: 'place', kind: 'text' } },
  object: 'notice.retry',
  said: ({ id, channels }) => ({ stdout: [`${id} is sent again by ${channels.join(', ')}`] }),
}

const TriedChannels = Type.Object({
  data: Type.Array(
    Type.Object({ channel: Type.String(), ok: Type.Boolean(), error: orNull(Type.String()) }),
  ),
})

const test: CommandForm<Static<typeof TriedChannels>> = {
  words: 'notices test',
  about: 'send a sample through every channel of the gateway that serves; exits 1 when one fails',
  example: 'notices test',
  object: 'list',
  fails: ({ data }) => data.some(({ ok }) => !ok),
  said: ({ data }) => ({
    stdout: [
      ...data.map(({ channel, error }) =>
        error === null ? `✓ ${channel}` : `✗ ${channel}: ${error}`,
      ),
      ...(data.length === 1
        ? ['only the log: see CHAPAR_NOTICE_WEBHOOK and CHAPAR_NOTICE_COMMAND']
        : []),
    ],
  }),
}

export const noticeOperations = [
  operation({
    name: 'notice.list',
    method: 'GET',
    path: '/notices',
    role: 'viewer',
    about: 'Notices and their delivery, newest first',
    query: {
      pending: asOption(
        Type.Optional(Type.Boolean()),
        'only notices that still wait for a channel',
        { kind: 'flag' },
      ),
      failed: asOption(Type.Optional(Type.Boolean()), 'only those that some channel gave up', {
        kind: 'flag',
      }),
      before: Type.Optional(Type.String({ maxLength: 60 })),
      max,
    },
    result: pageOf(NoticeView, Type.String()),
    commands: [list],
    async run({ storage }, { query }) {
      const { pending = false, failed = false, before = null, max } = query
      const found = await storage.notices.list({
        pending,
        failed,
        before: before as NoticeId | null,
        most: max + 1,
      })
      return page(found.map(noticeView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'notice.retry',
    method: 'POST',
    path: '/notices/{id}/retry',
    role: 'staff',
    about: 'Send a notice again by every channel that gave it up',
    params: { id: Type.String({ maxLength: 60 }) },
    result: Retried,
    commands: [retry],
    async run({ storage, service }, { params }) {
      const channels = await retryNotice(storage, params.id, service.clock.now())
      return { id: params.id, channels: [...channels] }
    },
  }),
  operation({
    name: 'notice.test',
    method: 'POST',
    path: '/notices/tests',
    role: 'staff',
    about: 'Send a sample by every channel to operators, and tell how each took it',
    result: TriedChannels,
    commands: [test],
    async run({ storage, service, requester }) {
      const data = await service.tryChannels()
      // A user of the machine has its configuration, and nothing is shown to others by it.
      if (requester.from !== 'machine') await storage.looks.record('notices', 'notice.sample')
      return { data: data.map((each) => ({ ...each })) }
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
