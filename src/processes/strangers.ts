/** Fronts that an earlier owner began: nobody is told when they end. */
interface Strangers {
  /** @param pid of a front that came back, or is waited for */
  add(pid: number): void
  has(pid: number): boolean
  /** Processes that run. */
  pids(): readonly number[]
  /** Resolves when its process is gone. */
  end(pid: number): Promise<void>
  /** Each ends its calls, and is waited for. @param drainMs then it is ended */
  stop(drainMs: number): Promise<void>
}

const lookMs = 10

/** @param isRunning whether there is such a process, and it has not ended */
export function openStrangers(isRunning: (pid: number) => boolean, now: () => number): Strangers {
  const known = new Set<number>()
  const running = () => [...known].filter(isRunning)

  const ended = async (pid: number, until: number): Promise<void> => {
    while (isRunning(pid) && now() < until) await Bun.sleep(lookMs)
  }
  const end = async (pid: number): Promise<void> => {
    if (!known.has(pid)) return
    signal(pid, 'SIGKILL')
    await ended(pid, Number.POSITIVE_INFINITY)
  }
  return {
    add: (pid) => void known.add(pid),
    has: (pid) => known.has(pid),
    pids: running,
    end,
    async stop(drainMs) {
      const until = now() + drainMs
      for (const pid of running()) signal(pid, 'SIGTERM')
      for (const pid of running()) await ended(pid, until)
      await Promise.all(running().map(end))
    },
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone.
  }
}
