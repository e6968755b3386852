import { Type, type Static } from '@sinclair/typebox'

/** How a source of public prices answered. */
const CheckedSource = Type.Object({
  /** `litellm`, `models.dev`, `portkey`; with a host or file behind it where two are of one form. */
  name: Type.String(),
  address: Type.String(),
  /** Models of this service that it lists. */
  models: Type.Number(),
  /** Why nothing of it counts; null where it was read. */
  problem: Type.Union([Type.String(), Type.Null()]),
})
export type CheckedSource = Static<typeof CheckedSource>

/** The last check of public prices, as the next one and the doctor want it. */
export const PriceCheckRecord = Type.Object({
  at: Type.Number(),
  sources: Type.Array(CheckedSource),
  /** Vendors' models that one of these sources listed, now or before. */
  seen: Type.Array(Type.String()),
})
export type PriceCheckRecord = Static<typeof PriceCheckRecord>

export interface PriceCheckStore {
  /** Null before the first, and where a newer program wrote one that this one cannot read. */
  read(): Promise<PriceCheckRecord | null>
  write(record: PriceCheckRecord): Promise<void>
}
