import { tickMs, type RunningStream, type RunningStreams } from '../../call/running'
import {
  brokenClose,
  type ClientSocket,
  type ClientSocketEvents,
  type Frame,
  type ServerSocket,
} from '../../net/socket'
import type { CallEnding } from '../../domain/record'
import { GatewayError } from '../../errors/gateway-error'
import { toGatewayError } from '../../http/error-response'
import { scrub } from '../../vendors/scrub'
import { passEvent, RefusedEvent, type PolicyParts } from './client-policy'
import {
  closeCodeOf,
  failedClose,
  isCleanClose,
  normalClose,
  passedClose,
  restartClose,
  tooLargeClose,
} from './close-codes'
import { closeSocket } from './close-socket'
import type { ErrorEvents } from './error-event'
import { openSendingBrake } from './sending-brake'
import type { Tab } from './tab'
import type { Transcriptions } from './transcriptions'
import { openVendorEvents } from './vendor-events'

/** Both sides are asked for a sign of life this often. */
const pingTicks = Math.ceil(20_000 / tickMs)
/** Ticks without a sign of life, or without a byte taken, after which a side is taken for dead. */
const deadTicks = Math.ceil(60_000 / tickMs)
/** How long a vendor may take to bill an answer that was called off. */
const lastBillMs = 2_000
/** The same while the gateway is stopping. */
const stoppingBillMs = 300

/** One event of a vendor: some carry sound or a picture. */
const maxVendorFrameBytes = 67_108_864

const cancel = '{"type":"response.cancel"}'

export interface SessionParts {
  readonly streams: RunningStreams
  readonly vendor: ServerSocket
  readonly tab: Tab
  readonly transcriptions: Transcriptions
  readonly policy: PolicyParts
  readonly errors: ErrorEvents
  /** Ceiling on one frame of the client. */
  readonly maxFrameBytes: number
  /** Told of faults of our own. */
  onFault(error: GatewayError): void
}

export interface Session extends ClientSocketEvents {
  /** The client left before it had a socket. */
  abandon(): void
}

/** How a socket ends, and what the client is told. */
interface Ending {
  readonly status: CallEnding['status']
  readonly error: GatewayError | null
  readonly code: number
  readonly reason: string
  readonly billMs?: number
}

/**
 * A client's socket and a vendor's, joined: frames pass as they are, each side waits for the other
 * when that is slow, and the money is looked at between them. Its end charges once.
 */
export function openSession(parts: SessionParts): Session {
  const { streams, vendor, tab, transcriptions, policy, errors, maxFrameBytes } = parts
  const events = openVendorEvents(tab, transcriptions)
  let client: ClientSocket | null = null
  let phase: 'joined' | 'last bill' | 'over' = 'joined'
  let vendorGone = false
  let clientGone = false
  let clientFull = false
  let ticks = 0
  /** Since anything came from a side, or since it took anything. */
  const quiet = { client: 0, vendor: 0, clientFull: 0 }
  let lastBill: ReturnType<typeof setTimeout> | null = null
  let closed = () => {}
  /** No turn is to begin any more. */
  let finishing = false

  const brake = openSendingBrake(vendor, {
    hold: () => client?.pause(),
    free: () => client?.resume(),
    // A socket whose other end is gone answers a ping with a reset.
    probe: () => void client?.ping(),
  })

  const settle = ({ status, error }: Ending) => {
    if (phase === 'over') return
    phase = 'over'
    if (lastBill !== null) clearTimeout(lastBill)
    if (!vendorGone) vendor.close(normalClose, '')
    for (const close of [
      () => tab.close({ status, error }, events.rates()),
      () => transcriptions.close({ status, error }),
    ])
      try {
        close()
      } catch (thrown) {
        parts.onFault(toGatewayError(thrown))
      }
  }

  let how: Ending | null = null
  const end = (ending: Ending) => {
    if (phase !== 'joined') return
    phase = 'last bill'
    how = ending
    streams.remove(running)
    brake.release()
    if (client !== null && !clientGone) {
      if (ending.error !== null) client.send(errors(ending.error))
      closed = closeSocket(client, ending.code, ending.reason)
    }
    if (vendorGone || tab.answering() === 0) return settle(ending)
    // What was said is paid for by what the vendor counted, not by our guess.
    vendor.resume()
    vendor.send(cancel)
    lastBill = setTimeout(() => settle(ending), ending.billMs ?? lastBillMs)
  }

  /** @param thrown a cap, a key that may not call any more, or a fault of ours */
  const endBy = (thrown: unknown) => {
    const error = toGatewayError(thrown)
    if (error.code === 'internal_error') parts.onFault(error)
    end({ status: 'error', error, code: closeCodeOf(error), reason: error.code })
  }

  const interrupted = (why: string, code = failedClose, billMs = lastBillMs) => {
    const error = new GatewayError('stream_interrupted', {}, { cause: new Error(why) })
    end({ status: 'error', error, code, reason: error.code, billMs })
  }

  const stop = () => interrupted('the gateway is stopping', restartClose, stoppingBillMs)

  const toClient = (frame: Frame) => {
    if (client === null || client.send(frame) !== -1 || clientFull) return
    clientFull = true
    quiet.clientFull = 0
    vendor.pause()
  }

  const fromVendor = (frame: Frame) => {
    quiet.vendor = 0
    if (isLonger(frame, maxVendorFrameBytes)) return interrupted('an event beyond all bounds')
    try {
      if (phase === 'joined') {
        toClient(events.take(frame))
        events.cover()
        if (finishing && tab.answering() === 0) stop()
      } else if (phase === 'last bill') {
        events.bill(frame)
        if (tab.answering() === 0 && how !== null) settle(how)
      }
    } catch (thrown) {
      endBy(thrown)
    }
  }

  const fromClient = (frame: Frame) => {
    if (isLonger(frame, maxFrameBytes)) {
      const limitKb = Math.floor(maxFrameBytes / 1024)
      const error = new GatewayError('request_too_large', { limitKb })
      return end({ status: 'error', error, code: tooLargeClose, reason: error.code })
    }
    try {
      const { frame: passing, sound, text } = passEvent(frame, policy)
      if (sound > 0) tab.passed('client', 'sound', sound)
      if (text > 0) tab.passed('client', 'text', text)
      if (tab.coverDue()) tab.cover(events.rates())
      vendor.send(passing)
      brake.sent(passing.length)
    } catch (thrown) {
      if (thrown instanceof RefusedEvent) toClient(errors(thrown.error, thrown.eventId))
      else endBy(thrown)
    }
  }

  const running: RunningStream = {
    tick() {
      ticks++
      // Who is not read from cannot be heard.
      quiet.client = brake.holds() ? 0 : quiet.client + 1
      quiet.vendor = clientFull ? 0 : quiet.vendor + 1
      if (quiet.client >= deadTicks) return leave('cancelled')
      if (clientFull && ++quiet.clientFull >= deadTicks) return leave('cancelled')
      if (brake.ticked() >= deadTicks) return interrupted('the vendor takes nothing more')
      if (quiet.vendor >= deadTicks) return interrupted('the vendor went silent')
      if (ticks % pingTicks === 0) {
        client?.ping()
        vendor.ping()
      }
      try {
        policy.checkCaller()
        if (tab.answering() === 0) policy.checkService()
      } catch (thrown) {
        endBy(thrown)
      }
    },
    finish() {
      finishing = true
      if (tab.answering() === 0) stop()
    },
    cut: stop,
  }

  /** The client is gone, or as good as gone. */
  const leave = (status: 'success' | 'cancelled') => {
    if (!clientGone) client?.terminate()
    clientGone = true
    end({ status, error: null, code: normalClose, reason: '' })
  }

  streams.add(running)
  return {
    open(socket) {
      client = socket
      vendor.listen({
        frame: fromVendor,
        pong: () => void (quiet.vendor = 0),
        closed(code, reason) {
          vendorGone = true
          if (phase === 'last bill' && how !== null) return settle(how)
          if (isCleanClose(code) && tab.answering() === 0) {
            const passed = { code: passedClose(code), reason: scrub(reason) }
            return end({ status: 'success', error: null, ...passed })
          }
          interrupted(`closed with ${code}`, code === brokenClose ? failedClose : passedClose(code))
        },
      })
    },
    message(_, frame) {
      quiet.client = 0
      if (phase === 'joined') fromClient(frame)
    },
    drain() {
      clientFull = false
      vendor.resume()
    },
    pong: () => void (quiet.client = 0),
    abandon: () => leave('cancelled'),
    close(_, code) {
      clientGone = true
      closed()
      leave(isCleanClose(code) && tab.answering() === 0 ? 'success' : 'cancelled')
    },
  }
}

/** A text of this many letters has at least as many bytes, and at most three times as many. */
const isLonger = (frame: Frame, maxBytes: number): boolean =>
  frame.length * 3 > maxBytes && Buffer.byteLength(frame) > maxBytes
