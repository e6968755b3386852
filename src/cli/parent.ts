import { constants } from 'node:os'
import { workingFolder } from '../gateway/outbound/run-program'
import { ownProgram } from './local/node-processes'

/** Asks the parent for the next process, or has it end one. */
export type ParentOrder =
  | { readonly kind: 'start'; readonly succession: string }
  | { readonly kind: 'kill'; readonly pid: number }

/** Tells who asked for it of the next process. */
export type ParentReport =
  | { readonly kind: 'started' | 'ended'; readonly pid: number }
  | { readonly kind: 'failed'; readonly message: string }

/** Set for processes that have such a parent. */
const childVariable = 'CHAPAR_HAS_PARENT'
/** Set for the program that is to take the place of a process: a `Succession`. */
export const successionVariable = 'CHAPAR_SUCCEEDS'

/** Nothing to hand over, or nobody to hand it to. */
const others = /^(?:--ephemeral|--database(?:=.*)?|--help|-h)$/

/**
 * Whether this process is to begin the one that serves, and stay while others take its place: as the first process of a
 * container, whose end is that of all, or where it is to keep its id.
 */
export function isParent(args: readonly string[], env = process.env): boolean {
  const isWanted = process.pid === 1 || env['CHAPAR_KEEP_PID'] === '1'
  const isOne = env['CHAPAR_DATABASE'] === undefined && env['CHAPAR_DATABASE_FILE'] === undefined
  if (!isWanted || !isOne || process.platform !== 'linux') return false
  return (
    args[0] === 'serve' && env[childVariable] === undefined && !args.some((arg) => others.test(arg))
  )
}

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Begins the process that serves, and those that take its place. Ends with the last one, as that ended. */
export async function runParent(): Promise<never> {
  const running = new Map<number, Bun.Subprocess>()
  const over = Promise.withResolvers<number>()
  /** The one that began last, of those that go on. */
  const newest = () => [...running.values()].at(-1)

  const begin = (more: Readonly<Record<string, string>>): Bun.Subprocess => {
    const child = Bun.spawn([...ownProgram()], {
      env: { ...process.env, [childVariable]: '1', ...more },
      cwd: workingFolder(),
      stdio: ['inherit', 'inherit', 'inherit'],
      ipc: (order: ParentOrder, from) => void obey(order, from),
    })
    running.set(child.pid, child)
    void outlive(child)
    return child
  }

  /** The next process, or why it cannot be begun. */
  const begun = (succession: string): Bun.Subprocess | Error => {
    try {
      return begin({ [successionVariable]: succession })
    } catch (thrown) {
      return thrown instanceof Error ? thrown : new Error(String(thrown))
    }
  }

  const outlive = async (child: Bun.Subprocess): Promise<void> => {
    const code = await child.exited
    running.delete(child.pid)
    if (running.size === 0) over.resolve(codeOf(child, code))
  }

  const obey = async (order: ParentOrder, from: Bun.Subprocess): Promise<void> => {
    if (order.kind === 'kill') return running.get(order.pid)?.kill('SIGKILL')
    const next = begun(order.succession)
    if (next instanceof Error) {
      from.send({ kind: 'failed', message: next.message } satisfies ParentReport)
      return
    }
    const { pid, exited } = next
    from.send({ kind: 'started', pid } satisfies ParentReport)
    await exited
    if (running.has(from.pid)) from.send({ kind: 'ended', pid } satisfies ParentReport)
  }

  for (const signal of forwarded)
    process.on(signal, () => {
      for (const child of running.values()) child.kill(signal)
    })
  process.on('SIGUSR2', () => newest()?.kill('SIGUSR2'))
  begin({})
  process.exit(await over.promise)
}

const signals: Readonly<Record<string, number | undefined>> = constants.signals

/** As shells tell it: 128 and the signal for a process that one has ended. */
function codeOf({ signalCode }: Bun.Subprocess, code: number): number {
  const signal = signalCode === null ? undefined : signals[signalCode]
  return signal === undefined ? code : 128 + signal
}
