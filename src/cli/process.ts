import { ownReadyFile } from './local/next-program'
import { clearReadyFile, writeStarting } from './local/ready-file'

/** Commands that hold many vendor connections open at once. */
const serving = new Set(['serve', 'quickstart'])

/** How long what is left of a serving process may take to end by itself. */
const lingerMs = 1000

/**
 * The last thing the program does: when all was written, whoever still waits for an answer from
 * outside, as a collector that never gives one, is not waited for.
 */
export function endProcess(): void {
  if (process.argv.some((arg) => serving.has(arg)))
    setTimeout(() => process.exit(), lingerMs).unref()
}

/**
 * The first thing the program does. What the runtime reads only when a process starts, such as how
 * many vendor requests may run at once, is set by starting anew once: same id, same arguments.
 */
export function beginProcess(): void {
  const args = process.argv.slice(2)
  const readyFile = ownReadyFile(args)
  // Before anything takes time: whoever waits must not take an earlier gateway's for this one's.
  if (readyFile !== null) {
    clearReadyFile(readyFile)
    writeStarting(readyFile)
  }
  process.env['NODE_ENV'] ??= 'production'
  if (process.platform === 'win32' || process.env['BUN_CONFIG_MAX_HTTP_REQUESTS'] !== undefined)
    return
  if (!args.some((arg) => serving.has(arg)) || process.execve === undefined) return
  const self = Bun.isStandaloneExecutable ? args : process.argv.slice(1)
  process.execve(process.execPath, [process.execPath, ...self], {
    // Memory goes back to the system after a quiet second, not after ten milliseconds: under load
    // the same pages would be given back and taken anew all the time.
    MIMALLOC_PURGE_DELAY: '1000',
    ...process.env,
    NODE_ENV: 'production',
    BUN_CONFIG_MAX_HTTP_REQUESTS: '65535',
  })
}
