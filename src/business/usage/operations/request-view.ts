import { Type, type Static } from '@sinclair/typebox'
import type { Ms } from '../../../domain/clock'
import { minus, showUsd } from '../../../domain/money'
import type { Unpaid } from '../../../domain/record'
import type { RefusedCalls } from '../../../domain/refused-calls'
import type { RecordedCall } from '../../../domain/reports/report'
import type { requestView } from '../../../gateway/metering/request-view'
import { callView } from '../call-view'
import type { PriceMaker } from '../../pricing/priced-catalogue'
import type { RefundedCall } from '../../accounts/refund-call'
import { Id, orNull } from '../../operations/fields'

export const callStatuses = ['pending', 'success', 'error', 'cancelled'] as const

export const CallStatus = Type.Union(callStatuses.map((status) => Type.Literal(status)))

const text = Type.String()
const whole = Type.Integer()

export const CallView = Type.Object({
  id: text,
  created: text,
  account: Id,
  project: Id,
  key: Id,
  address: text,
  endpoint: text,
  model: text,
  status: CallStatus,
  error: orNull(text),
  streamed: Type.Boolean(),
  input_tokens: whole,
  output_tokens: whole,
  cached_tokens: whole,
  /** Charged, less what was refunded. */
  usd: text,
  refunded_usd: text,
  /** What vendors bill us; null where nobody knows. */
  vendor_cost_usd: orNull(text),
  vendor: orNull(text),
  vendor_model: orNull(text),
  latency_ms: orNull(Type.Number()),
  first_byte_ms: orNull(Type.Number()),
})

export const callRow = (call: RecordedCall): Static<typeof CallView> => ({
  ...callView(call),
  vendor_cost_usd: call.vendorCost === null ? null : showUsd(call.vendorCost),
})

type Receipt = ReturnType<typeof requestView>['receipt']

export const WholeCall = Type.Composite([
  CallView,
  Type.Object({
    charged_usd: text,
    /** Set aside when it ended. */
    held_usd: text,
    reasoning_tokens: whole,
    /** Counted by us because the vendor did not tell. */
    estimated: Type.Boolean(),
    vendor_cost_estimated: Type.Boolean(),
    /** Number of the cost card that vendors’ bill is by. */
    cost_card: orNull(whole),
    /** What the vendor counted and was not charged. */
    unpaid_usd: orNull(text),
    /** Units that the vendor counted beyond what could be charged. */
    vendor_counted: orNull(
      Type.Object({
        units: Type.Unsafe<Unpaid['units']>(Type.Record(text, Type.Number())),
        usd: text,
        possible: Type.Boolean(),
      }),
    ),
    /** For how long it ran, or has run. */
    elapsed_ms: Type.Number(),
    /** What made its prices; null where that was not kept. */
    price: orNull(
      Type.Object({
        origin: Type.Union([Type.Literal('typed'), Type.Literal('rule')]),
        rule: orNull(text),
        /** The group of accounts whose rule it was. */
        group: orNull(text),
      }),
    ),
    /** As `GET /v1/requests/{id}` has it: units, prices and their sum. */
    receipt: Type.Unsafe<Receipt>(Type.Unknown()),
  }),
])

export const wholeCall = (
  call: RecordedCall,
  { receipt, price, now }: { receipt: Receipt; price: PriceMaker | null; now: Ms },
): Static<typeof WholeCall> => ({
  ...callRow(call),
  charged_usd: showUsd(call.cost),
  held_usd: showUsd(call.held),
  reasoning_tokens: call.reasoningTokens,
  estimated: call.estimated,
  vendor_cost_estimated: call.vendorCostEstimated,
  cost_card: call.costCard,
  unpaid_usd: call.unpaid === null ? null : showUsd(minus(call.unpaid.cost, call.cost)),
  vendor_counted: call.unpaid === null ? null : countedView(call.unpaid),
  elapsed_ms: call.latencyMs ?? now - call.created,
  price,
  receipt,
})

const countedView = ({ units, cost, isBeyondPossible }: Unpaid) => ({
  units,
  usd: showUsd(cost),
  possible: !isBeyondPossible,
})

export const RefusedView = Type.Object({
  minute: text,
  /** Moment of the last of them, whose address and id these are. */
  last: text,
  count: whole,
  code: text,
  account: orNull(Id),
  project: orNull(Id),
  key: orNull(Id),
  /** Address or prefix of strangers; empty for a known key. */
  source: text,
  endpoint: orNull(text),
  address: text,
  request: text,
})

export const refusedView = ({
  minute,
  time,
  ...line
}: RefusedCalls): Static<typeof RefusedView> => ({
  minute: new Date(minute).toISOString(),
  last: new Date(time).toISOString(),
  ...line,
})

export const RefundView = Type.Object({
  request: text,
  account: Id,
  refunded_usd: text,
  /** Part of it that goes to the service, which bore as much of the charge. */
  borne_usd: text,
  charged_usd: text,
  /** Charged, less what was given back. */
  usd: text,
  reason: orNull(text),
  by: text,
  balance_usd: text,
})

export const refundView = (
  { call, refunded, borne, balance }: RefundedCall,
  reason: string | null,
  by: string,
): Static<typeof RefundView> => ({
  request: call.id,
  account: call.account,
  refunded_usd: showUsd(refunded),
  borne_usd: showUsd(borne),
  charged_usd: showUsd(call.cost),
  usd: showUsd(minus(call.cost, refunded)),
  reason,
  by,
  balance_usd: showUsd(balance),
})
