import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ask } from '../support/gateway'
import { until } from '../support/pace'

/** What a client met. */
interface Met {
  readonly ids: string[]
  readonly faults: string[]
  /** How long whole calls took. */
  readonly tookMs: number[]
}

interface LoadParts {
  /** Of the interface, with its version; it may be another one after a restart. */
  url(): string
  readonly key: string
  readonly callsPerSecond: number
  readonly streams: number
  /** Calls that are cut by a kill are no fault. */
  readonly mayFail?: boolean
}

/** Calls at a steady rate, and streams without end one after the other, until it is stopped. */
export function openLoad({ url, key, callsPerSecond, streams, mayFail = false }: LoadParts) {
  const met: Met = { ids: [], faults: [], tookMs: [] }
  const over = new AbortController()
  const call = async (stream: boolean) => {
    const began = performance.now()
    try {
      const response = await fetch(`${url()}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(ask('priced', { stream, max_tokens: 50 })),
      })
      const text = await response.text()
      const isWhole = stream ? text.endsWith('data: [DONE]\n\n') : text.endsWith('}')
      if (response.status === 200 && isWhole && !text.includes('"error"'))
        met.ids.push(response.headers.get('x-request-id') ?? '')
      else if (!mayFail) met.faults.push(`${stream} ${response.status} ${text.slice(-300)}`)
    } catch (thrown) {
      if (!mayFail) met.faults.push(`${stream} ${String(thrown)}`)
    }
    if (!stream) met.tookMs.push(performance.now() - began)
  }
  const calls: Promise<void>[] = []
  const steady = async () => {
    const began = performance.now()
    for (let sent = 0; !over.signal.aborted; sent++) {
      calls.push(call(false))
      const due = began + (1000 / callsPerSecond) * (sent + 1)
      await Bun.sleep(Math.max(0, due - performance.now()))
    }
  }
  const streaming = async () => {
    while (!over.signal.aborted) {
      await call(true)
      if (mayFail) await Bun.sleep(5)
    }
  }
  const running = [steady(), ...Array.from({ length: streams }, streaming)]
  return {
    met,
    async stop(): Promise<Met> {
      over.abort()
      await Promise.all(running)
      await Promise.all(calls)
      return met
    },
  }
}

/** Process that serves a folder. */
export const servingPid = (data: string): number => {
  try {
    return Number(readFileSync(join(data, 'serving.pid'), 'utf8'))
  } catch {
    return 0
  }
}

/** Whether a process goes on. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^\S+ \(.*\) [ZX]/.test(stat)
  } catch {
    return false
  }
}

/** Ends a process and waits for that. */
export async function end(pid: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (pid > 0 && isAlive(pid)) process.kill(pid, signal)
  await until(() => !isAlive(pid))
}
