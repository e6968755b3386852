import type { Command } from 'commander'
import { errorCode } from '../../domain/error-code'
import { keepFoundVendors } from '../../business/catalogue/found-vendors'
import { quickstartFolder, readConfig } from '../../server/config'
import { showUsd } from '../../domain/money'
import { requestChat, type ChatAnswer } from './chat-client'
import { balanceAfter, openDemoAccount } from './demo-account'
import { detectVendors } from './configured-service'
import { leaf, read, withStorage, type CommonOptions } from '../kit/command'
import { printFields, printJson, printLine } from '../kit/output'
import { servingUrl } from '../../server/serving-note'
import { describeCommands } from '../kit/describe-commands'
import { demoLine, notifyConsole } from './serve-command'
import { runServe, type RunningServer } from './serve'
import { openStops } from './until-stopped'
import { counted } from '../kit/plural'

interface QuickstartOptions extends CommonOptions {
  readonly once?: true
  readonly host?: string
  readonly port?: number
}

const demoModel = 'sandbox/echo-priced'
const demoText = 'سلام! Hello from Chapar.'

export function quickstartCommand(program: Command): void {
  leaf(
    program,
    'quickstart',
    'make a demo account and key, send one call, then serve',
    'quickstart --once',
    quickstartFolder(process.env),
  )
    .option('--once', 'stop after the call')
    .option('--host <address>', 'address to listen on')
    .option('--port <n>', 'port to listen on (default: 8080, or the next free one)', read.port)
    .action((options: QuickstartOptions) => quickstart(options, () => describeCommands(program)))
}

async function quickstart(
  options: QuickstartOptions,
  describeCommands: () => string,
): Promise<void> {
  const serving = servingUrl(options.data)
  // Before anything is written into a folder that is in use.
  if (serving !== null)
    throw new RangeError(
      `the data folder ${options.data} is already served at ${serving}: stop that gateway first, or choose another folder with --data`,
    )
  const demo = await openDemoAccount(options.data)
  const kept = await keepVendors(options.data)
  const { key } = demo
  const { server, taken } = await serveSomewhere(options, describeCommands)
  try {
    const { url } = server
    const answer = await requestChat({
      url,
      key,
      model: demoModel,
      text: demoText,
      maxTokens: 100,
      onText: () => {},
    })
    const balance = showUsd(await balanceAfter(options.data, demo))
    if (options.json) {
      const { id, text, usage, cost_usd } = answer
      printJson({
        url: `${url}/v1`,
        key,
        answer: text,
        usage,
        cost_usd,
        balance_usd: balance,
        request_id: id,
      })
    } else {
      if (taken !== null) printLine(`port ${taken} is taken: this is the next free one`)
      await tell({ server, key, answer, balance, kept, options })
    }
    if (!options.once) await openStops().until(server)
  } finally {
    await server.stop()
  }
}

/**
 * Vendors found in the environment stay in the folder: the lines to paste put our own key into the
 * variables that theirs were in.
 */
async function keepVendors(data: string): Promise<readonly string[]> {
  return withStorage({ data }, async (storage) => {
    const { found } = await detectVendors(data, storage)
    return await keepFoundVendors(storage, found)
  })
}

const portsTried = 20

interface Served {
  readonly server: RunningServer
  /** The usual port, when somebody else has it. */
  readonly taken: number | null
}

/** On the port asked for, or else on the first free one from the usual. */
async function serveSomewhere(
  options: QuickstartOptions,
  describeCommands: () => string,
): Promise<Served> {
  const first = options.port ?? readConfig(process.env).port
  for (let port = first; ; port++) {
    try {
      const server = await runServe({
        dataFolder: options.data,
        host: options.host ?? null,
        port,
        ephemeral: false,
        demo: true,
        readyFile: null,
        quiet: true,
        describeCommands,
      })
      return { server, taken: port === first ? null : first }
    } catch (thrown) {
      const isTaken = errorCode(thrown) === 'EADDRINUSE'
      if (!isTaken || options.port !== undefined || port - first >= portsTried) throw thrown
    }
  }
}

interface Told {
  readonly server: RunningServer
  readonly key: string
  readonly answer: ChatAnswer
  readonly balance: string
  /** Vendors whose keys were in the environment. */
  readonly kept: readonly string[]
  readonly options: QuickstartOptions
}

async function tell({ server, key, answer, balance, kept, options }: Told): Promise<void> {
  printLine(`Chapar serves at ${server.url}/v1`)
  printLine(`vendors: ${server.vendors.join(', ')} · ${counted(server.models, 'model')} on sale`)
  printLine()
  printFields({
    asked: `${demoModel}: ${demoText}`,
    answer: answer.text,
    usage: `${answer.usage.prompt_tokens} tokens in, ${answer.usage.completion_tokens} out`,
    cost: `$${answer.cost_usd}`,
    balance: `$${balance}`,
    request: answer.id,
  })
  printLine()
  printLine('Paste these two lines, and any client of the reference format talks to it:')
  printLine(`  export OPENAI_BASE_URL=${server.url}/v1`)
  printLine(`  export OPENAI_API_KEY=${key}`)
  if (kept.length > 0) {
    printLine()
    printLine(
      `Your key of ${kept.join(', ')} was in the environment. It is kept sealed in ${options.data},`,
    )
    printLine('and stays in use when those lines set its variable to another key.')
    printLine(`To forget it: chapar vendor remove ${kept[0]} --data ${options.data}`)
  }
  if (options.once) return
  printLine()
  printLine('Or ask it from another terminal:')
  printLine('  chapar chat "سلام"')
  printLine()
  await notifyConsole(server, options)
  printLine(demoLine)
  printLine('\nServing until Ctrl-C.')
}
