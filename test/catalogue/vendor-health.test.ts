import { describe, expect, test } from 'bun:test'
import type { CheckedVendor } from '../../src/gateway/catalogue/health/check'
import {
  openVendorHealth,
  type HealthChanges,
  type VendorHealthBook,
} from '../../src/gateway/catalogue/health/vendor-health'
import type { VendorConfig } from '../../src/domain/model'
import type { VendorState } from '../../src/domain/vendor-state'
import { GatewayError } from '../../src/errors/gateway-error'
import { messageOnly, VendorFailure, type Alert } from '../../src/errors/vendor-failure'
import { handClock } from '../storage/folder'

const minute = 60_000
const plain: VendorConfig = {
  name: 'v',
  kind: 'openai',
  dialect: 'generic',
  baseUrl: 'http://127.0.0.1:9/v1',
  credential: 'sk-one',
  timeoutMs: 1000,
  transport: 'own',
  active: true,
  source: 'command',
}
const failed = (
  status: number,
  alert: Alert | null,
  code: 'upstream_error' | 'upstream_rate_limited' = 'upstream_error',
) =>
  new GatewayError(
    code,
    { model: 'm' },
    { cause: new VendorFailure(status, messageOnly(''), alert) },
  )
const refused = failed(401, 'credential')
const forbidden = failed(403, 'credential')
const empty = failed(402, 'quota')
const broken = failed(500, null)
const passed: CheckedVendor = { error: null, provesCredential: true, balance: null, isEmpty: false }
const checkFailed = (error: GatewayError): CheckedVendor => ({
  ...passed,
  provesCredential: false,
  error,
})

interface Desk {
  readonly health: VendorHealthBook
  /** Kinds of troubles since the last time. */
  turns(): readonly string[]
  pass(ms: number): void
  isDue(): boolean
}

function openDesk(
  vendors: readonly VendorConfig[] = [plain],
  {
    kept = [],
    checkEveryMs = 5 * minute,
  }: { kept?: readonly VendorState[]; checkEveryMs?: number | null } = {},
): Desk {
  const clock = handClock()
  const health = openVendorHealth({
    clock,
    monotonic: clock,
    tellsBalance: ({ dialect }) => dialect === 'deepseek',
    terms: { checkEveryMs: () => checkEveryMs, downAfterMs: () => 5 * minute, jitter: () => 1 },
    kept,
  })
  health.configure(vendors)
  return {
    health,
    turns: () => health.takeChanges().turns.map(({ kind }) => kind),
    pass: (ms) => clock.set(clock.now() + ms),
    isDue: () => health.due().length > 0,
  }
}

describe('a vendor', () => {
  test('is checked when it was not called for a while, and only then', () => {
    const desk = openDesk()
    desk.pass(5 * minute - 1)
    expect(desk.isDue()).toBe(false)
    desk.health.succeeded(plain)
    desk.pass(minute)
    expect(desk.isDue()).toBe(false)
    desk.pass(4 * minute)
    expect(desk.isDue()).toBe(true)
    desk.health.checked(plain, passed)
    expect(desk.isDue()).toBe(false)
    expect(openDesk([plain], { checkEveryMs: null }).isDue()).toBe(false)
  })

  test('that tells its balance is checked however much it is called', () => {
    const telling = { ...plain, dialect: 'deepseek' }
    const desk = openDesk([telling])
    desk.pass(5 * minute - 1)
    desk.health.succeeded(telling)
    expect(desk.isDue()).toBe(false)
    desk.pass(1)
    expect(desk.isDue()).toBe(true)
  })

  test('that forbids one thing again and again is checked once a minute', () => {
    const { health, pass, isDue } = openDesk()
    let checks = 0
    for (let seconds = 0; seconds < 120; seconds++) {
      pass(1000)
      health.failed(plain, forbidden)
      if (!isDue()) continue
      checks++
      health.checked(plain, passed)
    }
    expect(checks).toBeLessThanOrEqual(3)
    expect(checks).toBeGreaterThan(0)
  })

  test('is written down when something changes, not at each failure', () => {
    const { health, pass } = openDesk()
    let writes = 0
    for (let seconds = 0; seconds < 180; seconds++) {
      pass(1000)
      health.failed(plain, refused)
      writes += health.takeChanges().states.length
    }
    expect(writes).toBeLessThanOrEqual(4)
    expect(health.states().find(({ credential }) => credential === 'default')).toMatchObject({
      failureCode: 'upstream_error',
    })
  })

  test('that refuses our key is told once, and comes last until a check passes', () => {
    const { health, turns, pass, isDue } = openDesk()
    health.failed(plain, refused)
    health.failed(plain, refused)
    expect(turns()).toEqual(['refuses_key'])
    pass(24 * 60 * minute)
    expect(health.coolingUntil('v')).toBeGreaterThan(0)
    expect(isDue()).toBe(true)
    health.checked(plain, checkFailed(refused))
    expect(turns()).toEqual([])
    // An answer that anybody gets says nothing of the key, but calls may try it.
    health.checked(plain, { ...passed, provesCredential: false })
    expect([turns(), health.coolingUntil('v')]).toEqual([[], null])
    health.failed(plain, refused)
    expect(turns()).toEqual([])
    health.checked(plain, passed)
    expect([turns(), health.coolingUntil('v')]).toEqual([['back'], null])
  })

  test('is checked at once when it forbids something, and that tells whether the key is dead', () => {
    for (const [result, expected] of [
      [passed, []],
      [checkFailed(forbidden), ['refuses_key']],
      [checkFailed(refused), ['refuses_key']],
    ] as const) {
      const { health, turns, pass, isDue } = openDesk()
      pass(1000)
      health.failed(plain, forbidden)
      pass(1)
      expect([isDue(), turns()]).toEqual([true, []])
      health.checked(plain, result)
      expect(turns()).toEqual([...expected])
    }
    // A key that may not list models is no dead key.
    const { health, turns } = openDesk()
    health.checked(plain, checkFailed(forbidden))
    expect([turns(), health.coolingUntil('v')]).toEqual([[], null])
  })

  test('where our money is used up is tried again after a while, and back with a balance or a call', () => {
    const { health, turns, pass } = openDesk()
    health.failed(plain, empty)
    expect(turns()).toEqual(['out_of_money'])
    expect(health.coolingUntil('v')).toBeGreaterThan(0)
    health.checked(plain, passed)
    expect(turns()).toEqual([])
    pass(5 * minute + 1)
    expect(health.coolingUntil('v')).toBeNull()
    health.failed(plain, empty)
    expect(turns()).toEqual([])
    const balance = { amount: '3.5', currency: 'USD' }
    health.checked(plain, { ...passed, balance })
    expect(turns()).toEqual(['back'])
    health.checked(plain, { ...passed, balance: { ...balance, amount: '0' }, isEmpty: true })
    expect(turns()).toEqual(['out_of_money'])
    health.succeeded(plain)
    expect(turns()).toEqual(['back'])
  })

  test('is down when it failed for long enough, and not by a failure here and there', () => {
    const { health, turns, pass } = openDesk()
    for (let each = 0; each < 20; each++) {
      pass(minute)
      health.failed(plain, broken)
      if (each % 4 === 3) health.succeeded(plain)
    }
    expect(turns()).toEqual([])
    health.failed(plain, broken)
    pass(5 * minute)
    expect(health.coolingUntil('v')).toBeNull()
    health.failed(plain, broken)
    health.failed(plain, broken)
    expect(turns()).toEqual(['down'])
    expect(health.coolingUntil('v')).toBeGreaterThan(0)
    // It lists its models and fails at calls: they may try again, and it is still down.
    health.checked(plain, passed)
    expect([turns(), health.coolingUntil('v')]).toEqual([[], null])
    health.failed(plain, broken)
    expect([turns(), health.coolingUntil('v') !== null]).toEqual([[], true])
    health.checked(plain, passed)
    health.checked(plain, passed)
    expect(turns()).toEqual(['back'])
  })

  test('that nobody calls is found down by checks, and back', () => {
    const { health, turns, pass, isDue } = openDesk()
    for (let checks = 0; checks < 12; checks++) {
      pass(5 * minute)
      expect(isDue()).toBe(true)
      health.checked(plain, checkFailed(broken))
    }
    expect(turns()).toEqual(['down'])
    health.checked(plain, passed)
    expect(turns()).toEqual(['back'])
  })

  test('is not told again after a restart, and is told when it is back', () => {
    const before = openDesk()
    before.health.failed(plain, refused)
    const kept = before.health.states()
    const { health, turns } = openDesk([plain], { kept })
    expect(health.coolingUntil('v')).toBeGreaterThan(0)
    health.failed(plain, refused)
    expect(turns()).toEqual([])
    health.checked(plain, passed)
    expect(turns()).toEqual(['back'])
  })

  test('is tried at once with another key, whose refusal is told', () => {
    const { health, turns, pass, isDue } = openDesk()
    health.failed(plain, refused)
    const renewed = { ...plain, credential: 'sk-new' }
    pass(1000)
    health.configure([renewed])
    expect([turns(), health.coolingUntil('v'), isDue()]).toEqual([['refuses_key'], null, true])
    health.failed(renewed, refused)
    expect(turns()).toEqual(['refuses_key'])
    health.configure([{ ...plain, credential: 'sk-newer' }])
    health.checked({ ...plain, credential: 'sk-newer' }, passed)
    expect(turns()).toEqual(['back'])
  })

  test('that is switched off or taken away is forgotten, and what could not be written is kept', () => {
    const { health } = openDesk()
    health.failed(plain, refused)
    const unwritten: HealthChanges = health.takeChanges()
    expect(unwritten.states).toMatchObject([{ credential: 'default', trouble: 'refuses_key' }])
    health.putBack(unwritten)
    expect(health.takeChanges()).toEqual(unwritten)
    health.configure([{ ...plain, active: false }])
    expect(health.coolingUntil('v')).toBeNull()
    const { gone, states } = health.takeChanges()
    expect(gone.map(({ credential }) => credential)).toEqual(['', 'default'])
    expect(states).toEqual([])
  })

  test('with a second key that serves is not last, and a limit is no trouble', () => {
    const vendor = {
      ...plain,
      moreCredentials: [{ name: 'two', secret: 'sk-two', active: true }],
    }
    const { health, turns, pass, isDue } = openDesk([vendor])
    const call = { project: null }
    const [first, second] = health.order(vendor, call)
    if (first === undefined || second === undefined) throw new Error('not two')
    health.failed(first, refused)
    expect(health.coolingUntil('v')).toBeNull()
    expect(health.order(vendor, call)).toEqual([second])
    health.failed(second, failed(429, null, 'upstream_rate_limited'))
    expect(health.coolingUntil('v')).toBeNull()
    expect(health.order(vendor, call)).toEqual([second])
    expect(turns()).toEqual(['refuses_key'])
    health.failed(second, empty)
    expect(health.coolingUntil('v')).toBeGreaterThan(0)
    health.checked(first, passed)
    expect(health.coolingUntil('v')).toBeNull()
    pass(minute)
    expect(isDue()).toBe(true)
  })
})
