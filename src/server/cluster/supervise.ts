/** A process that ended by itself. */
export interface EndedProcess {
  readonly pid: number
  readonly code: number | null
  readonly signal: string | number | null
}

interface SuperviseParts {
  /** Number of processes that begin at once. */
  readonly count: number
  /** The program of a process, with its arguments. */
  readonly command: readonly string[]
  environment(): Readonly<Record<string, string | undefined>>
  /** A process that does not end by itself within so long is killed. */
  readonly drainMs: number
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  /** A process sent a message. */
  onMessage(pid: number, message: unknown): void
  /** A process ended by itself; another one begins. */
  onEnded(ended: EndedProcess): void
  /** A process could not be begun; it is tried again. */
  onFault(fault: unknown): void
}

const firstBackoffMs = 100
const maxBackoffMs = 5000
/** A process that lived for so long did not fail at its start. */
const soundMs = 10_000

/** Begins processes, and begins another one where one ends, with exponential backoff. */
export const supervise = (parts: SuperviseParts): SupervisedProcesses =>
  new SupervisedProcesses(parts)

/** Processes that are kept running. */
export class SupervisedProcesses {
  readonly #running = new Map<number, Bun.Subprocess>()
  readonly #sound = new Set<number>()
  readonly #dismissed = new Set<number>()
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #stopping: Promise<void> | null = null
  readonly #parts: SuperviseParts

  constructor(parts: SuperviseParts) {
    this.#parts = parts
    for (let begun = 0; begun < parts.count; begun++) this.add()
  }

  pids(): readonly number[] {
    return [...this.#running.keys()]
  }

  /** Begins one more. */
  add(): void {
    void this.#begin(firstBackoffMs)
  }

  /** It serves: should it end, it did not fail at its start, and another one begins at once. */
  sound(pid: number): void {
    if (this.#running.has(pid)) this.#sound.add(pid)
  }

  send(pid: number, message: unknown): void {
    try {
      this.#running.get(pid)?.send(message)
    } catch {
      // It is ending.
    }
  }

  /** None begins in its place when it ends. */
  dismiss(pid: number): void {
    if (this.#running.has(pid)) this.#dismissed.add(pid)
  }

  /** Each ends its calls, and is waited for. */
  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop())
  }

  /** Kills all, whatever they do. */
  kill(): void {
    for (const child of this.#running.values()) child.kill('SIGKILL')
  }

  async #begin(backoffMs: number): Promise<void> {
    const { now, onEnded, onFault } = this.#parts
    const began = now()
    let child: Bun.Subprocess
    try {
      child = this.#spawn()
    } catch (fault) {
      onFault(fault)
      return this.#beginLater(backoffMs)
    }
    const { pid } = child
    this.#running.set(pid, child)
    const code = await child.exited
    this.#running.delete(pid)
    const wasSound = this.#sound.delete(pid) || now() - began > soundMs
    const isDismissed = this.#dismissed.delete(pid)
    if (this.#stopping !== null || isDismissed) return
    onEnded({ pid, code, signal: child.signalCode })
    this.#beginLater(wasSound ? firstBackoffMs : backoffMs)
  }

  #spawn(): Bun.Subprocess {
    const { command, environment, onMessage } = this.#parts
    return Bun.spawn([...command], {
      env: environment(),
      // The folder that this process was started in may be gone by now.
      cwd: '/',
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message, child) => onMessage(child.pid, message),
    })
  }

  #beginLater(backoffMs: number): void {
    if (this.#stopping !== null) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#begin(Math.min(2 * backoffMs, maxBackoffMs))
    }, backoffMs)
    this.#timers.add(timer)
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    const children = [...this.#running.values()]
    for (const child of children) child.kill('SIGTERM')
    const cut = setTimeout(() => this.kill(), this.#parts.drainMs)
    await Promise.all(children.map(({ exited }) => exited))
    clearTimeout(cut)
  }
}
