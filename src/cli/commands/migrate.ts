import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { systemClock } from '../../domain/clock'
import { databaseIn } from '../../storage/files/data-folder'
import { moveFolder } from '../../storage/postgres/move-folder'
import { tryMove } from '../../storage/postgres/try-move'
import { counted } from '../kit/counted'
import { databaseOfCommand, leaf, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'

interface MigrateOptions extends CommonOptions {
  readonly to?: string
  readonly dryRun?: true
}

export function migrateCommand(program: Command): void {
  leaf(
    program,
    'migrate',
    'move a data folder into a new PostgreSQL database, audited; the folder stays as it was',
    'migrate --to postgres://chapar@db/chapar --dry-run',
  )
    .option(
      '--to <address>',
      'database to move to; one with a password belongs into CHAPAR_DATABASE or a file: CHAPAR_DATABASE_FILE',
    )
    .option('--dry-run', 'move nothing: tell how long it takes; a gateway may serve meanwhile')
    .action(async ({ to, dryRun, data: folder, database, json }: MigrateOptions) => {
      const address = databaseOfCommand({ database: to ?? database })
      if (address === null) throw new RangeError('name the database to move to with --to')
      if (!existsSync(databaseIn(folder)))
        throw new RangeError(`there is no database in ${folder}: name another folder with --data`)
      if (dryRun === true) {
        const { rows, seconds } = await tryMove(folder, address)
        if (json) return printJson({ object: 'migration', dry_run: true, rows, seconds })
        printLine(`${counted(rows, 'row')}: about ${counted(seconds, 'second')}, nothing was moved`)
        return
      }
      const { tables, rows, audit } = await moveFolder(folder, address, { clock: systemClock })
      const { accounts, transfers, requests } = audit
      if (json)
        return printJson({
          object: 'migration',
          dry_run: false,
          database: address.shown,
          tables,
          rows,
          accounts,
          transfers,
          requests,
        })
      printLine(`${counted(rows, 'row')} of ${counted(tables, 'table')} are in ${address.shown}`)
      printLine(
        `${counted(accounts, 'account')}, ${counted(transfers, 'transfer')}, ${counted(requests, 'request')}: every balance adds up`,
      )
      printLine(
        `${folder} stays as it was, and is not served from any more; its secret.key is needed`,
      )
    })
}
