import type { Command } from 'commander'
import { showUsd } from '../../domain/money'
import { leaf, withStorage, type CommonOptions } from '../kit/leaf'
import { counted } from '../kit/counted'
import { printJson, printLine } from '../kit/output'

export function auditCommand(program: Command): void {
  leaf(
    program,
    'audit',
    'recompute every balance from the ledger; exits 1 on any difference',
    'audit',
  ).action(async (options: CommonOptions) => {
    const report = await withStorage(options, (storage) => storage.audit())
    if (!report.ok) process.exitCode = 1
    if (options.json) return printJson(report)
    const { accounts, transfers, requests, pending, differences } = report
    printLine(
      `${counted(accounts, 'account')}, ${counted(transfers, 'transfer')}, ${counted(requests, 'request')}, ${pending} pending`,
    )
    if (report.spooled > 0)
      printLine(
        `${counted(report.spooled, 'charge')} of $${showUsd(report.spooledCost)} in the spool, not yet in the database: chapar serve writes them`,
      )
    for (const difference of differences) printLine(`✗ ${difference}`)
    printLine(
      report.ok ? '✓ every balance is the sum of its transfers' : '✗ the ledger does not add up',
    )
  })
}
