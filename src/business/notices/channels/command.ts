import { errorCode } from '../../../domain/error-code'
import { DeliveryFailed, type Channel } from '../channel'
import { noticeBody } from '../notice-body'

interface CommandParts {
  /** The program and its arguments; no shell reads them. */
  readonly command: readonly string[]
  /** All that the program sees of our environment: there are vendors' keys in it. */
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

/** Runs a program with the notice as JSON on its standard input; exit code 0 is an arrival. */
export const commandChannel = ({ command, environment, timeoutMs }: CommandParts): Channel => ({
  name: 'command',
  async deliver(notice, signal) {
    const late = AbortSignal.timeout(timeoutMs)
    const code = await run()
    if (late.aborted) throw new DeliveryFailed(`not over in ${timeoutMs} ms`)
    if (code !== 0) throw new DeliveryFailed(`it ended with code ${code}`)

    async function run(): Promise<number> {
      try {
        const child = Bun.spawn([...command], {
          env: environment,
          stdin: new TextEncoder().encode(`${JSON.stringify(noticeBody(notice))}\n`),
          stdout: 'ignore',
          stderr: 'ignore',
          signal: AbortSignal.any([signal, late]),
          killSignal: 'SIGKILL',
        })
        return await child.exited
      } catch (cause) {
        const code = errorCode(cause) ?? 'no such file'
        throw new DeliveryFailed(`not started: ${code}`, { cause })
      }
    }
  },
})
