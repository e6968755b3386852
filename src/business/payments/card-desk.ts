import type { Clock, Ms } from '../../domain/clock'
import { systemPaymentId, type AccountId, type PaymentId, type PersonId } from '../../domain/ids'
import { nanosPerUsd, type NanoUsd } from '../../domain/money'
import {
  chargeInRials,
  GatewayFault,
  noAnswer,
  type CardGateway,
  type GatewayEvent,
} from './card-gateway'
import { type Rial, trialBank } from '../../domain/payment'
import type { CardPayment, CardPaymentStore, NewCardPayment } from './card-payment'
import type { GatewayConfigStore, GatewayConfig } from './gateway-config'
import { chargeInCurrency, gatewayFacts, type CardGatewayParts, type PaidIn } from './gateway-kinds'
import { PaymentRefusal } from './payment-refusal'
import { dollarsOfCoins, type CoinRate } from './rate'
import { returnAddress } from './return-address'
import { openSettle } from './settle-payment'
import { minimumCoins } from './coins'
import { openTrialBank, type TrialSlip, type TrialSlipStore } from './trial-bank'
import type { PaymentStore } from './contract'

/** Order of a payment by card. */
export interface PaymentOrder {
  readonly account: AccountId
  readonly person: PersonId | null
  /** Name of one of the ways. */
  readonly gateway: string
  /** Coins at the rate that was shown, or dollars. */
  readonly pays: { readonly coins: number; readonly shownRate: string } | { readonly usd: NanoUsd }
  /** `09…`, where a gateway may offer the cards it knows. */
  readonly mobile: string | null
  readonly description: string
  /** Of the service, without a path; null where it is not configured. */
  readonly origin: string | null
}

interface CardServiceParts extends OfferParts, CardGatewayParts {
  readonly gateways: GatewayConfigStore
  readonly store: CardPaymentStore
  readonly slips: TrialSlipStore
  readonly clock: Clock
  /** Rials of a coin. */
  rialsPerCoin(): number
  /** A payment was opened at the test bank. */
  onTrial(slip: TrialSlip): void
  /** Money came in: balances are to be read anew. */
  onCredited(payment: CardPayment): void
  /** A payment came to nothing: its people may be told. */
  onRefused(payment: CardPayment): void
  onFault(fault: unknown): void
}

/** Payments by card, from their beginning to their end. */
export interface CardService {
  offer(): Promise<TopUpOffer>
  /** Opens a payment at a gateway; never tried again by itself. @throws PaymentRefusal */
  start(order: PaymentOrder): Promise<{ readonly payment: CardPayment; readonly page: string }>
  /**
   * Asks the gateway how a payment stands, and credits it once it is paid: for whoever returns, for a
   * page that waits, by the clock, by an operator, as often as one likes.
   * @throws PaymentRefusal payment_not_found
   */
  settle(id: PaymentId): Promise<CardPayment>
  /** The payment that a gateway's signed event is about; null for none. @throws GatewayFault | PaymentRefusal */
  eventPayment(gateway: string, event: GatewayEvent): Promise<CardPayment | null>
  readonly gatewayOf: GatewayOf
}

/** Time for which the rate that was shown is kept. */
export const promiseMs = 15 * 60_000
/** An order of more is a mistake: ZarinPal's bound is 100,000,000 tomans (its error −41). */
const maxCoins = 100_000_000
const usdBounds = { min: 1, max: 10_000 }
const hourMs = 3_600_000
/** Payments that one account may begin in an hour: gateways lock whoever opens too many. */
const maxPerHour = 20

export function openCardService(parts: CardServiceParts): CardService {
  const { store, gateways, slips } = parts
  const trial = openTrialBank(slips, parts.onTrial)
  const gatewayOf = openGatewayOf(parts)
  return {
    offer: () => topUpOffer(parts),
    gatewayOf,
    settle: openSettle({ ...parts, gatewayOf }),
    async start(order) {
      const way = await wayOf(parts, order)
      const payment = { ...(await promised(parts, order, way)), id: systemPaymentId() }
      const gateway =
        way.config === null ? trial : gatewayFacts[way.config.kind].open(way.config, parts)
      await beginRow(store, payment)
      return await begin(parts, { order, payment, gateway })
    },
    async eventPayment(name, event) {
      const config = (await gateways.list()).find((each) => each.name === name)
      if (config === undefined) throw new PaymentRefusal('gateway_unknown', {})
      const gateway = gatewayFacts[config.kind].open(config, parts)
      if (gateway.eventReference === undefined) throw new PaymentRefusal('gateway_unknown', {})
      const reference = gateway.eventReference(event)
      return reference === null ? null : await store.findByReference(config.kind, reference)
    },
  }
}

/** Finds the gateway of a payment; null where it is gone. */
type GatewayOf = (payment: Pick<CardPayment, 'gateway' | 'kind'>) => Promise<CardGateway | null>

interface GatewayOfParts extends CardGatewayParts {
  readonly gateways: Pick<GatewayConfigStore, 'list'>
  readonly slips: TrialSlipStore
}

export function openGatewayOf({ gateways, slips, ...parts }: GatewayOfParts): GatewayOf {
  const trial = openTrialBank(slips)
  return async ({ gateway, kind }) => {
    if (kind === trialBank) return trial
    const config = (await gateways.list()).find(({ name }) => name === gateway)
    // Another kind under the same name knows nothing of it.
    return config?.kind === kind ? gatewayFacts[kind].open(config, parts) : null
  }
}

async function wayOf(parts: OfferParts, { gateway, origin }: PaymentOrder): Promise<PaymentWay> {
  const { ways } = await topUpOffer(parts)
  if (ways.length === 0) throw new PaymentRefusal('top_up_off', {})
  const way = ways.find(({ name }) => name === gateway)
  if (way === undefined) throw new PaymentRefusal('gateway_unknown', {})
  // The test bank leads back by a path.
  if (origin === null && way.config !== null) throw new PaymentRefusal('public_url_missing', {})
  return way
}

async function beginRow(store: CardPaymentStore, payment: NewCardPayment): Promise<void> {
  const { created: now } = payment
  const oldest = await store.begin(payment, { since: (now - hourMs) as Ms, max: maxPerHour })
  if (oldest === null) return
  const waitSeconds = Math.max(1, Math.ceil((oldest + hourMs - now) / 1000))
  throw new PaymentRefusal('top_up_too_often', { waitSeconds })
}

/** What is promised for what is paid. @throws PaymentRefusal */
async function promised(
  parts: CardServiceParts,
  { account, person, pays }: PaymentOrder,
  { config, name, kind, paidIn }: PaymentWay,
): Promise<Omit<NewCardPayment, 'id'>> {
  const created = parts.clock.now()
  const common = { account, person, gateway: name, kind, created, due: firstPoll(created) }
  if (paidIn === 'usd' && config !== null) {
    const { min, max } = usdBounds
    const usd = 'usd' in pays ? pays.usd : null
    if (usd === null || usd < min * nanosPerUsd || usd > max * nanosPerUsd)
      throw new PaymentRefusal('usd_out_of_range', usdBounds)
    return { ...common, coins: null, amount: usd, charge: chargeInCurrency(config, usd) }
  }
  const { rate, trouble } = await topUpOffer(parts)
  if (trouble !== null || rate === null) throw new PaymentRefusal(trouble ?? 'rate_missing', {})
  const bounds = { min: minimumCoins, max: maxCoins }
  const count = 'coins' in pays ? pays.coins : Number.NaN
  if (!Number.isSafeInteger(count) || count < bounds.min || count > bounds.max)
    throw new PaymentRefusal('coins_out_of_range', bounds)
  if ('coins' in pays && pays.shownRate !== rate.rate)
    throw new PaymentRefusal('rate_changed', { rate: rate.rate })
  return {
    ...common,
    coins: { count, rate: rate.rate, until: (created + promiseMs) as Ms },
    amount: dollarsOfCoins(count, rate.rate),
    charge: chargeInRials((count * parts.rialsPerCoin()) as Rial),
  }
}

/** The customer is at the bank until then. */
const firstPoll = (created: Ms): Ms => (created + 30_000) as Ms

interface Beginning {
  readonly order: PaymentOrder
  readonly payment: NewCardPayment
  readonly gateway: CardGateway
}

async function begin(
  { store, onFault }: CardServiceParts,
  { order, payment, gateway }: Beginning,
): Promise<{ readonly payment: CardPayment; readonly page: string }> {
  const { id, charge, gateway: name } = payment
  const { description, mobile, origin } = order
  try {
    const returnTo = returnAddress(origin ?? '', id)
    const opened = await gateway.begin({ payment: id, charge, description, mobile, returnTo })
    // A reference that another payment has would be credited twice.
    if (!(await store.refer(id, opened.reference))) throw new GatewayFault('reference_known')
    const referred = await store.find(id)
    if (referred === null) throw new Error('a payment that was just written is gone')
    return { payment: referred, page: opened.page }
  } catch (thrown) {
    // Nobody was shown a page of it: nobody pays it.
    const code = thrown instanceof GatewayFault ? thrown.code : noAnswer
    await store.note(id, { state: 'refused', code, due: null })
    if (!(thrown instanceof GatewayFault)) onFault(thrown)
    throw new PaymentRefusal('gateway_refused', { gateway: name, fault: code })
  }
}

/** Why nobody can pay in coins at this moment. */
type RateTrouble = 'rate_missing' | 'rate_too_old'

/** A way to pay. */
interface PaymentWay {
  /** Null for the bank inside of the program. */
  readonly config: GatewayConfig | null
  readonly name: string
  readonly kind: GatewayConfig['kind'] | typeof trialBank
  readonly paidIn: PaidIn
}

/** Ways to pay at this moment. */
interface TopUpOffer {
  readonly ways: readonly PaymentWay[]
  readonly rate: CoinRate | null
  /** Null where the rate is good, or no way needs one. */
  readonly trouble: RateTrouble | null
}

interface OfferParts {
  readonly gateways: Pick<GatewayConfigStore, 'list'>
  readonly payments: Pick<PaymentStore, 'rate'>
  readonly clock: Clock
  /** How old a rate may be; null for any age. */
  maxRateAgeMs(): number | null
  /** In demo mode the test bank stands in where no gateway is set up. */
  readonly isDemo: boolean
}

/** Ways to pay as they are set up by now. */
async function topUpOffer(parts: OfferParts): Promise<TopUpOffer> {
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
