import type { Command } from 'commander'
import { existsSync } from 'node:fs'
import { systemClock } from '../../domain/clock'
import { databaseIn } from '../../storage/files/data-folder'
import { moveFolder, tryMove, type FolderMoveStage } from '../../business/data/maintenance'
import { counted } from '../kit/plural'
import { databaseOfCommand, leaf, type CommonOptions } from '../kit/command'
import {
  endProgress,
  isWatched,
  printError,
  printJson,
  printLine,
  printProgress,
} from '../kit/output'
import { servingNote } from '../../server/serving-note'

interface MigrateOptions extends CommonOptions {
  readonly to?: string
  readonly dryRun?: true
  readonly stop?: true
}

export function migrateCommand(program: Command): void {
  leaf(
    program,
    'migrate',
    'move a data folder into a new PostgreSQL database, audited; a gateway may serve until the last moments',
    'migrate --to postgres://chapar@db/chapar --dry-run',
  )
    .option(
      '--to <address>',
      'database to move to; one with a password belongs into CHAPAR_DATABASE or a file: CHAPAR_DATABASE_FILE',
    )
    .option('--dry-run', 'move nothing: tell how long it takes; a gateway may serve meanwhile')
    .option(
      '--stop',
      'end the gateway when its turn has come; without it, wait until somebody does',
    )
    .action(async (options: MigrateOptions) => {
      const { to, data: folder, database } = options
      const address = databaseOfCommand(
        { database: to ?? database },
        to === undefined ? undefined : '--to',
      )
      if (address === null) throw new RangeError('name the database to move to with --to')
      if (!existsSync(databaseIn(folder)))
        throw new RangeError(`there is no database in ${folder}: name another folder with --data`)
      await (options.dryRun === true ? tell(address, options) : move(address, options))
    })
}

type Address = NonNullable<ReturnType<typeof databaseOfCommand>>

async function tell(address: Address, { data: folder, json }: MigrateOptions): Promise<void> {
  const { rows, seconds, stopSeconds } = await tryMove(folder, address)
  if (json)
    return printJson({
      object: 'migration',
      dry_run: true,
      rows,
      seconds,
      stop_seconds: stopSeconds,
    })
  printLine(
    `${counted(rows, 'row')}: about ${counted(seconds, 'second')}, for ${stopSeconds} of which nobody may be served; nothing was moved`,
  )
}

async function move(address: Address, options: MigrateOptions): Promise<void> {
  const { data: folder, json, stop, to, database } = options
  const stages = openStages(stop === true)
  let isStopped = false
  const { tables, rows, audit, stoppedMs } = await moveFolder(folder, address, {
    clock: systemClock,
    tell(stage) {
      isStopped ||= stage.stage === 'stopped'
      stages(stage)
    },
    stop: stop === true ? (pid) => endGateway(folder, pid) : undefined,
  }).catch((thrown: unknown) => {
    endProgress()
    if (isStopped) printError(`${folder} is as it was: start the gateway on it again`)
    throw thrown
  })
  endProgress()
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
      stopped_ms: stoppedMs === null ? null : Math.round(stoppedMs),
    })
  printLine(`${counted(rows, 'row')} of ${counted(tables, 'table')} are in ${address.shown}`)
  printLine(
    `${counted(accounts, 'account')}, ${counted(transfers, 'transfer')}, ${counted(requests, 'request')}: every balance adds up`,
  )
  if (stoppedMs !== null)
    printLine(`the gateway ended ${(stoppedMs / 1000).toFixed(1)} seconds ago: start it anew with`)
  else printLine('serve from there with')
  // With a password it stands in a variable, over which an option would win.
  const named = to === undefined && database === undefined ? '' : `--database ${address.shown} `
  printLine(`  chapar serve ${named}--data ${folder}`)
  printLine(`${folder} stays as it was, and is not served from any more; its secret.key is needed`)
}

/**
 * Asks the gateway that serves a folder to end, as its supervisor does. One that is only beginning, or is
 * none, is waited for.
 */
function endGateway(folder: string, pid: number): boolean {
  if (servingNote(folder)?.pid !== pid) return false
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    printError(`process ${pid} is somebody else's: stop it, this command waits for that`)
  }
  return true
}

const lineEachMs = 10_000

/** Tells people how far a move is: in one line that changes, or in a few that stay. */
function openStages(stops: boolean): (stage: FolderMoveStage) => void {
  let last = ''
  let toldAt = 0
  return (now) => {
    if (now.stage === 'copying') {
      const { rows, of } = now
      const text = `copying: ${rows.toLocaleString('en')} of ${of.toLocaleString('en')} rows`
      printProgress(text)
      // What follows a gateway is told by what waits for its end.
      if (isWatched() || waited.has(last) || performance.now() - toldAt < lineEachMs) return
      toldAt = performance.now()
      return printError(text)
    }
    if (now.stage === last) return
    last = now.stage
    endProgress()
    printError(wordsOf(now, stops))
  }
}

const waited: ReadonlySet<string> = new Set(['waiting', 'stopped', 'finishing'])

function wordsOf(now: Exclude<FolderMoveStage, { stage: 'copying' }>, stops: boolean): string {
  switch (now.stage) {
    case 'indexing':
      return 'indexes, sums and a first audit'
    case 'waiting': {
      const who = now.pid === null ? 'the gateway' : `the gateway (process ${now.pid})`
      return stops
        ? `all but the last moments is there: ${who} is asked to end`
        : `all but the last moments is there: stop ${who} now; until then what it serves is copied as it comes`
    }
    case 'stopped':
      return 'the gateway has ended'
    case 'finishing':
      return 'copying the rest'
    case 'checking':
      return 'comparing both sides, and the audit'
  }
}
