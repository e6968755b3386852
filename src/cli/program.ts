import { Command, CommanderError, Help, type Option } from 'commander'
import { isAdminError } from '../business/operations/admin-error'
import { buildText } from '../domain/build'
import { backupCommand, restoreCommand } from './local/backup'
import { chatCommand } from './local/chat'
import { doctorCommand } from './local/doctor'
import { envCommand } from './local/env'
import { migrateCommand } from './local/migrate'
import { openapiCommand } from './local/openapi'
import { singleCommand, subjectCommands } from './generated/subject-commands'
import { typeable } from './kit/command-name'
import { ReportedUnfit } from '../server/process/node-process'
import { printError, printErrorPart, printJson, printPart } from './kit/output'
import { operatorLoginCommand } from './local/operator-login'
import { ownReadyFile } from './local/next-program'
import { quickstartCommand } from './local/quickstart'
import { refusalWords, wordsElsewhere } from './local/refusal-words'
import { dropStarting, writeFailure } from './local/ready-file'
import { secretCommand } from './local/secret'
import { findRunning } from './local/running-folder'
import { serveCommand } from './local/serve-command'
import { StillStarting, waitCommand } from './local/wait'
import { storageWords } from './kit/storage-words'
import { RefusedElsewhere } from './remote/over-http'

/** Every command by what it is for, in the order of the help text. */
const groups = {
  'Serve:': { serve: serveCommand, quickstart: quickstartCommand, wait: waitCommand },
  'Customers and money:': {
    account: subjectCommands('account', 'Manage accounts'),
    group: subjectCommands('group', 'Manage groups of accounts with prices and limits'),
    person: subjectCommands('person', 'manage people who sign in to the web app'),
    verification: subjectCommands(
      'verification',
      'who account holders are: requests that wait for a decision, and who decides',
    ),
    project: subjectCommands('project', 'Manage projects'),
    key: subjectCommands('key', 'Manage API keys'),
    topup: singleCommand('topup'),
    payments: subjectCommands('payments', 'List payments, and settle those that wait'),
    rate: subjectCommands('rate', 'Manage the rate of local coins per dollar'),
    gateway: subjectCommands('gateway', 'Manage gateways that customers pay by'),
    code: subjectCommands('code', 'Manage redeem codes, for sale outside of the web app'),
  },
  'Models and vendors:': {
    model: subjectCommands(
      'model',
      'Manage models: routes, prices, what they accept',
      undefined,
      subjectCommands(
        'model alias',
        'other ids of a model, such as claude-… for a client’s picker',
      ),
    ),
    vendor: subjectCommands(
      'vendor',
      'Manage vendors and their credentials',
      undefined,
      subjectCommands('vendor credential', 'Manage the credentials of a vendor'),
    ),
    price: subjectCommands(
      'price',
      'Manage what sale prices are made of',
      subjectCommands('price rules', 'How sale prices come from costs; the narrowest rule holds'),
    ),
    prices: subjectCommands('prices', 'Check public prices, decide on price changes'),
    profit: singleCommand('profit'),
    bill: subjectCommands('bill', 'Check vendors’ bills against our records'),
  },
  'Calls and usage:': {
    requests: subjectCommands('requests', 'Look up and refund calls'),
    usage: singleCommand('usage'),
    videos: subjectCommands('videos', 'List video jobs'),
    notices: subjectCommands('notices', 'List notices about caps, balances and vendors'),
  },
  'Operation:': {
    doctor: doctorCommand,
    nodes: subjectCommands('nodes', 'show processes that serve from a shared database'),
    audit: singleCommand('audit'),
    backup: backupCommand,
    restore: restoreCommand,
    migrate: migrateCommand,
    settings: subjectCommands('settings', 'Manage settings of the whole service'),
    sms: subjectCommands('sms', 'manage SMS providers, which carry sign-in codes'),
    mail: subjectCommands('mail', 'the server that sends notices and codes by e-mail'),
    sister: subjectCommands('sister', 'manage sign-in by a ticket of another service of yours'),
    trail: subjectCommands('trail', 'show who changed what'),
    operator: subjectCommands(
      'operator',
      'Manage operators of the console, and their keys',
      (operator) => {
        subjectCommands('operator key', 'Manage keys for /admin/v1 and --remote')(operator)
        operatorLoginCommand(operator)
      },
    ),
    secret: secretCommand,
  },
  'Clients:': { chat: chatCommand, env: envCommand, openapi: openapiCommand },
} as const satisfies Readonly<Record<string, Readonly<Record<string, (program: Command) => void>>>>

const examples = `
Examples:
  chapar quickstart
  chapar serve --port 8080
  eval "$(chapar env)" && chapar chat "سلام"
`

/**
 * The command line, ready to parse; usage errors throw CommanderError.
 * @param args words to parse: where they begin with a command, no other is built; all of them where none is given
 * @param before called with each command before it runs
 */
export function buildProgram(
  args: readonly string[] = [],
  before: (command: Command) => Promise<void> = findRunning,
): Command {
  const program = new Command('chapar')
    .description(
      'A metered gateway to many vendors’ AI models: one address, one key, prepaid dollars.',
    )
    .version(buildText, '-V, --version', 'print version and build')
    .exitOverride()
    .configureOutput({ writeOut: (text) => printPart(typeable(text)), writeErr: printErrorPart })
    .showHelpAfterError('(see --help)')
    // Long flags leave little room beside them: text is wrapped there all the same.
    .configureHelp({ minWidthToWrap: 24, optionDescription })
    .option(
      '--remote <url>',
      'run the command at the gateway there, as an operator; or CHAPAR_REMOTE',
    )
    .option('--operator-key-stdin', 'read the operator’s key for that; or CHAPAR_OPERATOR_KEY')
    .enablePositionalOptions()
    .addHelpText('after', examples)
    .hook('preAction', (_, command) => before(command))
  const [only = ''] = args
  const isKnown = Object.values(groups).some((commands) => only in commands)
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading)
    for (const [name, command] of Object.entries(commands))
      if (!isKnown || name === only) command(program)
  }
  program.helpCommand('help [command]', 'Show the help of a command')
  return program
}

/** As usual; an option that a command cannot do without says so. */
function optionDescription(option: Option): string {
  const usual = new Help().optionDescription(option)
  return option.mandatory && option.defaultValue === undefined ? `${usual} (required)` : usual
}

function wordsOf(thrown: unknown): string {
  if (isAdminError(thrown)) return refusalWords(thrown)
  if (thrown instanceof RefusedElsewhere) return wordsElsewhere(thrown)
  const fault = storageWords(thrown)
  if (fault !== null) return fault
  return thrown instanceof Error ? thrown.message : String(thrown)
}

const misuse = 2
const failure = 1
const unfinished = 3

/** Runs one command and sets the exit code: 0 done, 1 it failed, 2 it was called wrongly, 3 what it waited for goes on. */
export async function runProgram(
  args: readonly string[],
  program = buildProgram(args),
): Promise<void> {
  try {
    await program.parseAsync([...args], { from: 'user' })
  } catch (thrown) {
    const readyFile = ownReadyFile(args)
    if (thrown instanceof CommanderError && thrown.exitCode === 0) {
      if (readyFile !== null) dropStarting(readyFile)
      return
    }
    if (thrown instanceof ReportedUnfit) {
      process.exitCode = failure
      return
    }
    const message = wordsOf(thrown)
    if (readyFile !== null) writeFailure(readyFile, message)
    // It has been said.
    if (thrown instanceof CommanderError) {
      process.exitCode = misuse
      return
    }
    process.exitCode = thrown instanceof StillStarting ? unfinished : failure
    const code =
      isAdminError(thrown) || (thrown instanceof RefusedElsewhere && thrown.code !== null)
        ? { code: thrown.code }
        : {}
    if (args.includes('--json')) printJson({ error: { message, ...code } })
    else printError(`chapar: ${message}`)
  }
}
