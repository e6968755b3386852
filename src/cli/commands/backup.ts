import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { systemClock } from '../../domain/clock'
import { databaseIn } from '../../storage/files/data-folder'
import { writeBackup } from '../../storage/sqlite/backup'
import { restoreBackup } from '../../storage/sqlite/restore'
import { leaf, type CommonOptions } from '../kit/leaf'
import { localTime } from '../kit/local-time'
import { printJson, printLine } from '../kit/output'

interface ForceOptions extends CommonOptions {
  readonly force?: true
}

export function backupCommand(program: Command): void {
  leaf(
    program,
    'backup',
    'everything in one file, as it is at one moment, also while a gateway serves',
    'backup /var/backups/chapar.backup',
  )
    .argument('<file>', 'where to')
    .option('--force', 'write over a file that is there')
    .action((file: string, options: ForceOptions) => {
      if (!existsSync(databaseIn(options.data)))
        throw new RangeError(`there is no database in ${options.data}`)
      if (existsSync(file) && options.force !== true)
        throw new RangeError(`${file} is there already: choose another name, or --force`)
      const bytes = writeBackup(options.data, file, systemClock)
      if (options.json) return printJson({ object: 'backup', file, bytes })
      printLine(`${file}: ${megabytes(bytes)} MB`)
      printLine('It opens the credentials of your vendors: keep it as safe as the data folder.')
    })
}

export function restoreCommand(program: Command): void {
  leaf(
    program,
    'restore',
    'put a backup into a data folder that nobody serves; checked and audited before',
    'restore /var/backups/chapar.backup --data /srv/chapar',
  )
    .argument('<file>', 'a file that backup has written')
    .option('--force', 'in the place of what the folder holds, which is kept beside')
    .action((file: string, options: ForceOptions) => {
      const { data: folder, force } = options
      const { made, audit, before } = restoreBackup(file, folder, {
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
      printLine(`${folder} is as it was on ${localTime(made)}: every balance adds up`)
      printLine(`${accounts} accounts, ${transfers} transfers, ${requests} requests`)
      if (before !== null) printLine(`what was there before: ${before}`)
    })
}

const megabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1)
