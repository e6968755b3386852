import type { Command } from 'commander'
import { operationOf } from '../generated/subject-commands'
import { goElsewhere } from '../kit/place'
import { buildProgram, runProgram } from '../program'
import { commandWords } from '../kit/command-name'
import { gatewayOrigin } from './gateway-origin'
import { savedKey } from './saved-keys'

/** A command for a gateway that is elsewhere. */
interface RemoteCommand {
  readonly url: string
  readonly args: readonly string[]
  /** By the command line itself, not by the environment. */
  readonly isTold: boolean
  readonly keyOnStdin: boolean
  readonly key: string | null
}

type Environment = Readonly<Record<string, string | undefined>>

/** Remote address of a command, and the rest of its words; null: it runs here. */
export function remoteOf(args: readonly string[], env: Environment): RemoteCommand | null {
  const rest: string[] = []
  let told: string | null = null
  let keyOnStdin = false
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--') {
      rest.push(...args.slice(at))
      break
    }
    if (word === '--remote') told = args[++at] ?? ''
    else if (word.startsWith('--remote=')) told = word.slice('--remote='.length)
    else if (word === '--operator-key-stdin') keyOnStdin = true
    else rest.push(word)
  }
  const url = told ?? (env['CHAPAR_REMOTE']?.trim() || null)
  if (url === null) return null
  const key = env['CHAPAR_OPERATOR_KEY']?.trim() || null
  return { url, args: rest, isTold: told !== null, keyOnStdin, key }
}

/** Commands that need no data: they run here where the environment alone says otherwise. */
const without: ReadonlySet<string> = new Set([
  'chat',
  'env',
  'openapi',
  'operator login',
  'operator logout',
])

/** Runs a command elsewhere: its usage is checked here, what it says is printed as it comes. */
export async function runElsewhere(remote: RemoteCommand): Promise<void> {
  const program = buildProgram(remote.args, async (command) => {
    const words = commandWords(command)
    if (operationOf(command) === null) {
      if (!remote.isTold && without.has(words)) return
      throw new RangeError(`chapar ${words} is for the machine of the data, not from elsewhere`)
    }
    if (remote.keyOnStdin && readsStdin(command, words))
      throw new RangeError(
        'standard input is read once: give the operator’s key by CHAPAR_OPERATOR_KEY',
      )
    await callFromHere(remote, command)
  })
  await runProgram(remote.args, program)
}

/** The command runs here; its operation is called there. */
async function callFromHere(remote: RemoteCommand, command: Command): Promise<void> {
  for (const name of ['data', 'database'])
    if (command.getOptionValueSource(name) === 'cli')
      throw new RangeError(`--${name} names what is here: the gateway has its own`)
  const origin = gatewayOrigin(remote.url)
  const stdin = remote.keyOnStdin ? await Bun.stdin.text() : ''
  goElsewhere({ origin, key: keyFor(remote, origin, stdin) })
}

/** The operator's key for a gateway. @throws RangeError where none is given or kept */
function keyFor(remote: RemoteCommand, origin: string, stdin: string): string {
  const key = remote.keyOnStdin ? stdin.trim() : (remote.key ?? savedKey(origin))
  if (key !== null) return key
  throw new RangeError(
    `no operator’s key for ${origin}: chapar operator login ${origin}, or CHAPAR_OPERATOR_KEY`,
  )
}

const readsStdin = (command: Command, words: string): boolean =>
  words === 'sister check' ||
  Object.entries(command.opts()).some(
    ([name, value]) => (name.endsWith('Stdin') && value === true) || isDash(value),
  )

const isDash = (value: unknown): boolean => Array.isArray(value) && value.includes('-')
