import { expect, test } from 'bun:test'
import type { Offer } from '../../src/catalogue/catalogue'
import { openOutcome } from '../../src/call/outcome'
import { systemClock } from '../../src/domain/clock'
import type { CallEnding, CallOpening } from '../../src/domain/record'
import type { Inbound } from '../../src/http/inbound'
import type { Hold } from '../../src/ledger/ledger'
import { uncountedSlot } from '../../src/limits/address-slots'
import { compileCard } from '../../src/metering/price-card'
import type { CallObserver } from '../../src/observability/call-observer'

test('what cannot be priced gives its money and its seat back', () => {
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
  const call = openOutcome(
    { clock: systemClock, observer: { ended() {} } as unknown as CallObserver },
    {
      hold,
      seat: { release: () => void released++ },
      offer,
      ceiling: null,
      opening: { created: systemClock.now() } as CallOpening,
      inbound: { slot: uncountedSlot } as Inbound,
    },
  )
  const usage = { units: { input: 5, output: 5 }, reasoning: 0, estimated: false }
  expect(() => call.charge({ status: 'success', route: null, error: null }, usage)).toThrow()
  expect(endings).toMatchObject([{ status: 'error', error: 'internal_error', cost: 0 }])
  expect(released).toBe(1)
})
