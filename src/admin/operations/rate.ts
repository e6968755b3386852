import { Type, type Static } from '@sinclair/typebox'
import { parseRate, type CoinRate } from '../../payments/rate'
import { AdminError } from '../admin-error'
import { max, orNull } from './fields'
import { operation } from './operation'

const RateView = Type.Object({
  coins_per_usd: Type.String(),
  valid_from: Type.String(),
  by: Type.String(),
})

const rateView = ({ rate, validFrom, by }: CoinRate): Static<typeof RateView> => ({
  coins_per_usd: rate,
  valid_from: new Date(validFrom).toISOString(),
  by,
})

function rateIn(text: string): string {
  try {
    return parseRate(text)
  } catch {
    throw new AdminError('input_invalid', {
      field: 'coins_per_usd',
      rule: 'bad_form',
      form: 'coins',
    })
  }
}

export const rateOperations = [
  operation({
    name: 'rate.get',
    method: 'GET',
    path: '/rate',
    role: 'viewer',
    about: 'Local coins per dollar by now; null before the first rate',
    result: Type.Object({ rate: orNull(RateView) }),
    async run({ storage }) {
      const now = await storage.payments.rate()
      return { rate: now === null ? null : rateView(now) }
    },
  }),
  operation({
    name: 'rate.set',
    method: 'PUT',
    path: '/rate',
    role: 'owner',
    about: 'Set the rate from now on; payments keep the one that they came at',
    body: { coins_per_usd: Type.String({ minLength: 1, maxLength: 40 }) },
    result: RateView,
    async run({ storage, requester }, { body }) {
      const rate = rateIn(body.coins_per_usd)
      return rateView(await storage.payments.setRate(rate, requester.actor))
    },
  }),
  operation({
    name: 'rate.history',
    method: 'GET',
    path: '/rate/history',
    role: 'viewer',
    about: 'Rates, newest first',
    query: { max },
    result: Type.Object({ data: Type.Array(RateView) }),
    async run({ storage }, { query }) {
      return { data: (await storage.payments.rates(query.max)).map(rateView) }
    },
  }),
] as const
