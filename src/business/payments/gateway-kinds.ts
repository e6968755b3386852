import { Decimal } from 'decimal.js'
import type { Clock } from '../../domain/clock'
import { nanosPerUsd, type NanoUsd } from '../../domain/money'
import type { CardGateway, CardCharge } from './card-gateway'
import type { GatewayConfig } from './gateway-config'
import type { GatewayKind } from '../../domain/payment'
import type { SendToGateway } from './gateway-wire'
import { stripe } from './stripe'
import { zarinpal } from './zarinpal'
import { zibal } from './zibal'

/** Dependencies of a card gateway. */
export interface CardGatewayParts {
  readonly send: SendToGateway
  readonly clock: Clock
}

/** Unit of customers' amounts: local coins at the rate, or dollars. */
export type PaidIn = 'coins' | 'usd'

interface GatewayOption {
  readonly about: string
  /** Makes it optional. */
  readonly preset?: string
  /** A whole value. */
  readonly shape?: RegExp
}

/** A kind of gateway, as data. */
interface GatewayKindFacts {
  readonly options: Readonly<Record<string, GatewayOption>>
  readonly paidIn: PaidIn
  /** What its secret is, and what it looks like: one line each, in this order. */
  readonly secrets: readonly {
    readonly about: string
    readonly shape: RegExp
    readonly optional?: true
  }[]
  open(config: GatewayConfig, parts: CardGatewayParts): CardGateway
}

const address = /^https?:\/\/[^\s/?#]+(?:\/[^\s?#]*)?$/

const optionOf = ({ kind, options }: GatewayConfig, name: string): string =>
  options[name] ?? gatewayFacts[kind].options[name]?.preset ?? ''

const baseOf = (config: GatewayConfig): string => optionOf(config, 'base').replace(/\/+$/, '')

const secretLines = ({ secret }: GatewayConfig): readonly string[] => (secret ?? '').split('\n')

export const gatewayFacts: Readonly<Record<GatewayKind, GatewayKindFacts>> = {
  zarinpal: {
    options: {
      base: {
        about: 'address; https://sandbox.zarinpal.com is for trying',
        preset: 'https://payment.zarinpal.com',
        shape: address,
      },
    },
    paidIn: 'coins',
    secrets: [{ about: 'merchant id, 36 characters', shape: /^[0-9a-fA-F-]{36}$/ }],
    open: (config, { send }) =>
      zarinpal({ base: baseOf(config), merchant: config.secret ?? '', send }),
  },
  zibal: {
    options: {
      base: { about: 'address', preset: 'https://gateway.zibal.ir', shape: address },
    },
    paidIn: 'coins',
    secrets: [{ about: 'merchant; zibal is for trying', shape: /^\S{1,100}$/ }],
    open: (config, { send }) =>
      zibal({ base: baseOf(config), merchant: config.secret ?? '', send }),
  },
  stripe: {
    options: {
      currency: { about: 'currency of the session', preset: 'usd', shape: /^[a-z]{3}$/i },
      'per-dollar': {
        about: 'what a dollar costs in that currency',
        preset: '1',
        shape: /^(?!0+(?:\.0+)?$)\d{1,9}(?:\.\d{1,6})?$/,
      },
      base: { about: 'address', preset: 'https://api.stripe.com', shape: address },
    },
    paidIn: 'usd',
    secrets: [
      { about: 'secret key, sk_… or rk_…', shape: /^(?:sk|rk)_\S{8,250}$/ },
      {
        about: 'signing secret of the webhook, whsec_…',
        shape: /^whsec_\S{8,250}$/,
        optional: true,
      },
    ],
    open(config, { send, clock }) {
      const [key = '', signingSecret = null] = secretLines(config)
      return stripe({ base: baseOf(config), key, signingSecret, send, clock })
    },
  },
}

/** Currencies without a smaller unit (docs.stripe.com/currencies#zero-decimal). */
const zeroDecimals: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
)
const minorDigits = 2

/** Dollars in the currency of a gateway that is paid in dollars, rounded up to its smallest unit. */
export function chargeInCurrency(config: GatewayConfig, usd: NanoUsd): CardCharge {
  const currency = optionOf(config, 'currency').toUpperCase()
  const digits = zeroDecimals.has(currency) ? 0 : minorDigits
  const amount = new Decimal(usd)
    .div(nanosPerUsd)
    .times(optionOf(config, 'per-dollar'))
    .times(10 ** digits)
    .ceil()
  if (amount.gt(Number.MAX_SAFE_INTEGER)) throw new RangeError('an amount that no card pays')
  return { currency, amount: amount.toNumber() }
}
