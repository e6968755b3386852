import { Help, type Command } from 'commander'
import { generousTerms, type EphemeralTerms } from '../../business/accounts/ephemeral-account'
import { readConfig, variableTable } from '../../server/config'
import { processesOf } from '../../server/process/process-count'
import type { NanoUsd } from '../../domain/money'
import { leaf, read, refusing, type CommonOptions } from '../kit/command'
import { isTerminal, printJson, printLine } from '../kit/output'
import { describeCommands } from '../kit/describe-commands'
import { takeSuccession } from './next-program'
import { supervisorLink } from './node-processes'
import { runNode, runServe, type RunningServer, type ServeOptions } from './serve'
import { receiveReplacing, openStops, untilDismissed, type Stops } from './until-stopped'
import { counted } from '../kit/plural'

interface ServeCommandOptions extends CommonOptions {
  readonly database?: string
  readonly host?: string
  readonly port?: number
  readonly metricsHost?: string
  readonly metricsPort?: number
  readonly adminHost?: string
  readonly adminPort?: number
  readonly processes?: number
  readonly sandbox?: true
  readonly demo?: true
  readonly readyFile?: string
  readonly ephemeral?: true
  readonly credit?: NanoUsd
  readonly rpm?: number
  readonly concurrency?: number
  readonly spendLimit?: NanoUsd
}

export function serveCommand(program: Command): void {
  leaf(
    program,
    'serve',
    'serve until SIGTERM, SIGHUP or Ctrl-C, then let running calls finish; SIGUSR2 replaces the program by the one on the disk',
    'serve --host 0.0.0.0 --port 8080',
  )
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <n>', 'port to listen on; 0 takes a free one (default: 8080)', read.port)
    .option(
      '--metrics-host <address>',
      'address that serves metrics and nothing else (default: 127.0.0.1)',
    )
    .option('--metrics-port <n>', 'port of that address; without it there is none', read.port)
    .option(
      '--admin-host <address>',
      'address that serves operators and nobody else (default: 127.0.0.1)',
    )
    .option(
      '--admin-port <n>',
      'port of that address; without it operators are answered at the public one',
      read.port,
    )
    .option(
      '--processes <n>',
      'node processes at the port, with --database; auto: as many as there are cores (default: 1)',
      (text: string) => refusing(() => processesOf(text, '--processes')),
    )
    .option('--sandbox', 'sell the models of the built-in sandbox too, whose answers are made up')
    .option('--demo', 'for trying: print sign-in codes here, and offer a test bank')
    .option('--ready-file <file>', 'write address and key here while it serves; see chapar wait')
    .option('--ephemeral', 'for CI: in memory, the sandbox alone, and a key of its own')
    .option('--credit <usd>', 'with --ephemeral: dollars on its account (default: 1000)', read.usd)
    .option('--rpm <n>', 'with --ephemeral: requests per minute of its key', read.count)
    .option('--concurrency <n>', 'with --ephemeral: requests at once (default: 1000)', read.count)
    .option('--spend-limit <usd>', 'with --ephemeral: dollars that its key may spend', read.usd)
    .addHelpText('after', variablesHelp)
    .action(async (options: ServeCommandOptions) => {
      receiveReplacing()
      const serve: ServeOptions = {
        dataFolder: options.data,
        ...(options.database === undefined ? {} : { database: options.database }),
        host: options.host ?? null,
        port: options.port ?? null,
        metrics: {
          ...(options.metricsHost === undefined ? {} : { host: options.metricsHost }),
          ...(options.metricsPort === undefined ? {} : { port: options.metricsPort }),
        },
        admin: {
          ...(options.adminHost === undefined ? {} : { host: options.adminHost }),
          ...(options.adminPort === undefined ? {} : { port: options.adminPort }),
        },
        ephemeral: termsOf(options),
        ...switchesOf(options),
        readyFile: options.readyFile ?? null,
        quiet: false,
        isReplaceable: true,
        succeeds: takeSuccession(),
        ...(options.processes === undefined ? {} : { processes: options.processes }),
        describeCommands: () => describeCommands(program),
      }
      const supervisor = supervisorLink()
      if (supervisor !== null) return await untilDismissed(await runNode(serve, supervisor))
      let stops: Stops | null = null
      const server = await runServe({ ...serve, onServing: () => (stops = openStops()) })
      // Whoever began the first process was told.
      if (serve.succeeds === null) await tell(server, options)
      await (stops ?? openStops()).until(server)
    })
}

const switchesOf = ({ sandbox, demo }: ServeCommandOptions) => ({
  ...(sandbox === true ? { sandbox } : {}),
  ...(demo === true ? { demo } : {}),
})

/** @returns false for a gateway that keeps what it does @throws RangeError where terms have no account */
function termsOf(options: ServeCommandOptions): EphemeralTerms | false {
  const { credit, rpm, concurrency, spendLimit } = options
  if (options.ephemeral === true)
    return {
      credit: credit ?? generousTerms.credit,
      requestsPerMinute: rpm ?? generousTerms.requestsPerMinute,
      concurrency: concurrency ?? generousTerms.concurrency,
      spendLimit: spendLimit ?? generousTerms.spendLimit,
    }
  if ([credit, rpm, concurrency, spendLimit].some((each) => each !== undefined))
    throw new RangeError(
      '--credit, --rpm, --concurrency and --spend-limit go with --ephemeral; accounts and keys that are kept have their own: chapar account set, chapar key set',
    )
  return false
}

/** Environment variables, laid out as commander lays out options. */
function variablesHelp(): string {
  const help = new Help()
  help.prepareContext({ error: false })
  const items = variableTable().map(([name, preset, about]) =>
    help.formatItem(
      name,
      variableColumn,
      preset === '' || preset === 'none' ? about : `${about} (default: ${preset})`,
      help,
    ),
  )
  return ['Environment variables (an option wins over its variable):', ...items, ''].join('\n')
}

/** As wide as the longest name. */
const variableColumn = 27

async function tell(server: RunningServer, options: ServeCommandOptions): Promise<void> {
  const { url, key, vendors, models } = server
  if (options.json) return printJson({ url: `${url}/v1`, pid: process.pid, vendors, models })
  printLine(`Chapar serves at ${url}/v1`)
  if (vendors.length > 0)
    printLine(`vendors: ${vendors.join(', ')} · ${counted(models, 'model')} on sale`)
  if (key !== null && options.readyFile === undefined) printLine(`key: ${key}`)
  if (options.ephemeral) return
  if (readConfig(process.env).demo || options.demo === true) printLine(demoLine)
  printLine(`data: ${options.data}`)
  if (models === 0) reportNoModels()
  await notifyConsole(server, options)
}

/**
 * Tells where the first operator sets a password, while there is none. Whoever opens that link is the owner: it is
 * shown to a person at a terminal, and does not stand in a journal.
 */
export async function notifyConsole(
  { operatorLink }: Pick<RunningServer, 'operatorLink'>,
  { data }: Pick<CommonOptions, 'data'>,
): Promise<void> {
  if (operatorLink === null) return
  const command = `chapar operator link --data ${data}`
  if (!isTerminal())
    return printLine(`Console  nobody can sign in yet: ${command} prints the first operator's link`)
  printLine(`Console  ${await operatorLink()}  (30 minutes, once; ${command} prints another)`)
}

/** Said at every start in demo mode. */
export const demoLine =
  'DEMO MODE: sign-in codes are printed here, and a test bank takes no money. Not for strangers.'

function reportNoModels(): void {
  printLine('no model is on sale yet. Add a vendor, which this gateway sees at once:')
  printLine('  chapar vendor add --name openai --kind openai --base-url https://api.openai.com/v1')
  printLine('or begin with made-up answers: chapar serve --sandbox')
}
