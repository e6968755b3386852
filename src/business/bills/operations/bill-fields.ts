import { Type, type Static } from '@sinclair/typebox'
import { findingKinds } from '../explain'
import { orNull } from '../../operations/fields'

const text = Type.String()
const count = orNull(Type.Number())

const comparison = {
  calls: count,
  billed_calls: count,
  usd: orNull(text),
  billed_usd: orNull(text),
  /** Billed less ours. */
  difference_usd: orNull(text),
  difference_percent: orNull(text),
  units: Type.Record(Type.String(), Type.Object({ ours: count, billed: count })),
  beyond_tolerance: Type.Boolean(),
}

export const BillView = Type.Object({
  vendors: Type.Array(text),
  month: text,
  zone: text,
  sources: Type.Array(text),
  from: text,
  to: text,
  tolerance_percent: Type.Number(),
  within_tolerance: Type.Boolean(),
  total: Type.Object(comparison),
  models: Type.Array(Type.Object({ model: text, ...comparison })),
  days: Type.Array(Type.Object({ day: text, model: text, ...comparison })),
  /** Causes of the difference, the dearest first. */
  findings: Type.Array(
    Type.Object({
      kind: Type.Union(findingKinds.map((kind) => Type.Literal(kind))),
      model: orNull(text),
      charge: orNull(text),
      days: Type.Array(text),
      usd: orNull(text),
      calls: count,
      units: Type.Record(Type.String(), Type.Number()),
      prices: Type.Array(
        Type.Object({
          unit: orNull(text),
          per: Type.Number(),
          charged: text,
          ours: orNull(text),
        }),
      ),
      /** How many calls of ours may be the reason. */
      suspects: Type.Integer(),
      requests: Type.Array(
        Type.Object({
          id: text,
          status: text,
          error: orNull(text),
          vendor_cost_usd: orNull(text),
        }),
      ),
    }),
  ),
  notes: Type.Array(text),
  /** Days as lines of CSV, as `bill check --csv` prints them. */
  csv: text,
})

export type CheckedBill = Static<typeof BillView>
