import { and, count, eq, gte, isNotNull, isNull, lt, sum, type SQL } from 'drizzle-orm'
import { nanoUsd, plus, zeroUsd } from '../../domain/money'
import type { MoneyIn, MoneyInReader, MoneySum, MoneyWay } from './money-in'
import { cardPayments, payments, redeemCodes, transfers } from '../../storage/schema'
import type { ReadConnection } from '../../storage/sqlite/connection'

const none: MoneySum = { count: 0, amount: zeroUsd, coins: 0 }

/** Which top-ups came in by a way; each is in exactly one. */
const ways: Readonly<Record<MoneyWay, SQL | undefined>> = {
  card: isNotNull(cardPayments.id),
  coins: and(isNull(cardPayments.id), isNotNull(payments.id)),
  code: isNotNull(redeemCodes.id),
  dollars: and(isNull(cardPayments.id), isNull(payments.id), isNull(redeemCodes.id)),
}

/** Sums of money that came in, from the transfers. */
export function openMoneyIn({ orm }: ReadConnection): MoneyInReader {
  return {
    moneyIn: async ({ from, to }) => {
      const sumOf = (way: MoneyWay): MoneySum => {
        const row = orm
          .select({ count: count(), amount: sum(transfers.amount), coins: sum(payments.coins) })
          .from(transfers)
          .leftJoin(cardPayments, eq(cardPayments.transfer, transfers.id))
          .leftJoin(payments, eq(payments.transfer, transfers.id))
          .leftJoin(redeemCodes, eq(redeemCodes.transfer, transfers.id))
          .where(
            and(
              eq(transfers.kind, 'topup'),
              from === null ? undefined : gte(transfers.created, from),
              to === null ? undefined : lt(transfers.created, to),
              ways[way],
            ),
          )
          .get()
        if (row === undefined) return none
        const { amount, coins } = row
        return { count: row.count, amount: nanoUsd(Number(amount ?? 0)), coins: Number(coins ?? 0) }
      }
      const byWay: MoneyIn['byWay'] = {
        card: sumOf('card'),
        coins: sumOf('coins'),
        code: sumOf('code'),
        dollars: sumOf('dollars'),
      }
      return { byWay, total: Object.values(byWay).reduce(added, none) }
    },
  }
}

const added = (a: MoneySum, b: MoneySum): MoneySum => ({
  count: a.count + b.count,
  amount: plus(a.amount, b.amount),
  coins: a.coins + b.coins,
})
