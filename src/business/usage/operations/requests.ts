import { Type } from '@sinclair/typebox'
import type { AccountId, KeyId, ProjectId, RequestId } from '../../../domain/ids'
import { requestView } from '../../../gateway/metering/request-view'
import { callIn } from '../call-view'
import { priceMaker, soldCard } from '../../pricing/priced-catalogue'
import { refundCall } from '../../accounts/refund-call'
import { amountOf, Id, max, pageOf, Usd } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { amountGiven, reasonFields, reasonOf } from '../../operations/reason'
import { requestCommands } from './request-commands'
import {
  callRow,
  CallStatus,
  callStatuses,
  CallView,
  RefundView,
  refundView,
  RefusedView,
  refusedView,
  WholeCall,
  wholeCall,
} from './request-view'
import { spanFields, requestedSpan } from '../../operations/date-range'

const RequestId = Type.String({ minLength: 1, maxLength: 60 })

/** Ids of answers in other formats are those of their calls with another beginning. */
const callId = (id: string): string => id.replace(/^(?:msg|resp)_/, 'req_')

const ownerFields = {
  account: asOption(Type.Optional(Id), 'only of this account'),
  project: asOption(Type.Optional(Id), 'only of this project'),
  key: asOption(Type.Optional(Id), 'only of this key'),
}

interface SentOwner {
  readonly account?: number
  readonly project?: number
  readonly key?: number
}

const ownerOf = ({ account, project, key }: SentOwner) => ({
  account: (account ?? null) as AccountId | null,
  project: (project ?? null) as ProjectId | null,
  key: (key ?? null) as KeyId | null,
})

const epoch = '1970-01-01T00:00:00Z'

export const requestOperations = [
  operation({
    name: 'request.list',
    method: 'GET',
    path: '/requests',
    role: 'viewer',
    about: 'Calls, newest first, of all accounts or of one',
    query: {
      ...spanFields,
      /** So many days before `to`, where `from` is left out; else since the beginning. */
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
      ...ownerFields,
      model: asOption(Type.Optional(Type.String({ maxLength: 256 })), 'only of this model', {
        option: 'model <id>',
      }),
      status: asOption(Type.Optional(CallStatus), 'only calls with this status', {
        option: 'status <word>',
        choices: callStatuses,
      }),
      /** Whether to count them all, too: it looks at every call of the span. */
      count: Type.Optional(Type.Boolean()),
      before: Type.Optional(RequestId),
      max,
    },
    result: Type.Composite([
      pageOf(CallView, Type.String()),
      Type.Object({ count: Type.Optional(Type.Integer()) }),
    ]),
    commands: [requestCommands.list],
    async run({ storage, service }, { query }) {
      const { model = null, status = null, before = null, max, days } = query
      await service.flush()
      const from = days === undefined ? (query.from ?? epoch) : query.from
      const sought = {
        ...requestedSpan({ ...query, from }, service.clock.now(), days),
        ...ownerOf(query),
        model,
        status,
      }
      const page = { ...sought, before: before as RequestId | null, max }
      const { calls, next } = await storage.operatorReader.allCalls(page)
      const counted =
        query.count === true ? { count: await storage.reports.countCalls(sought) } : {}
      return { data: calls.map(callRow), next, ...counted }
    },
  }),
  operation({
    name: 'request.refused',
    method: 'GET',
    path: '/requests/refused',
    role: 'viewer',
    about:
      'Calls that were refused before money was held, one line for each key, code and minute; of 30 days unless told',
    query: { ...spanFields, ...ownerFields },
    result: Type.Object({ data: Type.Array(RefusedView) }),
    async run({ storage, service }, { query }) {
      await service.flush()
      const span = requestedSpan(query, service.clock.now())
      const found = await storage.refusals.list({ ...span, ...ownerOf(query) })
      return { data: found.map(refusedView) }
    },
  }),
  operation({
    name: 'request.get',
    method: 'GET',
    path: '/requests/{id}',
    role: 'viewer',
    about: 'One call with its receipt, and what only operators see of it',
    params: { id: RequestId },
    result: WholeCall,
    commands: [requestCommands.show],
    async run({ storage, service }, { params }) {
      await service.flush()
      const call = await callIn(storage.reports, callId(params.id))
      const card = await soldCard(storage, call.model, call.cardVersion)
      const now = service.clock.now()
      const { receipt } = requestView(call, card, now)
      const price = await priceMaker(storage, call.model, call.cardVersion)
      return wholeCall(call, { receipt, price, now })
    },
  }),
  operation({
    name: 'request.refund',
    method: 'POST',
    path: '/requests/{id}/refund',
    role: 'staff',
    about: 'Give back what a call was charged, whole or in part, once',
    params: { id: RequestId },
    body: {
      usd: asOption(Type.Optional(Usd), 'dollars to give back (default: all that was charged)', {
        option: 'amount <usd>',
        read: amountGiven,
      }),
      ...reasonFields,
    },
    result: RefundView,
    commands: [requestCommands.refund],
    async run(parts, { params, body }) {
      const { storage, service, requester } = parts
      await service.flush()
      const amount = body.usd === undefined ? null : amountOf(body.usd)
      const reason = reasonOf(body)
      const by = requester.actor
      const refunded = await refundCall(storage, {
        id: callId(params.id),
        amount,
        ...reason,
        by,
      })
      return refundView(refunded, reason.note, by)
    },
  }),
] as const
