export interface SuperviseParts {
  /** Number of those that begin at once. */
  readonly count: number
  /** The program of a front, with its arguments. @param place from 0 */
  command(place: number): readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A front that does not end by itself within so long is ended. */
  readonly drainMs: number
  now(): number
  /** A front ended by itself; another one begins. */
  onEnded(ended: {
    readonly pid: number
    readonly code: number | null
    readonly signal: string | number | null
  }): void
  /** A front could not be begun; it is tried again. */
  onFault(fault: unknown): void
}

/** The processes that serve. */
export interface Fronts {
  readonly pids: () => readonly number[]
  /** Begins one more. */
  add(): void
  /** It serves: should it end, it did not die of how it begins. */
  sound(pid: number): void
  /** Ends one that is frozen; another one begins. Resolves when its process is gone. */
  end(pid: number): Promise<void>
  /** Begins no process any more, and leaves those that run. */
  release(): void
  /** Each ends its calls, and is waited for. */
  stop(): Promise<void>
}

const firstBackoffMs = 100
const longestBackoffMs = 5000
/** Whoever lived for so long did not die of how it begins. */
const soundMs = 10_000

/** The folder that the owner was started in may be gone by now. */
const spawned = (command: readonly string[], env: SuperviseParts['environment']): Bun.Subprocess =>
  Bun.spawn([...command], { env, cwd: '/', stdio: ['ignore', 'inherit', 'inherit'] })

/** Begins processes, and begins another one where one ends. */
export function superviseFronts(parts: SuperviseParts): Fronts {
  const { count, environment, drainMs, command, now, onEnded, onFault } = parts
  const running = new Map<number, Bun.Subprocess>()
  const sound = new Set<number>()
  const timers = new Set<ReturnType<typeof setTimeout>>()
  let stopping: Promise<void> | null = null
  let released = false

  const again = (place: number, waitMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      void begin(place, Math.min(2 * waitMs, longestBackoffMs))
    }, waitMs)
    timers.add(timer)
  }

  const begin = async (place: number, backoffMs: number): Promise<void> => {
    const began = now()
    let child: Bun.Subprocess
    try {
      child = spawned(command(place), environment)
    } catch (fault) {
      onFault(fault)
      return again(place, backoffMs)
    }
    running.set(child.pid, child)
    const code = await child.exited
    running.delete(child.pid)
    const wasSound = sound.delete(child.pid) || now() - began > soundMs
    if (stopping !== null || released) return
    onEnded({ pid: child.pid, code, signal: child.signalCode })
    again(place, wasSound ? firstBackoffMs : backoffMs)
  }

  const halt = () => {
    for (const timer of timers) clearTimeout(timer)
  }

  const stop = async (): Promise<void> => {
    halt()
    const children = [...running.values()]
    for (const child of children) child.kill('SIGTERM')
    const cut = setTimeout(() => {
      for (const child of children) child.kill('SIGKILL')
    }, drainMs)
    await Promise.all(children.map(({ exited }) => exited))
    clearTimeout(cut)
  }

  let places = 0
  const add = () => void begin(places++, firstBackoffMs)
  for (let begun = 0; begun < count; begun++) add()
  return {
    pids: () => [...running.keys()],
    add,
    sound: (pid) => void (running.has(pid) && sound.add(pid)),
    async end(pid) {
      const child = running.get(pid)
      child?.kill('SIGKILL')
      await child?.exited
    },
    release() {
      released = true
      halt()
    },
    stop: () => (stopping ??= stop()),
  }
}
