import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  availableBytes,
  freeBytes,
  MemoryBudgetExceeded,
  openMemoryBudget,
} from '../../src/domain/memory-budget'

const megabyte = 1_048_576

describe('the memory that buffers share', () => {
  test('is not asked for a first megabyte', () => {
    const budget = openMemoryBudget(0)
    budget.lease().grow(freeBytes)
    expect(budget.reservedBytes()).toBe(0)
  })

  test('is refused once it is used up, and granted again when it is given back', () => {
    const budget = openMemoryBudget(4 * megabyte)
    const [one, other] = [budget.lease(), budget.lease()]
    one.grow(4 * megabyte)
    other.grow(2 * megabyte)
    expect(() => other.grow(2 * megabyte + 1)).toThrow(MemoryBudgetExceeded)
    expect(budget.reservedBytes()).toBe(4 * megabyte)
    one.release()
    other.grow(3 * megabyte)
    expect(budget.reservedBytes()).toBe(2 * megabyte)
  })

  test('is never overdrawn and all comes back, whatever buffers do', () => {
    const step = fc.record({ lease: fc.nat(4), bytes: fc.nat(20 * megabyte), ends: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const budget = openMemoryBudget(24 * megabyte)
        const leases = Array.from({ length: 5 }, () => budget.lease())
        const held = leases.map(() => 0)
        for (const { lease, bytes, ends } of steps)
          if (ends) {
            leases[lease]?.release()
            held[lease] = 0
          } else
            try {
              leases[lease]?.grow(bytes)
              held[lease] = Math.max(held[lease] ?? 0, bytes)
            } catch (thrown) {
              expect(thrown).toBeInstanceOf(MemoryBudgetExceeded)
            }
        const needed = held.reduce((sum, bytes) => sum + Math.max(0, bytes - freeBytes), 0)
        expect(budget.reservedBytes()).toBeGreaterThanOrEqual(needed)
        expect(budget.reservedBytes()).toBeLessThanOrEqual(budget.maxBytes)
        for (const lease of leases) lease.release()
        expect(budget.reservedBytes()).toBe(0)
      }),
    )
  })

  test('is that of the container where it has less than the machine', () => {
    expect(availableBytes(100, 40)).toBe(40)
    expect(availableBytes(100, 0)).toBe(100)
    expect(availableBytes(100, 2 ** 63)).toBe(100)
  })
})
