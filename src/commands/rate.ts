import { Option, type Command } from 'commander'
import { parseRate, type CoinRate } from '../payments/rate'
import { branch, leaf, read, refusing, withStorage, type CommonOptions } from './leaf'
import { operator } from './operator'
import { printJson, printLine, printTable } from './output'

const view = ({ rate, validFrom, by }: CoinRate) => ({
  object: 'rate',
  coins_per_usd: rate,
  valid_from: new Date(validFrom).toISOString(),
  by,
})

export function rateCommand(program: Command): void {
  const rate = branch(program, 'rate', 'local coins a dollar, for topups')

  leaf(rate, 'show', 'the rate now', 'rate show').action((options: CommonOptions) => {
    const now = withStorage(options, ({ payments }) => payments.rate())
    if (now === null)
      throw new RangeError('there is no rate of coins yet: set one with chapar rate set')
    if (options.json) return printJson(view(now))
    printLine(`${now.rate} coins a dollar, since ${new Date(now.validFrom).toISOString()}`)
  })

  leaf(
    rate,
    'set',
    'a new rate from now on; what came in keeps the rate it came at',
    'rate set 1050000',
  )
    .argument('<coins>', 'coins per dollar', (text: string) => refusing(() => parseRate(text)))
    .action((coins: string, options: CommonOptions) => {
      const made = withStorage(options, ({ payments }) => payments.setRate(coins, operator()))
      if (options.json) return printJson(view(made))
      printLine(`${made.rate} coins a dollar, from now on`)
    })

  leaf(rate, 'history', 'every rate there was, newest first', 'rate history')
    .addOption(new Option('--limit <n>', 'newest only').argParser(read.count).default(100))
    .action((options: CommonOptions & { limit: number }) => {
      const all = withStorage(options, ({ payments }) => payments.rates(options.limit))
      if (options.json) return printJson({ object: 'list', data: all.map(view) })
      printTable([
        ['VALID FROM', 'COINS PER USD', 'BY'],
        ...all.map((each) => [new Date(each.validFrom).toISOString(), each.rate, each.by]),
      ])
    })
}
