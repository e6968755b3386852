import { Type } from '@sinclair/typebox'
import { sourceProblemCodes } from '../source-problems'
import { Id, orNull } from '../../operations/fields'

const text = Type.String()
const count = Type.Integer()

export const SourceView = Type.Object({
  name: text,
  address: text,
  /** Models of this service that it lists. */
  models: count,
  /** Why nothing of it counts; null where it was read. */
  problem: orNull(text),
  /** Code of the problem, with the names in it and, of several files, the one; null for one in other words. */
  problem_code: orNull(Type.Union(sourceProblemCodes.map((code) => Type.Literal(code)))),
  problem_facts: Type.Record(Type.String(), text),
})

const Proposed = Type.Array(
  Type.Object({
    id: Id,
    kind: text,
    model: text,
    vendor: Type.Optional(text),
    vendor_model: Type.Optional(text),
  }),
)

export const Checked = Type.Object({
  sources: Type.Array(SourceView),
  /** Costs that a source tells. */
  compared: count,
  /** Proposals that wait for a decision. */
  proposed: Proposed,
  /** Proposals that the setting `prices-auto` approved. */
  applied: Proposed,
  /** Proposals that no source tells any more. */
  withdrawn: count,
  not_believed: Type.Array(
    Type.Object({
      source: text,
      vendor: text,
      vendor_model: text,
      meter: text,
      told: orNull(text),
      reason: text,
    }),
  ),
  /** Models that vanished all at once. */
  vanished_not_believed: count,
})
