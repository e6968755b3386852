import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from '../../server/listeners/server-contract'
import { clientVariables } from './client-variables'

/** File in which a gateway that could not start says why, beside the file that is not there. */
export const failureFile = (file: string): string => `${file}.failed`

/** File in which a gateway that is starting has its process id, beside the file that is to come. */
const startingFile = (file: string): string => `${file}.starting`

/** Content of a ready file, for programs. */
export interface Ready {
  readonly url: string
  readonly pid: number
}

interface ReadyNote {
  readonly server: Pick<Server, 'url'>
  readonly key: string | null
  readonly metricsUrl: string | null
}

/** Tells whoever waits for the file where the gateway is. */
export function writeReadyFile(file: string, { server, key, metricsUrl }: ReadyNote): void {
  const variables = Object.entries(clientVariables(server.url, key)).map((each) => each.join('='))
  const lines = [...variables, `CHAPAR_PID=${process.pid}`]
  if (metricsUrl !== null) lines.push(`CHAPAR_METRICS_URL=${metricsUrl}`)
  writeWhole(file, `${lines.join('\n')}\n`)
  dropStarting(file)
}

/** Takes away what an earlier gateway left, which could be taken for this one's. */
export function clearReadyFile(file: string): void {
  rmSync(file, { force: true })
  rmSync(failureFile(file), { force: true })
}

/** Marks for `wait` that the gateway of the file is starting. */
export function writeStarting(file: string): void {
  try {
    writeWhole(startingFile(file), `${process.pid}\n`)
  } catch {
    // Why no file can be written there is said once the ready file itself is.
  }
}

/** Start of a gateway that is over, however it ended. */
export const dropStarting = (file: string): void => rmSync(startingFile(file), { force: true })

/** Process id of the gateway that said it was starting; null where none did. */
export function readStarting(file: string): number | null {
  const pid = Number(textOf(startingFile(file)) ?? 0)
  return pid > 0 ? pid : null
}

/** Takes the file away with the gateway; not another's that was started meanwhile. */
export function dropReadyFile(file: string): void {
  if (readReadyFile(file)?.pid === process.pid) rmSync(file, { force: true })
}

/** Tells whoever waits for the file that it will not come. */
export function writeFailure(file: string, message: string): void {
  rmSync(file, { force: true })
  dropStarting(file)
  writeWhole(failureFile(file), `${message.replace(/\s*\n\s*/g, ' ').trim()}\n`)
}

/** Reads a ready file; null when it is not there, or is none. */
export function readReadyFile(file: string): Ready | null {
  const text = textOf(file) ?? ''
  const url = /^ANTHROPIC_BASE_URL=(.+)$/m.exec(text)?.[1]
  const pid = /^CHAPAR_PID=(\d+)$/m.exec(text)?.[1]
  return url === undefined || pid === undefined ? null : { url, pid: Number(pid) }
}

/** Reason why the gateway of a ready file did not start; null when nothing says so. */
export const readFailure = (file: string): string | null =>
  textOf(failureFile(file))?.trim() ?? null

/** Null where there is none: it may go at any moment. */
function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/** Whoever waits for a file must find it whole and unreadable to others. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.tmp`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

/** Ready file among a command's words; null when there is none. Also of words that are wrong. */
export function readyFileIn(args: readonly string[]): string | null {
  if (!args.includes('serve')) return null
  const at = args.findIndex((arg) => /^--ready-file(?:=|$)/.test(arg))
  const named = at === -1 ? '' : (args[at]?.split('=').slice(1).join('=') ?? '')
  return named || (at === -1 ? null : (args[at + 1] ?? null))
}
