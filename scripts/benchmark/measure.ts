import type { Contestant } from './contestants'
import { cpuMicros, freePort, load, residentMb, serverCoreMicros, whileOpen } from './process'
import { chatBody, chatPath, chunksOfStream } from './wire'

/** How much of everything one round does. */
export interface Dose {
  /** Not measured: programs are compiled further while they run. */
  readonly warmSeconds: number
  readonly wholeSeconds: number
  readonly warmStreams: number
  readonly streams: number
  readonly openStreams: number
}

/** Figures of one contestant in one round; nulls where they do not apply or are not told. */
export interface Figures {
  readonly callsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuPerCall: number | null
  readonly cpuPerChunk: number | null
  /** Reads of the client for each chunk: near one when none were lumped together. */
  readonly readsPerChunk: number | null
  readonly idleMb: number | null
  readonly openMb: number | null
  readonly firstAnswerMs: number | null
  /** Part of the server's core that other processes took meanwhile. */
  readonly othersShare: number | null
  readonly errors: number
}

const connections = 32
const streamsAtOnce = 32
const maxStartMs = 10_000

/** One round of one contestant, in a process that begins and ends with it. */
export async function measure(
  contestant: Contestant,
  vendorPort: number,
  dose: Dose,
): Promise<Figures> {
  const keys = [contestant.key]
  const port = contestant.start === null ? vendorPort : freePort()
  const began = performance.now()
  const server = contestant.start?.(port) ?? null
  try {
    await firstAnswer(port, contestant.key)
    const firstAnswerMs = server === null ? null : performance.now() - began
    const used = () => (server === null ? null : cpuMicros(server.pid))
    const memory = () => (server === null ? null : residentMb(server.pid))

    const idleMb = memory()
    const held = { port, keys, connections: dose.openStreams }
    const open =
      server === null
        ? null
        : await whileOpen(held, async (found) => {
            await Bun.sleep(100)
            return { mb: memory(), errors: found.errors }
          })

    const others = server === null ? null : othersOn(server.pid)
    const calls = { asked: 'whole', port, keys, connections } as const
    await load({ ...calls, seconds: dose.warmSeconds })
    const beforeCalls = used()
    const whole = await load({ ...calls, seconds: dose.wholeSeconds })
    const afterCalls = used()

    const streams = { asked: 'stream', port, keys, connections: streamsAtOnce } as const
    if (server !== null) await load({ ...streams, answers: dose.warmStreams })
    const beforeStreams = used()
    const streamed = server === null ? null : await load({ ...streams, answers: dose.streams })
    const afterStreams = used()

    return {
      callsPerSecond: whole.answers / whole.seconds,
      p50Ms: whole.p50Ms,
      p99Ms: whole.p99Ms,
      cpuPerCall: share(beforeCalls, afterCalls, whole.answers),
      cpuPerChunk: share(beforeStreams, afterStreams, (streamed?.answers ?? 0) * chunksOfStream),
      readsPerChunk: streamed === null ? null : streamed.reads / chunksOfStream,
      idleMb,
      openMb: open?.mb ?? null,
      firstAnswerMs,
      othersShare: others?.() ?? null,
      errors: whole.errors + (streamed?.errors ?? 0) + (open?.errors ?? 0),
    }
  } finally {
    await server?.end()
  }
}

/** @returns what tells the part of the server's core that others have used since now */
function othersOn(pid: number): () => number | null {
  const began = performance.now()
  const core = serverCoreMicros()
  const own = cpuMicros(pid)
  return () => {
    const coreNow = serverCoreMicros()
    const ownNow = cpuMicros(pid)
    if (core === null || own === null || coreNow === null || ownNow === null) return null
    const passedMicros = (performance.now() - began) * 1000
    return Math.max(0, coreNow - core - (ownNow - own)) / passedMicros
  }
}

const share = (from: number | null, to: number | null, count: number): number | null =>
  from === null || to === null || count === 0 ? null : (to - from) / count

/** Asks until it answers well. @throws Error when it does not in time */
export async function firstAnswer(port: number, key: string): Promise<void> {
  const until = performance.now() + maxStartMs
  let last = 'nothing'
  while (performance.now() < until) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${chatPath}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: chatBody('whole'),
      })
      last = `${response.status} ${await response.text()}`
      if (response.status === 200) return
    } catch {
      // Not listening yet.
    }
    await Bun.sleep(1)
  }
  throw new Error(`no good answer within ${maxStartMs / 1000} s, but ${last}`)
}
