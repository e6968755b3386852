import { existsSync } from 'node:fs'
import { InvalidArgumentError, type Command } from 'commander'
import { defaultDataFolder } from '../../server/config'
import { databaseOf } from '../../server/database'
import { systemClock } from '../../domain/clock'
import { latinDigits } from '../../domain/digits'
import { parseUsd, type NanoUsd } from '../../domain/money'
import {
  databaseIn,
  refuseForeign,
  refuseGone,
  refuseShared,
  secretIn,
} from '../../storage/files/data-folder'
import { noSharedSecret } from '../../storage/files/key-file'
import type { DatabaseAddress } from '../../storage/database-address'
import { isSchemaFault, openBeside } from '../../business/data/open'
import type { Storage } from '../../business/data/storage'
import { operator } from './operator'

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: true
  readonly data: string
  /** Address of a PostgreSQL database, instead of the folder's own. */
  readonly database?: string
}

/** A command with the common options and an example in its help. @param folder of its data, unless told */
export function leaf(
  parent: Command,
  usage: string,
  about: string,
  example: string,
  folder = defaultDataFolder(process.env),
): Command {
  return parent
    .command(usage)
    .description(capitalised(about))
    .option('--json', 'print JSON')
    .option('--data <dir>', 'data folder', folder)
    .option(
      '--database <address>',
      'PostgreSQL database instead of the folder’s own, such as postgres://chapar@db/chapar; ' +
        'one with a password belongs into CHAPAR_DATABASE or a file: CHAPAR_DATABASE_FILE',
    )
    .addHelpText('after', `\nExample:\n  chapar ${example}\n`)
}

/** A word that only holds commands. */
export const branch = (parent: Command, name: string, about: string): Command =>
  parent.command(name).description(capitalised(about))

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Runs beside a serving gateway, which sees the change on its next call. The storage is open until
 * `work` is over.
 * @throws RangeError where the folder or the database holds no gateway's data: a mistyped one is never made
 */
export async function withStorage<T>(
  options: Pick<CommonOptions, 'data' | 'database'>,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const isShared = databaseOfCommand(options) !== null
  if (isShared && !existsSync(secretIn(options.data))) throw noSharedSecret(options.data)
  if (existsSync(options.data)) refuseForeign(options.data)
  if (!isShared) refuseShared(options.data)
  if (!isShared) refuseGone(options.data)
  if (!isShared && !existsSync(databaseIn(options.data)))
    throw new RangeError(
      `there is no gateway's data in ${options.data}: name another folder with --data, or make it with chapar serve`,
    )
  return await within(options, false, work)
}

/** Same as `withStorage`, for commands that a gateway's data may begin with: makes the folder. */
export const withNewStorage = <T>(
  options: Pick<CommonOptions, 'data' | 'database'>,
  work: (storage: Storage) => Promise<T>,
): Promise<T> => within(options, true, work)

async function within<T>(
  options: Pick<CommonOptions, 'data' | 'database'>,
  mayBegin: boolean,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const storage = await openBeside({
    folder: options.data,
    database: databaseOfCommand(options),
    clock: systemClock,
    actor: operator(),
    mayBegin,
  })
  try {
    return await work(storage)
  } catch (thrown) {
    // It read a database of another release, as far as that went.
    if (storage.readOnly !== null && isSchemaFault(thrown)) throw new RangeError(storage.readOnly)
    throw thrown
  } finally {
    await storage.close()
  }
}

/** The database that a command means; null for the data folder's own. @param option that names it @throws RangeError */
export const databaseOfCommand = (
  { database = null }: { readonly database?: string | null | undefined },
  option?: string,
): DatabaseAddress | null => {
  const { CHAPAR_DATABASE, CHAPAR_DATABASE_FILE } = process.env
  return databaseOf(database, { CHAPAR_DATABASE, CHAPAR_DATABASE_FILE }, option)
}

/** Readers of option values; what they throw is shown with the option's name. */
export const read = {
  id<Id extends number>(text: string): Id {
    return whole(text, 1) as Id
  },
  usd(text: string): NanoUsd {
    const amount = refusing(() => parseUsd(text))
    if (amount < 0) throw new InvalidArgumentError('An amount in dollars is needed, from 0.')
    return amount
  },
  count: (text: string): number => whole(text, 1),
  countTo: (text: string, most?: number): number => whole(text, 1, most),
  port(text: string): number {
    const port = whole(text, 0)
    if (port > 65_535) throw new InvalidArgumentError('A port from 0 to 65535 is needed.')
    return port
  },
  /** A name that a person can see. */
  name(text: string): string {
    const name = text.trim()
    if (name === '') throw new InvalidArgumentError('A name is needed.')
    return name
  },
  countOrNone: (text: string): number | 'none' => (text === 'none' ? text : whole(text, 1)),
  list: (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text],
}

function whole(typed: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
  const text = latinDigits(typed)
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > most || value < least) {
    const until = most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`
    throw new InvalidArgumentError(`A whole number from ${least}${until} is needed.`)
  }
  return value
}

/** Says a refusal as the fault of an option. */
export function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw new InvalidArgumentError(thrown instanceof Error ? thrown.message : String(thrown))
  }
}
