import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { keyPrefix, readConfig } from '../config'
import { systemClock } from '../domain/clock'
import type { AccountId } from '../domain/ids'
import { parseUsd, showUsd } from '../domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../identity/secret'
import { openStorage } from '../storage/sqlite/open-storage'
import type { Storage } from '../storage/storage'
import { askChat, type ChatAnswer } from './chat-client'
import { leaf, type CommonOptions } from './leaf'
import { printFields, printJson, printLine } from './output'
import { quickstartKey, quickstartKeyFile } from './reach'
import { untilStopped, runServe, type RunningServer } from './serve'

interface QuickstartOptions extends CommonOptions {
  readonly once?: true
  readonly host?: string
  readonly port?: string
}

const demoCredit = '5'
const demoModel = 'sandbox/echo-priced'
const demoText = 'سلام! Hello from Chapar.'

export function quickstartCommand(program: Command): void {
  leaf(
    program,
    'quickstart',
    'a demo account and key, one real call, then serve',
    'quickstart --once',
  )
    .option('--once', 'end after the call')
    .option('--host <address>', 'address to listen on')
    .option('--port <n>', 'port to listen on (default: 8080, or the next free one)')
    .action(quickstart)
}

async function quickstart(options: QuickstartOptions): Promise<void> {
  const { account, key } = prepare(options.data)
  const server = await serveSomewhere(options)
  try {
    const { url } = server
    const answer = await askChat({
      url,
      key,
      model: demoModel,
      text: demoText,
      maxTokens: 100,
      onText: () => {},
    })
    // The charge is in the database a few milliseconds after the answer.
    await Bun.sleep(50)
    const balance = balanceOf(options.data, account)
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
    } else tell(server, key, answer, balance, options.once === true)
    if (!options.once) await untilStopped(server)
  } finally {
    await server.stop()
  }
}

/** The account, project and key of the demonstration; the same ones every time. */
function prepare(folder: string): { account: AccountId; key: string } {
  const storage = openStorage({ folder, exclusive: false, clock: systemClock })
  try {
    const { directory } = storage
    const account =
      directory.listAccounts().find(({ name }) => name === 'demo') ??
      directory.createAccount({ name: 'demo', verified: true, concurrency: 100 })
    const credit = { account: account.id, amount: parseUsd(demoCredit), kind: 'topup' } as const
    directory.deposit({ ...credit, reference: 'quickstart-credit' })
    return {
      account: account.id,
      key: quickstartKey(folder) ?? makeKey(storage, folder, account.id),
    }
  } finally {
    storage.close()
  }
}

function makeKey({ directory, pepper }: Storage, folder: string, account: AccountId): string {
  const project =
    directory.listProjects(account)[0] ?? directory.createProject({ account, name: 'demo' })
  const secret = makeSecret(keyPrefix(readConfig(process.env).services[0]))
  const key = {
    project: project.id,
    name: 'quickstart',
    requestsPerMinute: null,
    prefix: secretPrefix(secret),
  }
  directory.createKey(key, hashSecret(secret, pepper))
  writeFileSync(quickstartKeyFile(folder), `${secret}\n`, { mode: 0o600 })
  return secret
}

function balanceOf(folder: string, account: AccountId): string {
  const storage = openStorage({ folder, exclusive: false, clock: systemClock })
  try {
    const found = storage.directory.findAccount(account)
    if (found === null) throw new Error('the demo account is gone')
    return showUsd(found.balance)
  } finally {
    storage.close()
  }
}

const portsTried = 20

/** On the port asked for, or else on the first free one from the usual. */
async function serveSomewhere(options: QuickstartOptions): Promise<RunningServer> {
  const first = options.port === undefined ? readConfig(process.env).port : Number(options.port)
  for (let port = first; ; port++) {
    try {
      return await runServe({
        dataFolder: options.data,
        host: options.host ?? null,
        port,
        ephemeral: false,
        readyFile: null,
        quiet: true,
      })
    } catch (thrown) {
      const taken = thrown instanceof Error && 'code' in thrown && thrown.code === 'EADDRINUSE'
      if (!taken || options.port !== undefined || port - first >= portsTried) throw thrown
    }
  }
}

function tell(
  server: RunningServer,
  key: string,
  answer: ChatAnswer,
  balance: string,
  once: boolean,
): void {
  printLine(`Chapar serves at ${server.url}/v1`)
  printLine(`vendors: ${server.vendors.join(', ')} · ${server.models} models on sale`)
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
  if (!once) printLine('\nServing until Ctrl-C.')
}
