import type { Command } from 'commander'
import { parseRate, type CoinRate } from '../../payments/rate'
import {
  branch,
  leaf,
  refusing,
  withNewStorage,
  withStorage,
  type CommonOptions,
} from '../kit/leaf'
import { printShown, shownOf, withLimit, type ListForm, type LongListOptions } from '../kit/listing'
import { localTime } from '../kit/local-time'
import { operator } from '../kit/operator'
import { printJson, printLine } from '../kit/output'

const view = ({ rate, validFrom, by }: CoinRate) => ({
  object: 'rate',
  coins_per_usd: rate,
  valid_from: new Date(validFrom).toISOString(),
  by,
})

export function rateCommand(program: Command): void {
  const rate = branch(program, 'rate', 'Manage the rate of local coins per dollar')

  leaf(rate, 'show', 'show the current rate', 'rate show').action(
    async (options: CommonOptions) => {
      const now = await withStorage(options, ({ payments }) => payments.rate())
      if (now === null)
        throw new RangeError('there is no rate of coins yet: set one with chapar rate set')
      if (options.json) return printJson(view(now))
      printLine(`${now.rate} coins per dollar, since ${localTime(now.validFrom)}`)
    },
  )

  leaf(rate, 'set', 'set a new rate; payments keep the rate they came at', 'rate set 1050000')
    .argument('<coins>', 'coins per dollar', (text: string) => refusing(() => parseRate(text)))
    .action(async (coins: string, options: CommonOptions) => {
      const made = await withNewStorage(options, ({ payments }) =>
        payments.setRate(coins, operator()),
      )
      if (options.json) return printJson(view(made))
      printLine(`${made.rate} coins per dollar, from now on`)
    })

  withLimit(leaf(rate, 'history', 'list every rate, newest first', 'rate history')).action(
    async (options: LongListOptions) => {
      const all = (
        await withStorage(options, ({ payments }) => payments.rates(Number.MAX_SAFE_INTEGER))
      ).map(view)
      return printShown(options, shownOf(all, options), form)
    },
  )
}

const form: ListForm<ReturnType<typeof view>> = {
  columns: ['valid_from', 'coins_per_usd', 'by'],
  heading: ['VALID FROM', 'COINS PER USD', 'BY'],
  cells: (each) => [each.valid_from, each.coins_per_usd, each.by],
}
