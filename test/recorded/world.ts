import { mock, spyOn } from 'bun:test'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import * as os from 'node:os'
import { join } from 'node:path'
import { openTerminal } from '../cli/terminal'
import { openGatewayStandIn, secrets, type GatewayStandIn } from '../payments/gateway-stand-ins'
import { temporaryFolder } from '../support/executable'
import { typed } from './command-line'
import { recordedFiles } from './files'
import { openNormaliser } from './normalise'
import { stopClock, type StillClock } from './still-clock'

interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** A service whose answers are recorded, on data of several names that begin equal. */
export interface World {
  readonly clock: StillClock
  /** Where payments go. */
  readonly bank: GatewayStandIn
  /** What `{name}` in lines stands for: files, addresses, and ids that chance made. */
  readonly values: Record<string, string>
  /** Folder with data of this name. */
  folder(name: string): string
  /** One command on the data of this name, as it was answered. */
  run(name: string, line: string, ...more: readonly string[]): Promise<Answer>
  /** The help of a command, where the data is in a folder that every machine could have. */
  help(path: string): Promise<string>
  /** Text with placeholders for what differs from run to run. */
  normal(text: string): string
  /** Moves the data of this name to a database, where its commands go from then on. */
  move(name: string, database: string): Promise<void>
  /** Copies data, while nothing has it open. */
  copy(from: string, to: string): void
  close(): Promise<void>
}

/** Of gateways and of commands alike. */
export const environment = {
  CHAPAR_URL: 'https://api.chapar.example',
  CHAPAR_SISTER_URL: 'https://api.barid.example',
  CHAPAR_ADDRESS_RPM: '1000000',
  CHAPAR_ADDRESS_CONCURRENCY: '1024',
  CHAPAR_LOG: 'silent',
} as const

const system = { ...os }

/** Commands have the same user on every machine. */
const asUser = (username: string | null): void =>
  void mock.module('node:os', () => ({
    ...system,
    userInfo: () => ({ ...system.userInfo(), ...(username === null ? {} : { username }) }),
  }))

/** Opens a world with nothing in it; the clock stands still from then on. */
export function openWorld(): World {
  asUser('ali')
  const clock = stopClock('2025-09-01T08:00:00Z')
  const terminal = openTerminal()
  Object.assign(process.env, environment, { XDG_DATA_HOME: '/srv' })
  const base = temporaryFolder()
  const files = join(base, 'files')
  mkdirSync(files)
  for (const [name, content] of Object.entries(recordedFiles))
    writeFileSync(join(files, name), content)
  const bank = openGatewayStandIn('zarinpal')
  const paths = Object.keys(recordedFiles).map((name) => [name, join(files, name)] as const)
  const values = {
    ...Object.fromEntries(paths),
    files,
    bank: bank.base,
    'bank-secret': secrets.zarinpal,
  }
  const folder = (name: string): string => join(base, name, 'data')
  const databases = new Map<string, string>()
  const enter = (name: string): void => {
    process.env['CHAPAR_DATA'] = folder(name)
    const database = databases.get(name)
    if (database === undefined) delete process.env['CHAPAR_DATABASE']
    else process.env['CHAPAR_DATABASE'] = database
  }
  let input = ''
  const stdin = spyOn(Bun.stdin, 'text').mockImplementation(async () => input)
  const normalise = openNormaliser()
  return {
    clock,
    bank,
    values,
    folder,
    normal: (text) =>
      normalise(
        text
          .replaceAll(new RegExp(`${base}/(?!files\\b)\\w+|${base}`, 'g'), '<folder>')
          .replaceAll(process.cwd(), '<here>'),
      ),
    async run(name, line, ...more) {
      const command = typed(line, { ...values, out: join(base, name) })
      input = command.stdin
      enter(name)
      return await terminal.run(...command.words, ...more)
    },
    async help(path) {
      process.env['CHAPAR_DATA'] = '/srv/chapar'
      return (await terminal.run(...path.split(' ').filter(Boolean), '--help')).stdout
    },
    async move(name, database) {
      databases.set(name, database)
      enter(name)
      const { code, stderr } = await terminal.run('migrate')
      if (code !== 0) throw new Error(stderr)
    },
    copy: (from, to) => cpSync(folder(from), folder(to), { recursive: true }),
    async close() {
      stdin.mockRestore()
      clock.release()
      asUser(null)
      terminal.close()
      await bank.stop()
      rmSync(base, { recursive: true, force: true })
    },
  }
}
