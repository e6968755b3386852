import { expect, test } from 'bun:test'
import type { Offer } from '../../src/gateway/catalogue/catalogue'
import { MeteredCall } from '../../src/gateway/call/settlement'
import { systemClock, systemMonotonic } from '../../src/domain/clock'
import type { CallEnding, CallOpening } from '../../src/domain/record'
import type { Inbound } from '../../src/gateway/http/inbound'
import type { Hold } from '../../src/ledger/ledger'
import { uncountedSlot } from '../support/uncounted-slot'
import { exactCeiling } from '../../src/gateway/metering/usage-ceiling'
import { compileCard } from '../../src/gateway/metering/price-card'
import type { CallObserver } from '../../src/gateway/observability/call-observer'

const inboundNow = () => ({ slot: uncountedSlot, arrived: systemMonotonic.ticks() }) as Inbound

test('what cannot be priced gives its money and its slot back', () => {
  const endings: CallEnding[] = []
  let released = 0
  const hold = { release: (ending: CallEnding) => void endings.push(ending) } as unknown as Hold
  const card = {
    version: '1',
    validFrom: 0,
    lines: [{ meter: 'input', unit: 'million', price: '1' }],
  } as const
  const rates = compileCard(card as never)
  const offer = { rates, model: { contextLength: null } } as unknown as Offer
  const call = new MeteredCall(
    {
      monotonic: systemMonotonic,
      observer: { ended() {} } as unknown as CallObserver,
      costs: { of: () => null },
    },
    {
      offer,
      ceiling: null,
      opening: { created: systemClock.now() } as CallOpening,
    },
    { hold, slot: { release: () => void released++ }, inbound: inboundNow() },
  )
  const usage = { units: { input: 5, output: 5 }, reasoning: 0, estimated: false }
  expect(() => call.charge({ status: 'success', route: null, error: null }, usage)).toThrow()
  expect(endings).toMatchObject([{ status: 'error', error: 'internal_error', cost: 0 }])
  expect(released).toBe(1)
})

test('what a vendor bills beyond what a sum can hold keeps no call from its end', () => {
  const endings: CallEnding[] = []
  const hold = { settle: (ending: CallEnding) => void endings.push(ending) } as unknown as Hold
  const dear = [{ meter: 'input', unit: 'each', price: '500' }] as const
  const rates = compileCard({ version: '1', validFrom: 0, lines: dear } as never)
  const free = [{ meter: 'input', unit: 'each', price: '0' }] as const
  const offer = {
    rates: compileCard({ version: '1', validFrom: 0, lines: free } as never),
    model: { contextLength: null },
  } as unknown as Offer
  const call = new MeteredCall(
    {
      monotonic: systemMonotonic,
      observer: { ended() {} } as unknown as CallObserver,
      costs: { of: () => ({ card: 1, rates }) },
    },
    {
      offer,
      ceiling: null,
      opening: { created: systemClock.now() } as CallOpening,
    },
    { hold, slot: { release: () => {} }, inbound: inboundNow() },
  )
  const route = { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 }
  const usage = { units: { input: 30_000_000 }, reasoning: 0, estimated: false }
  call.unanswered(route, usage)
  call.charge({ status: 'success', route, error: null }, usage)
  expect(endings).toMatchObject([
    { status: 'success', vendorCost: { amount: Number.MAX_SAFE_INTEGER, estimated: true } },
  ])
})

test('what a vendor counts beyond what the call can use is not taken for its bill', () => {
  const endings: CallEnding[] = []
  const hold = {
    amount: 1_000_000,
    chargeable: (cost: number) => cost,
    settle: (ending: CallEnding) => void endings.push(ending),
  } as unknown as Hold
  const lines = [{ meter: 'input', unit: 'each', price: '0.000001' }] as const
  const rates = compileCard({ version: '1', validFrom: 0, lines } as never)
  const call = new MeteredCall(
    {
      monotonic: systemMonotonic,
      observer: { ended() {} } as unknown as CallObserver,
      costs: { of: () => ({ card: 1, rates }) },
    },
    {
      offer: { rates, model: { contextLength: null } } as unknown as Offer,
      ceiling: exactCeiling({ input: 100 }),
      opening: { created: systemClock.now() } as CallOpening,
    },
    { hold, slot: { release: () => {} }, inbound: inboundNow() },
  )
  const route = { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 }
  const usage = { units: { input: 5_000_000 }, reasoning: 0, estimated: false }
  call.charge({ status: 'success', route, error: null }, usage)
  expect(endings).toMatchObject([
    { cost: 100_000, vendorCost: { amount: 100_000, estimated: true }, unpaid: { cost: 5e9 } },
  ])
})
