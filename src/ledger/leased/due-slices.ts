import type { Slice } from './slice'

/**
 * Of slices that have something to tell, those of the next exchange: whatever its calls charge, then what calls wait
 * for, then the rest. Thousands that go back at a time would keep the engine longer than it is waited for.
 * @param maxLines so many, but for those that are charged
 */
export function dueSlices(stirred: ReadonlySet<Slice>, maxLines: number): readonly Slice[] {
  const all = [...stirred]
  if (all.length <= maxLines) return all
  const charged = all.filter(({ charging }) => charging > 0)
  const others = all.filter(({ charging }) => charging <= 0)
  const isWaited = ({ line, probes }: Slice) => line.length > 0 || probes.length > 0
  const inOrder = [...others.filter(isWaited), ...others.filter((slice) => !isWaited(slice))]
  // Charges do not keep all else waiting.
  return [...charged, ...inOrder.slice(0, Math.max(1, maxLines - charged.length))]
}

/** Charge of one call. */
export interface SliceCharge {
  readonly slices: readonly Slice[]
  readonly cost: number
}

/** What charges come to, of each slice. */
export function costsOf(
  slices: readonly Slice[],
  charges: readonly SliceCharge[],
): readonly number[] {
  const costs = new Map<Slice, number>()
  for (const { slices: charged, cost } of charges)
    for (const slice of charged) costs.set(slice, (costs.get(slice) ?? 0) + cost)
  return slices.map((slice) => costs.get(slice) ?? 0)
}
