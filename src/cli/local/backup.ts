import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { systemClock } from '../../domain/clock'
import { databaseIn, refuseForeign, refuseShared } from '../../storage/files/data-folder'
import { backUp, restore } from '../../business/data/maintenance'
import { counted } from '../kit/plural'
import { databaseOfCommand, leaf, type CommonOptions } from '../kit/command'
import { localTime } from '../../domain/local-time'
import { printJson, printLine } from '../kit/output'

interface ForceOptions extends CommonOptions {
  readonly force?: true
}

export function backupCommand(program: Command): void {
  leaf(
    program,
    'backup',
    'write everything to one file; safe while a gateway serves',
    'backup /var/backups/chapar.backup',
  )
    .argument('<file>', 'file to write')
    .option('--force', 'overwrite the file')
    .action(async (file: string, options: ForceOptions) => {
      const { data: folder } = options
      const database = databaseOfCommand(options)
      if (existsSync(folder)) refuseForeign(folder)
      if (database === null) refuseShared(folder)
      if (database === null && !existsSync(databaseIn(folder)))
        throw new RangeError(`there is no database in ${folder}: name another folder with --data`)
      if (existsSync(file) && options.force !== true)
        throw new RangeError(`${file} is there already: choose another name, or --force`)
      const bytes = await backUp({ folder, database }, file, systemClock)
      if (options.json) return printJson({ object: 'backup', file, bytes })
      printLine(`${file}: ${megabytes(bytes)} MB`)
      printLine('It opens the credentials of your vendors: keep it as safe as the data folder.')
    })
}

export function restoreCommand(program: Command): void {
  leaf(
    program,
    'restore',
    'replace a data folder by a backup, once it is checked and audited; no gateway may serve it',
    'restore /var/backups/chapar.backup --data /srv/chapar',
  )
    .argument('<file>', 'file that chapar backup wrote')
    .option('--force', 'replace the folder’s database; the old one is kept')
    .action(async (file: string, options: ForceOptions) => {
      const { data: folder, force } = options
      const database = databaseOfCommand(options)
      const { made, audit, before } = await restore({ folder, database }, file, {
        replace: force === true,
        clock: systemClock,
      })
      const { accounts, transfers, requests } = audit
      const time = new Date(made).toISOString()
      if (options.json)
        return printJson({
          object: 'restore',
          folder,
          made: time,
          before,
          accounts,
          transfers,
          requests,
        })
      printLine(
        `${database?.shown ?? folder} is as it was on ${localTime(made)}: every balance adds up`,
      )
      printLine(
        `${counted(accounts, 'account')}, ${counted(transfers, 'transfer')}, ${counted(requests, 'request')}`,
      )
      if (before !== null) printLine(`what was there before: ${before}`)
    })
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)
