import { Option, type Command } from 'commander'
import type { AccountId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { LedgerLine } from '../../domain/report'
import { csvLine } from '../../domain/csv-line'
import { leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine, printTable } from '../kit/output'
import { spanOf, withSpan, type SpanOptions } from '../kit/span'
import { counted } from '../kit/counted'

interface LedgerOptions extends CommonOptions, SpanOptions {
  readonly csv?: true
}

/** Every movement of one account. */
export function accountLedgerCommand(account: Command): void {
  withSpan(
    leaf(
      account,
      'ledger',
      'every movement of an account: charges, topups, adjustments, refunds',
      'account ledger 1 --since 2026-01-01 --csv > ledger.csv',
    ),
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .addOption(new Option('--csv', 'print comma-separated values').conflicts('json'))
    .action(async (id: AccountId, options: LedgerOptions) => {
      const span = spanOf(options)
      const lines: ReturnType<typeof lineView>[] = []
      if (options.csv) printLine(csvLine(columns))
      const balances = await withStorage(options, ({ reports }) =>
        reports.ledger({ account: id, ...span }, (line) => {
          const view = lineView(line)
          // A file may have millions of lines: they are not gathered.
          if (options.csv) printLine(csvLine(columns.map((column) => view[column])))
          else lines.push(view)
        }),
      )
      if (balances === null) throw new RangeError(`there is no account ${id}`)
      if (options.csv) return
      const ends = {
        opening_usd: showUsd(balances.opening),
        closing_usd: showUsd(balances.closing),
      }
      if (options.json) return printJson({ object: 'ledger', account: id, ...ends, data: lines })
      printTable([
        ['CREATED', 'KIND', 'AMOUNT', 'BALANCE', 'REFERENCE', 'BY', 'NOTE'],
        ...lines.map(({ created, kind, usd, balance_usd, reference, by, note }) => [
          created,
          kind,
          `$${usd}`,
          `$${balance_usd}`,
          reference,
          by ?? '–',
          note ?? '–',
        ]),
      ])
      printLine(
        `from $${ends.opening_usd} to $${ends.closing_usd}, ${counted(lines.length, 'movement')}`,
      )
    })
}

const columns = ['created', 'kind', 'usd', 'balance_usd', 'reference', 'by', 'note'] as const

const lineView = ({ created, amount, balance, kind, reference, by, note }: LedgerLine) => ({
  created: new Date(created).toISOString(),
  kind,
  usd: showUsd(amount),
  balance_usd: showUsd(balance),
  reference,
  by,
  note,
})
