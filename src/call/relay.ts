import type { Route } from '../domain/model'
import { showUsd, zeroUsd } from '../domain/money'
import { noUsage, type Usage } from '../domain/usage'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import { keepAliveComment } from '../http/sse'
import type { Inbound } from '../http/inbound'
import type { Budget } from './budget'
import type { ByteRead, ByteReader, StreamAnswer } from './endpoint'
import type { OpenCall } from './outcome'
import { tickMs, type RunningStream, type RunningStreams } from './running'

/** Bytes from the vendor between two looks at the money, and the most that is passed on unlooked at. */
const coverEveryBytes = 8192
/** Ticks without a word after which the client is told that we are still here. */
const keepAliveTicks = Math.ceil(15_000 / tickMs)
/** Quiet ticks after which the vendor is taken for dead. */
const deadTicks = Math.ceil(300_000 / tickMs)
/** How long a vendor may take to close after it said it was done. */
const lingerMs = 1000

export interface RelayCall {
  readonly answer: StreamAnswer
  readonly route: Route
  readonly call: OpenCall
  readonly budget: Budget
  readonly inbound: Inbound
  /** Drops the vendor's connection. */
  abort(): void
  learn(): void
}

/** The answer on its way to the client: the only pump. Charges once, when it is over. */
export function relay(streams: RunningStreams, relayed: RelayCall): ReadableStream<Uint8Array> {
  const { answer, route, call, budget, inbound, abort, learn } = relayed
  const { reader } = answer
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null
  let over = false
  /** Since the vendor said anything, and since the client got anything: a vendor may only murmur. */
  let quietTicks = 0
  let mutedTicks = 0
  let uncoveredBytes = 0

  /** Ends the call. What was sent is charged; when nothing was, nothing is. */
  const end = (
    status: 'success' | 'error' | 'cancelled',
    error: GatewayError | null,
    used = answer.usage(),
  ) => {
    if (over) return
    over = true
    streams.remove(running)
    const ended = { status, route, error }
    const charged = status === 'success' || answer.sent()
    const usage = charged ? used : noUsage
    const cost = charged ? call.charge(ended, usage) : (call.giveBack(ended), zeroUsd)
    if (status === 'success') learn()
    if (controller === null || status === 'cancelled') return
    controller.enqueue(answer.close({ error, usage, costUsd: showUsd(cost) }))
    controller.close()
  }

  const fail = (thrown: unknown) => {
    abort()
    if (inbound.signal.aborted) return end('cancelled', null)
    // Whatever broke it: the client needs to know that what was sent is charged.
    end('error', new GatewayError('stream_interrupted', {}, { cause: thrown }))
  }

  const running: RunningStream = {
    tick() {
      quietTicks++
      if (quietTicks >= deadTicks) return fail(new Error('the vendor went silent'))
      mutedTicks++
      if (mutedTicks % keepAliveTicks === 0) controller?.enqueue(keepAliveComment)
    },
    cut() {
      fail(new Error('the gateway is stopping'))
    },
  }

  /** Passes one read on. @returns true when the client has something to read, or it is over */
  const pass = ({ done, value }: ByteRead): boolean => {
    if (over) return true
    quietTicks = 0
    if (done || value === undefined) {
      const rest = answer.ended()
      if (rest !== null) controller?.enqueue(rest)
      if (answer.complete()) end('success', null)
      else fail(new Error('the vendor stopped before the end'))
      return true
    }
    if (value.byteLength <= coverEveryBytes) return passPiece(value)
    let said = false
    for (let at = 0; at < value.byteLength && !over; at += coverEveryBytes)
      said = passPiece(value.subarray(at, at + coverEveryBytes)) || said
    return said
  }

  const passPiece = (piece: Uint8Array): boolean => {
    uncoveredBytes += piece.byteLength
    const sentBefore = uncoveredBytes >= coverEveryBytes ? answer.usage() : null
    const out = answer.pass(piece)
    if (sentBefore !== null && !answer.complete()) {
      uncoveredBytes = 0
      if (!cover(sentBefore)) return true
    }
    if (out !== null) {
      mutedTicks = 0
      controller?.enqueue(out)
    }
    const broken = answer.broken()
    if (broken !== null) {
      fail(broken)
      return true
    }
    if (answer.complete()) {
      end('success', null)
      linger(reader, abort)
      return true
    }
    return out !== null
  }

  /** @returns false when the money ends here: the last piece is not sent, and so not charged */
  const cover = (sentBefore: Usage): boolean => {
    try {
      budget.cover(answer.usage().units)
      return true
    } catch (thrown) {
      if (!isGatewayError(thrown)) throw thrown
      abort()
      end('error', thrown, sentBefore)
      return false
    }
  }

  streams.add(running)
  return new ReadableStream({
    start(opened) {
      controller = opened
      if (answer.head !== null) opened.enqueue(answer.head)
      const broken = answer.broken()
      if (broken !== null) return fail(broken)
      if (answer.complete()) {
        end('success', null)
        linger(reader, abort)
      }
    },
    async pull() {
      try {
        let done: boolean = over
        while (!done) done = pass(await reader.read())
      } catch (thrown) {
        fail(thrown)
      }
    },
    cancel() {
      end('cancelled', null)
      abort()
    },
  })
}

/** Reads to the vendor's own end, so that its connection can serve again; not for long. */
function linger(reader: ByteReader, abort: () => void): void {
  const timer = setTimeout(abort, lingerMs)
  const drain = async () => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // Everything was said; how the connection ends no longer matters.
    } finally {
      clearTimeout(timer)
    }
  }
  void drain()
}
