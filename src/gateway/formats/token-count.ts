import type { Meter } from '../../domain/usage'
import { isCount, type Fields } from '../json/fields'

/** More than this is no count of tokens. */
const maxTokens = 1_000_000_000

/** Token count as a vendor reports it; 0 for an implausible one. */
export function tokenCount(raw: Fields, name: string): number {
  const value = raw[name]
  return isCount(value) && value <= maxTokens ? value : 0
}

/** Collects units; those not above zero are left out. */
export function openUnits() {
  const units: Partial<Record<Meter, number>> = {}
  return {
    units,
    put(meter: Meter, count: number): void {
      if (count > 0) units[meter] = count
    },
  }
}
