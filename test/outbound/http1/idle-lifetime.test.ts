import { describe, expect, test } from 'bun:test'
import { openIdleLifetime } from '../../../src/gateway/outbound/http1/idle-lifetime'

describe('how long an idle connection may be used', () => {
  test('is four seconds at first, and longer once one has lasted longer', () => {
    const lifetime = openIdleLifetime(30_000)
    expect(lifetime.usableMs()).toBe(4_000)
    lifetime.survived(12_000)
    expect(lifetime.usableMs()).toBe(12_000)
    lifetime.survived(90_000)
    expect(lifetime.usableMs()).toBe(30_000)
  })

  test.each([
    [5_000, 4_000],
    [1_500, 500],
    [900, 0],
    [0, 0],
  ])('is a second less than the %i ms after which the server closed one', (closed, usable) => {
    const lifetime = openIdleLifetime(30_000)
    lifetime.survived(20_000)
    lifetime.closed(closed)
    lifetime.closed(closed + 3_000)
    expect(lifetime.usableMs()).toBe(usable)
  })

  test('is trusted as far as one was answered, or is open a second later', () => {
    const lifetime = openIdleLifetime(30_000)
    expect(lifetime.trustedMs()).toBe(50)
    lifetime.answered(700)
    expect(lifetime.trustedMs()).toBe(700)
    lifetime.survived(1_600)
    expect(lifetime.trustedMs()).toBe(700)
    lifetime.survived(2_600)
    expect(lifetime.trustedMs()).toBe(1_600)
    lifetime.closed(2_000)
    expect(lifetime.trustedMs()).toBe(1_000)
    lifetime.closed(10)
    expect(lifetime.trustedMs()).toBe(0)
    lifetime.survived(100)
    expect(lifetime.trustedMs()).toBe(0)
  })

  test('is what it was again once one has lasted to our own limit', () => {
    const lifetime = openIdleLifetime(30_000)
    lifetime.closed(0)
    lifetime.survived(29_999)
    expect(lifetime.usableMs()).toBe(0)
    lifetime.survived(30_000)
    expect(lifetime.usableMs()).toBe(30_000)
  })

  test.each([
    ['timeout=5', 4_000],
    ['max=100, timeout=61', 60_000],
    ['Timeout=2', 1_000],
    ['timeout=abc', 4_000],
    ['max=3', 4_000],
  ])('of a server that says %p', (field, usable) => {
    const lifetime = openIdleLifetime(90_000)
    lifetime.told(field)
    expect(lifetime.usableMs()).toBe(usable)
  })
})
