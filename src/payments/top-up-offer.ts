import type { Clock, Ms } from '../domain/clock'
import type { GatewayConfig, GatewayConfigStore } from './gateway-config'
import { trialBank } from '../domain/payment'
import { gatewayFacts, type PaidIn } from './gateway-kinds'
import type { CoinRate } from './rate'
import type { PaymentStore } from './store'

/** Why nobody can pay in coins at this moment. */
type RateTrouble = 'rate_missing' | 'rate_too_old'

/** A way to pay. */
export interface PaymentWay {
  /** Null for the bank inside of the program. */
  readonly config: GatewayConfig | null
  readonly name: string
  readonly kind: GatewayConfig['kind'] | typeof trialBank
  readonly paidIn: PaidIn
}

/** Ways to pay at this moment. */
export interface TopUpOffer {
  readonly ways: readonly PaymentWay[]
  readonly rate: CoinRate | null
  /** Null where the rate is good, or no way needs one. */
  readonly trouble: RateTrouble | null
}

export interface OfferParts {
  readonly gateways: Pick<GatewayConfigStore, 'list'>
  readonly payments: Pick<PaymentStore, 'rate'>
  readonly clock: Clock
  /** How old a rate may be; null for any age. */
  maxRateAgeMs(): number | null
  /** In demo mode the test bank stands in where no gateway is set up. */
  readonly isDemo: boolean
}

/** Ways to pay as they are set up by now. */
export async function topUpOffer(parts: OfferParts): Promise<TopUpOffer> {
  const { gateways, payments, clock, maxRateAgeMs, isDemo } = parts
  const configs = await gateways.list()
  const rate = await payments.rate()
  const ways = configs
    // Without its secret nobody can pay by it.
    .filter(({ secret }) => secret !== null)
    .map((config) => {
      const { name, kind } = config
      return { config, name, kind, paidIn: gatewayFacts[kind].paidIn }
    })
  // Never beside a real one.
  const all = configs.length === 0 && isDemo ? [trialWay] : ways
  const needsRate = all.some(({ paidIn }) => paidIn === 'coins')
  return {
    ways: all,
    rate,
    trouble: needsRate ? troubleOf(rate, maxRateAgeMs(), clock.now()) : null,
  }
}

const trialWay: PaymentWay = { config: null, name: trialBank, kind: trialBank, paidIn: 'coins' }

function troubleOf(rate: CoinRate | null, maxAgeMs: number | null, now: Ms): RateTrouble | null {
  if (rate === null) return 'rate_missing'
  return maxAgeMs !== null && now - rate.validFrom > maxAgeMs ? 'rate_too_old' : null
}
