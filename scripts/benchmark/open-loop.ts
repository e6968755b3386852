/**
 * Sends at a given rate, whatever has been answered. Each wait is counted from the moment when its
 * request was due, so a server that stops is charged for everybody who came meanwhile.
 *
 *     bun scripts/benchmark/open-loop.ts '{"port":1,"key":"k","connections":32,"seconds":5,"rate":1000}'
 */
import type { Socket } from 'bun'
import { fresh, take, type Connection } from './load'
import { chatRequest } from './wire'

export interface OpenLoopOrder {
  readonly port: number
  readonly key: string
  readonly connections: number
  readonly seconds: number
  /** Requests a second; null sends the next as soon as a connection is free. */
  readonly rate: number | null
}

export interface OpenLoopResult {
  readonly answers: number
  readonly errors: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

const ok = 200

async function run(order: OpenLoopOrder): Promise<OpenLoopResult> {
  const request = chatRequest(order.port, order.key, 'whole')
  const free: Socket<Connection>[] = []
  const waits: number[] = []
  let errors = 0
  let began = 0
  let sent = 0

  const send = (socket: Socket<Connection>, dueAt: number) => {
    Object.assign(socket.data, fresh(), { sentAt: dueAt })
    socket.write(request)
    sent++
  }
  const isDue = () =>
    order.rate === null || sent < ((performance.now() - began) / 1000) * order.rate
  const sendDue = () => {
    while (isDue()) {
      const socket = free.pop()
      if (socket === undefined) return
      send(socket, order.rate === null ? performance.now() : began + (sent / order.rate) * 1000)
    }
  }
  const broke = () => void errors++
  for (let at = 0; at < order.connections; at++)
    free.push(
      await Bun.connect<Connection>({
        hostname: '127.0.0.1',
        port: order.port,
        data: fresh(),
        socket: {
          data(socket, bytes) {
            if (!take(socket.data, bytes)) return
            if (socket.data.status === ok) waits.push(performance.now() - socket.data.sentAt)
            else errors++
            free.push(socket)
            sendDue()
          },
          close: broke,
          error: broke,
        },
      }),
    )
  const sockets = [...free]
  began = performance.now()
  const until = began + order.seconds * 1000
  while (performance.now() < until && errors < order.connections) {
    sendDue()
    await Bun.sleep(1)
  }
  const sorted = Float64Array.from(waits).sort()
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0
  const result: OpenLoopResult = {
    answers: waits.length,
    errors,
    seconds: (performance.now() - began) / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
  }
  for (const socket of sockets) socket.terminate()
  return result
}

if (import.meta.main) {
  process.stdout.write(
    JSON.stringify(await run(JSON.parse(process.argv[2] ?? '') as OpenLoopOrder)),
  )
  process.exit(0)
}
