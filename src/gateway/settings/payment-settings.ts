import { spanOrOff, whole } from './types'

/** Settings of money that comes in. */
export const paymentSettings = {
  coinRials: {
    name: 'coin-rials',
    type: whole(1, 1_000_000),
    preset: '10',
    variable: 'CHAPAR_COIN_RIALS',
    about: 'rials of a local coin, which is what Iranian gateways are asked for; 10 for tomans',
  },
  rateMaxAge: {
    name: 'rate-max-age',
    type: spanOrOff(60_000),
    preset: '24h',
    variable: 'CHAPAR_RATE_MAX_AGE',
    about:
      'how old the rate of coins may be before top-ups by card close and a notice says so; off for any age',
  },
  wrongRedeemAlarm: {
    name: 'wrong-redeem-alarm',
    type: whole(1, Number.MAX_SAFE_INTEGER),
    preset: '50',
    variable: 'CHAPAR_WRONG_REDEEM_ALARM',
    about: 'wrong redeem codes in an hour, of all people, from which a notice tells of them',
  },
} as const
