import { Type, type Static } from '@sinclair/typebox'
import { parseRate, type CoinRate } from '../rate'
import { AdminError } from '../../operations/admin-error'
import { beforeId, Id, max, orNull, page, pageOf } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

const RateView = Type.Object({
  coins_per_usd: Type.String(),
  valid_from: Type.String(),
  by: Type.String(),
})

const ListedRateView = Type.Composite([Type.Object({ id: Id }), RateView])

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

/** @throws AdminError rate_not_set */
function firstSet(rate: Static<typeof RateView> | null): Static<typeof RateView> {
  if (rate === null) throw new AdminError('rate_not_set', {})
  return rate
}

export const rateOperations = [
  operation({
    name: 'rate.get',
    method: 'GET',
    path: '/rate',
    role: 'viewer',
    about: 'Local coins per dollar by now; null before the first rate',
    result: Type.Object({ rate: orNull(RateView) }),
    commands: [
      {
        words: 'rate show',
        about: 'show the current rate',
        example: 'rate show',
        object: 'rate',
        subject: ({ rate }) => firstSet(rate),
        said({ rate }) {
          const { coins_per_usd, valid_from } = firstSet(rate)
          return { stdout: [`${coins_per_usd} coins per dollar, since ${valid_from}`] }
        },
      },
    ],
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
    body: {
      coins_per_usd: asOption(Type.String({ minLength: 1, maxLength: 40 }), 'coins per dollar', {
        read: parseRate,
      }),
    },
    result: RateView,
    commands: [
      {
        words: 'rate set',
        about: 'set a new rate; payments keep the rate they came at',
        example: 'rate set 1050000',
        places: { coins_per_usd: '<coins>' },
        object: 'rate',
        makesFolder: true,
        said: ({ coins_per_usd }) => ({
          stdout: [`${coins_per_usd} coins per dollar, from now on`],
        }),
      },
    ],
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
    query: { before: beforeId, max },
    result: pageOf(ListedRateView, Id),
    commands: [
      {
        words: 'rate history',
        about: 'list every rate, newest first',
        example: 'rate history',
        object: 'rate',
        list: {
          pages: 'before',
          isNewestFirst: true,
          isCounted: true,
          columns: ['valid_from', 'coins_per_usd', 'by'],
          heading: ['VALID FROM', 'COINS PER USD', 'BY'],
          cells: (each) => [each.valid_from, each.coins_per_usd, each.by],
        },
      },
    ],
    async run({ storage }, { query: { before = null, max } }) {
      const found = await storage.payments.rates(max + 1, before)
      const views = found.map((rate) => ({ id: rate.id, ...rateView(rate) }))
      return page(views, max, ({ id }) => id)
    },
  }),
] as const
