import type { Route } from '../domain/model'
import { showUsd, zeroUsd, type NanoUsd } from '../domain/money'
import { noUsage, type Usage } from '../domain/usage'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import { toGatewayError } from '../http/error-response'
import { keepAliveComment } from '../http/sse'
import type { Inbound } from '../http/inbound'
import type { Budget } from './budget'
import type { ByteSink } from '../outbound/reply'
import type { BytesAnswer, StreamAnswer } from './endpoint'
import type { Gathering } from './gathering'
import type { Ended, OpenCall } from './outcome'
import { tickMs, type RunningStream, type RunningStreams } from './running'

/** Bytes from the vendor between two looks at the money, and the most that is passed on unlooked at; fewer where it is short. */
const coverEveryBytes = 8192
/** What is covered is looked at again before there can be more of it. */
const leastCharsPerToken = 0.5
/** The same of what is no text. */
const leastBytesPerToken = 2
/** Ticks without a word after which the client is told that we are still here. */
const keepAliveTicks = Math.ceil(15_000 / tickMs)
/** Quiet ticks after which the vendor is taken for dead. */
const deadTicks = Math.ceil(300_000 / tickMs)
/** Ticks after which a vendor that only murmurs is taken for dead too: thinking takes long, but ends. */
const mutedDeadTicks = Math.ceil(3_600_000 / tickMs)
/** How long a vendor may take to close after it said it was done. */
const lingerMs = 1000
/** Bytes that may wait for a slow client before the vendor has to. */
const mostUnreadBytes = 65_536
/**
 * What was handed to the system is on its way for this long: to a client that takes a megabyte a
 * second, and through buffers of some megabytes.
 */
const arrivalMs = (sentBytes: number): number => Math.min(5000, 50 + sentBytes / 1000)
/** Between two looks at whether a slow client has caught up. */
const lookAgainMs = 10

interface Charged {
  readonly cost: NanoUsd
  readonly fault: GatewayError | null
}
const free: Charged = { cost: zeroUsd, fault: null }

/** What all streams of a process share. */
export interface RelayParts {
  readonly streams: RunningStreams
  readonly gathering: Gathering
}

export interface RelayCall {
  readonly answer: StreamAnswer | BytesAnswer
  readonly route: Route
  readonly call: OpenCall
  readonly budget: Budget
  readonly inbound: Inbound
  /** Drops the vendor's connection. */
  abort(): void
  learn(): void
}

/**
 * Text goes on as text: the runtime writes it as it is, which spares making bytes of it and costs
 * half as much in all.
 */
type Piece = string | Uint8Array<ArrayBuffer>

/** The answer on its way to the client: the only pump. Charges once, when it is over. */
export function relay(
  { streams, gathering }: RelayParts,
  relayed: RelayCall,
): ReadableStream<Piece> {
  const { answer, route, call, budget, inbound, abort, learn } = relayed
  const source = gathering.of(answer.source)
  let controller: ReadableStreamDefaultController<Piece> | null = null
  let over = false
  let left = false
  /** Since the vendor said anything, and since the client got anything: a vendor may only murmur. */
  let quietTicks = 0
  let mutedTicks = 0
  let uncoveredBytes = 0
  let coveredBytes = coverEveryBytes
  /** Of the text, from its beginning: the first of it is looked at. */
  let coveredChars = 0
  let paused = false
  let vendorEnded = false
  let lingering: ReturnType<typeof setTimeout> | null = null

  /** Ends the call. What was sent is charged; when nothing was, nothing is. */
  const end = (
    status: 'success' | 'error' | 'cancelled',
    error: GatewayError | null,
    used = answer.usage(),
  ) => {
    if (over) return
    over = true
    streams.remove(running)
    try {
      finish(status, error, used)
    } catch (fault) {
      // A fault of ours: the client must not wait for an end that nobody sends any more.
      controller?.error(fault)
      abort()
    }
  }

  const finish = (
    status: 'success' | 'error' | 'cancelled',
    error: GatewayError | null,
    used: Usage,
  ) => {
    const ended = { status, route, error, answer }
    const charged = status === 'success' || answer.sent()
    const usage = charged ? used : noUsage
    const { cost, fault } = charged ? chargeFor(ended, usage) : (call.giveBack(ended), free)
    if (status === 'success' && fault === null) learn()
    if (controller === null || status === 'cancelled') return
    const why = error ?? fault
    if (answer.kind === 'bytes' && why !== null)
      return breakOff(controller, arrivalMs(answer.sentBytes()))
    if (answer.kind === 'stream')
      controller.enqueue(answer.close({ error: why, usage, costUsd: showUsd(cost) }))
    controller.close()
  }

  /** What no sum can hold is a fault of whoever counted: it costs nothing, and the call still ends. */
  const chargeFor = (ended: Ended, usage: Usage): Charged => {
    try {
      return { cost: call.charge(ended, usage), fault: null }
    } catch (thrown) {
      const fault = toGatewayError(thrown)
      call.giveBack({ ...ended, status: 'error', error: fault })
      return { cost: zeroUsd, fault }
    }
  }

  /**
   * A file cannot say that it is not whole: its connection does, by a reset. What was sent is charged,
   * so it has to arrive: a reset overtakes what is still on its way.
   */
  const breakOff = (to: ReadableStreamDefaultController<Piece>, afterMs: number) => {
    if (left) return
    if (to.desiredSize === mostUnreadBytes) setTimeout(() => to.error(), afterMs)
    else setTimeout(() => breakOff(to, afterMs), lookAgainMs)
  }

  const fail = (thrown: unknown) => {
    if (inbound.signal.aborted) end('cancelled', null)
    // Whatever broke it: the client needs to know that what was sent is charged.
    else end('error', new GatewayError('stream_interrupted', {}, { cause: thrown }))
    abort()
  }

  const running: RunningStream = {
    tick() {
      quietTicks++
      if (quietTicks >= deadTicks) return fail(new Error('the vendor went silent'))
      mutedTicks++
      if (mutedTicks >= mutedDeadTicks) return fail(new Error('the vendor says nothing any more'))
      if (answer.kind === 'stream' && mutedTicks % keepAliveTicks === 0)
        controller?.enqueue(answer.keepAlive ?? keepAliveComment)
    },
    cut() {
      fail(new Error('the gateway is stopping'))
    },
  }

  const sink: ByteSink = {
    data(bytes) {
      if (over) return
      quietTicks = 0
      try {
        if (bytes.byteLength <= coverEveryBytes) pass(bytes)
        else
          for (let at = 0; at < bytes.byteLength; at += coverEveryBytes)
            pass(bytes.subarray(at, at + coverEveryBytes))
      } catch (thrown) {
        // Nobody who hears of it is above: what waited comes from a timer.
        if (!over) fail(thrown)
      }
      if (!over && !paused && unread()) slowDown()
    },
    end() {
      vendorEnded = true
      if (lingering !== null) clearTimeout(lingering)
      if (over) return
      try {
        const rest = answer.ended()
        if (rest !== null) controller?.enqueue(rest)
        if (answer.complete()) end('success', null)
        else fail(new Error('the vendor stopped before the end'))
      } catch (thrown) {
        if (!over) fail(thrown)
      }
    },
    fail(cause) {
      vendorEnded = true
      if (!over) fail(cause)
    },
  }

  const unread = (): boolean => (controller?.desiredSize ?? 1) <= 0

  /**
   * The client is slower than the vendor, which waits until most was read. That is looked at: a
   * stream that is told of every read costs each chunk more than all the rest of its way here.
   */
  const slowDown = () => {
    paused = true
    source.pause()
    const look = () => {
      if (over || !unread()) {
        paused = false
        source.resume()
      } else setTimeout(look, lookAgainMs)
    }
    setTimeout(look, lookAgainMs)
  }

  const progress = answer.kind === 'stream' ? answer.progress : undefined

  const pass = (piece: Uint8Array) => {
    if (over) return
    uncoveredBytes += piece.byteLength
    progress?.mark()
    const bytesDue = uncoveredBytes >= coveredBytes
    // Text can be taken back; of anything else it must be known before how far it had come.
    const sentBefore = bytesDue && progress === undefined ? answer.usage() : null
    const out = answer.pass(piece)
    const due = bytesDue || (progress !== undefined && progress.chars() >= coveredChars)
    if (due && !answer.complete()) {
      uncoveredBytes = 0
      if (!cover(sentBefore)) return
    }
    if (out !== null) {
      mutedTicks = 0
      controller?.enqueue(out)
    }
    checkOver()
  }

  /** Ends what is broken or complete. */
  const checkOver = () => {
    const broken = answer.broken()
    if (broken !== null) return fail(broken)
    if (!answer.complete()) return
    end('success', null)
    // Read to the vendor's own end, so that its connection can serve again; mostly it is here already.
    queueMicrotask(() => {
      if (!vendorEnded) lingering = setTimeout(abort, lingerMs)
    })
  }

  /** @returns false when the money ends here: the last piece is not sent, and so not charged */
  const cover = (sentBefore: Usage | null): boolean => {
    try {
      const tokens = budget.cover(answer.usage().units)
      if (progress !== undefined) coveredChars = progress.chars() + tokens * leastCharsPerToken
      else coveredBytes = Math.min(coverEveryBytes, tokens * leastBytesPerToken)
      return true
    } catch (thrown) {
      if (!isGatewayError(thrown)) throw thrown
      progress?.rewind()
      end('error', thrown, sentBefore ?? answer.usage())
      abort()
      return false
    }
  }

  streams.add(running)
  return new ReadableStream<Piece>(
    {
      start(opened) {
        controller = opened
        if (answer.head !== null) opened.enqueue(answer.head)
        checkOver()
        source.flow(sink)
      },
      cancel() {
        left = true
        end('cancelled', null)
        abort()
      },
    },
    { highWaterMark: mostUnreadBytes, size: sizeOf },
  )
}

/** In characters of a text, which are about its bytes. */
const sizeOf = (piece: Piece | undefined): number =>
  typeof piece === 'string' ? piece.length : (piece?.byteLength ?? 0)
