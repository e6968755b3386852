import { Type, type Static } from '@sinclair/typebox'
import type { AccountId, KeyId, ProjectId, RequestId } from '../../domain/ids'
import type { Ms } from '../../domain/clock'
import { minus, showUsd } from '../../domain/money'
import { callIn, callView } from '../call-view'
import type { RecordedCall } from '../../domain/report'
import { requestView } from '../../metering/request-view'
import { priceMaker, soldCard } from '../priced-catalogue'
import { refundCall } from '../refund-call'
import { amountOf, Id, Instant, instantOf, max, orNull, pageOf, Reason, Usd } from './fields'
import { operation } from './operation'

const status = Type.Union([
  Type.Literal('pending'),
  Type.Literal('success'),
  Type.Literal('error'),
  Type.Literal('cancelled'),
])

const whole = Type.Integer()
const CallView = Type.Object({
  id: Type.String(),
  created: Type.String(),
  account: Id,
  project: Id,
  key: Id,
  address: Type.String(),
  endpoint: Type.String(),
  model: Type.String(),
  status,
  error: orNull(Type.String()),
  streamed: Type.Boolean(),
  input_tokens: whole,
  output_tokens: whole,
  cached_tokens: whole,
  /** Charged, less what was refunded. */
  usd: Type.String(),
  refunded_usd: Type.String(),
  /** What vendors bill us; null where nobody knows. */
  vendor_cost_usd: orNull(Type.String()),
  vendor: orNull(Type.String()),
  vendor_model: orNull(Type.String()),
  latency_ms: orNull(Type.Number()),
  first_byte_ms: orNull(Type.Number()),
})

const callRow = (call: RecordedCall): Static<typeof CallView> => ({
  ...callView(call),
  vendor_cost_usd: call.vendorCost === null ? null : showUsd(call.vendorCost),
})

const RequestId = Type.String({ minLength: 1, maxLength: 60 })

/** Ids of answers in other formats are those of their calls with another beginning. */
const callId = (id: string): string => id.replace(/^(?:msg|resp)_/, 'req_')

export const requestOperations = [
  operation({
    name: 'request.list',
    method: 'GET',
    path: '/requests',
    role: 'viewer',
    about: 'Calls, newest first, of all accounts or of one',
    query: {
      account: Type.Optional(Id),
      project: Type.Optional(Id),
      key: Type.Optional(Id),
      model: Type.Optional(Type.String({ maxLength: 256 })),
      status: Type.Optional(status),
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      before: Type.Optional(RequestId),
      max,
    },
    result: pageOf(CallView, Type.String()),
    async run({ storage, service }, { query }) {
      const { account = null, project = null, key = null, model = null, status = null } = query
      const { before = null, max } = query
      await service.flush()
      const { calls, next } = await storage.operatorReader.allCalls({
        account: account as AccountId | null,
        project: project as ProjectId | null,
        key: key as KeyId | null,
        model,
        status,
        before: before as RequestId | null,
        max,
        from: query.from === undefined ? (0 as Ms) : instantOf(query.from, 'from'),
        to: query.to === undefined ? ((service.clock.now() + 1) as Ms) : instantOf(query.to, 'to'),
      })
      return { data: calls.map(callRow), next }
    },
  }),
  operation({
    name: 'request.get',
    method: 'GET',
    path: '/requests/{id}',
    role: 'viewer',
    about: 'One call with its receipt, and what only operators see of it',
    params: { id: RequestId },
    result: Type.Composite([
      CallView,
      Type.Object({
        charged_usd: Type.String(),
        /** Set aside when it ended. */
        held_usd: Type.String(),
        reasoning_tokens: whole,
        /** Counted by us because the vendor did not tell. */
        estimated: Type.Boolean(),
        vendor_cost_estimated: Type.Boolean(),
        /** What the vendor counted and was not charged. */
        unpaid_usd: orNull(Type.String()),
        /** What made its prices; null where that was not kept. */
        price: orNull(
          Type.Object({
            origin: Type.Union([Type.Literal('typed'), Type.Literal('rule')]),
            rule: orNull(Type.String()),
            /** The group of accounts whose rule it was. */
            group: orNull(Type.String()),
          }),
        ),
        /** As `GET /v1/requests/{id}` has it: units, prices and their sum. */
        receipt: Type.Unsafe<ReturnType<typeof requestView>['receipt']>(Type.Unknown()),
      }),
    ]),
    async run({ storage, service }, { params }) {
      await service.flush()
      const call = await callIn(storage.reports, callId(params.id))
      const card = await soldCard(storage, call.model, call.cardVersion)
      const { receipt } = requestView(call, card, service.clock.now())
      return {
        ...callRow(call),
        charged_usd: showUsd(call.cost),
        held_usd: showUsd(call.held),
        reasoning_tokens: call.reasoningTokens,
        estimated: call.estimated,
        vendor_cost_estimated: call.vendorCostEstimated,
        unpaid_usd: call.unpaid === null ? null : showUsd(minus(call.unpaid.cost, call.cost)),
        price: await priceMaker(storage, call.model, call.cardVersion),
        receipt,
      }
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
      /** All that was charged where it is left out. */
      usd: Type.Optional(Usd),
      reason: Type.Optional(Reason),
      /** Keeps the reason off the customer’s statement. */
      private: Type.Optional(Type.Boolean()),
    },
    result: Type.Object({
      request: Type.String(),
      account: Id,
      refunded_usd: Type.String(),
      /** Part of it that goes to the service, which bore as much of the charge. */
      borne_usd: Type.String(),
      charged_usd: Type.String(),
      balance_usd: Type.String(),
    }),
    async run(parts, { params, body }) {
      const { storage, service, requester } = parts
      await service.flush()
      const id = callId(params.id)
      const amount = body.usd === undefined ? null : amountOf(body.usd)
      const { call, refunded, borne, balance } = await refundCall(storage, {
        id,
        amount,
        note: body.reason?.trim() ?? null,
        told: body.private !== true,
        by: requester.actor,
      })
      return {
        request: call.id,
        account: call.account,
        refunded_usd: showUsd(refunded),
        borne_usd: showUsd(borne),
        charged_usd: showUsd(call.cost),
        balance_usd: showUsd(balance),
      }
    },
  }),
] as const
