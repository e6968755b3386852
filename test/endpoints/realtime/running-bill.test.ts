import { describe, expect, test } from 'bun:test'
import type { MeteredCall } from '../../../src/gateway/call/settlement'
import type { Ms } from '../../../src/domain/clock'
import type { Route } from '../../../src/domain/model'
import { zeroUsd } from '../../../src/domain/money'
import type { Usage } from '../../../src/domain/usage'
import { usualRates } from '../../../src/gateway/formats/realtime/audio-tokens'
import { compileCard } from '../../../src/gateway/metering/price-card'
import { openRunningBill } from '../../../src/gateway/endpoints/realtime/running-bill'

const route: Route = { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 }
/** A second of sound in base64: ten tokens heard, twenty spoken. */
const second = 64_000

/** A bill of a free model, and what it was charged at last. */
function openPlayed() {
  const charged: Usage[] = []
  const lines = (['input', 'output', 'input_audio', 'output_audio'] as const).map((meter) => ({
    meter,
    unit: 'million' as const,
    price: '1',
  }))
  const call = {
    hold: { owe: () => {} },
    offer: {
      rates: compileCard({ version: '1', validFrom: 0 as Ms, lines }),
      model: { isFree: true },
    },
    answered: () => {},
    charge: (_: unknown, usage: Usage) => {
      charged.push(usage)
      return zeroUsd
    },
    vendorCost: () => ({}),
  } as unknown as MeteredCall
  const renew = () => {
    throw new Error('nobody asks')
  }
  const bill = openRunningBill({ call, route, margin: zeroUsd, renew })
  return {
    bill,
    end: () => {
      bill.close({ status: 'success', error: null }, usualRates)
      return charged[0]?.units
    },
  }
}

describe('turns of a vendor that counts nothing', () => {
  test('and never says what it took in: each pays for its own sound alone', () => {
    const { bill, end } = openPlayed()
    for (let turn = 0; turn < 2; turn++) {
      bill.passed('client', 'sound', second)
      bill.began()
      bill.passed('vendor', 'sound', second)
      bill.billed(null, usualRates)
    }
    expect(end()).toEqual({ input_audio: 20, output_audio: 40 })
  })

  test('and says what it took in: what was not taken in is paid for by nobody', () => {
    const { bill, end } = openPlayed()
    bill.passed('client', 'sound', second)
    expect(bill.heard('said')).toBe(second)
    bill.began()
    bill.passed('vendor', 'sound', second)
    // Belongs to what is said next.
    bill.passed('client', 'sound', second)
    bill.billed(null, usualRates)
    bill.heard('nothing')
    expect(end()).toEqual({ input_audio: 10, output_audio: 20 })
  })
})
