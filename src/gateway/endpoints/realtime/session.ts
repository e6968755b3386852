import { tickMs, type RunningStream } from '../../call/running'
import { brokenClose, type ClientSocket, type Frame } from '../../net/socket'
import { toGatewayError } from '../../http/error-response'
import { scrub } from '../../vendors/scrub'
import { passEvent, passSound, RefusedEvent, type Passing } from './client-policy'
import { failedClose, isCleanClose, normalClose, passedClose } from './close-codes'
import { closeSocket, dropSocket } from './close-socket'
import { ClientBacklog, openClientFlow } from './client-flow'
import { isLonger, type FrameLine } from './frame-line'
import type { SendingBrake } from './sending-brake'
import type { Session, SessionParts } from './session-parts'
import {
  closedWith,
  failedWith,
  gatewayStops,
  holdsTooMuch,
  interruptedBy,
  leftAs,
  stoppedByOperator,
  tooLarge,
  type SessionEnding,
} from './session-ending'
import { VendorEvents } from './vendor-events'

/** Both sides are asked for a sign of life this often. */
const pingTicks = Math.ceil(20_000 / tickMs)
/** Ticks without a sign of life, or without a byte taken, after which a side is taken for dead. */
const deadTicks = Math.ceil(60_000 / tickMs)

/** One event of a vendor: some carry sound, or a picture that a client sent. */
const maxVendorFrameBytes = 33_554_432
const cancel = '{"type":"response.cancel"}'

/**
 * A client's socket and a vendor's, joined: frames pass as they are, each side waits for the other
 * when that is slow, and the money is looked at between them. Its end charges once.
 */
export function openSession(parts: SessionParts): Session {
  const session = new JoinedSockets(parts)
  parts.streams.add(session)
  return session
}

class JoinedSockets implements Session, RunningStream {
  #client: ClientSocket | null = null
  #phase: 'joined' | 'last bill' | 'over' = 'joined'
  #vendorGone = false
  #clientGone = false
  #ticks = 0
  /** Since anything came from a side. */
  readonly #quiet = { client: 0, vendor: 0 }
  readonly #backlog = new ClientBacklog()
  #lastBill: ReturnType<typeof setTimeout> | null = null
  #closed = (): void => {}
  /** No turn is to begin any more. */
  #finishing = false
  /** Null while the sockets are joined. */
  #ending: SessionEnding | null = null
  readonly request: RunningStream['request']
  readonly #parts: SessionParts
  readonly #events: VendorEvents
  readonly #brake: SendingBrake
  readonly #line: FrameLine

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.request = parts.request
    this.#events = new VendorEvents(parts.bill, parts.transcriptions)
    ;({ brake: this.#brake, line: this.#line } = openClientFlow({
      vendor: parts.vendor,
      client: () => this.#client,
      changes: parts.changes,
      passNow: (frame) => this.#passNow(frame),
      take: (frame) => this.#fromClient(frame),
      onFault: (fault) => this.#endBy(fault),
    }))
  }

  open(socket: ClientSocket): void {
    this.#client = socket
    this.#parts.vendor.listen({
      frame: (frame) => this.#fromVendor(frame),
      pong: () => void (this.#quiet.vendor = 0),
      closed: (code, reason) => this.#vendorClosed(code, reason),
    })
  }

  message(_: ClientSocket, frame: Frame): void {
    this.#quiet.client = 0
    this.#line.add(frame)
  }

  drain(): void {
    this.#backlog.end()
    this.#parts.vendor.resume()
  }

  pong(): void {
    this.#quiet.client = 0
  }

  close(_: ClientSocket, code: number): void {
    this.#clientGone = true
    this.#closed()
    this.#leave(isCleanClose(code) && this.#isIdle() ? 'success' : 'cancelled')
  }

  abandon(): void {
    this.#leave('cancelled')
  }

  refuseLarge(): void {
    this.#end(holdsTooMuch(this.#parts.maxFrameBytes))
  }

  tick(): void {
    this.#ticks++
    if (this.#endIfDead()) return
    const { vendor, changes } = this.#parts
    if (this.#ticks % pingTicks === 0) {
      this.#client?.ping()
      vendor.ping()
    }
    const taking = changes()
    if (taking === null) return this.#checkPolicy()
    taking.then(
      () => this.#checkPolicy(),
      (thrown: unknown) => this.#endBy(thrown),
    )
  }

  #checkPolicy(): void {
    const { policy } = this.#parts
    try {
      policy.checkCaller()
      if (this.#isIdle()) policy.checkService()
    } catch (thrown) {
      this.#endBy(thrown)
    }
  }

  finish(): void {
    this.#finishing = true
    if (this.#isIdle()) this.cut()
  }

  cut(why?: 'operator'): void {
    this.#end(why === 'operator' ? stoppedByOperator() : gatewayStops())
  }

  /** No answer is under way. */
  #isIdle(): boolean {
    return this.#parts.bill.answering() === 0
  }

  /** @returns whether a side gave no sign of life for too long */
  #endIfDead(): boolean {
    const quiet = this.#quiet
    // Who is not read from cannot be heard.
    quiet.client = this.#brake.holds() ? 0 : quiet.client + 1
    quiet.vendor = this.#backlog.isThere ? 0 : quiet.vendor + 1
    if (quiet.client >= deadTicks || this.#backlog.ticked() >= deadTicks) this.#leave('cancelled')
    else if (this.#brake.ticked() >= deadTicks)
      this.#end(interruptedBy('the vendor takes nothing more'))
    else if (quiet.vendor >= deadTicks) this.#end(interruptedBy('the vendor went silent'))
    else return false
    return true
  }

  #fromVendor(frame: Frame): void {
    this.#quiet.vendor = 0
    if (isLonger(frame, maxVendorFrameBytes))
      return this.#end(interruptedBy('an event beyond all bounds'))
    try {
      if (this.#phase === 'joined') {
        this.#toClient(this.#events.take(frame))
        this.#events.cover()
        if (this.#finishing && this.#isIdle()) this.cut()
      } else if (this.#phase === 'last bill') {
        this.#events.bill(frame)
        if (this.#isIdle() && this.#ending !== null) this.#settle(this.#ending)
      }
    } catch (thrown) {
      this.#endBy(thrown)
    }
  }

  #vendorClosed(code: number, reason: string): void {
    this.#vendorGone = true
    if (this.#phase === 'last bill' && this.#ending !== null) return this.#settle(this.#ending)
    if (isCleanClose(code) && this.#isIdle())
      return this.#end(closedWith(passedClose(code), scrub(reason)))
    const passed = code === brokenClose ? failedClose : passedClose(code)
    this.#end(interruptedBy(`closed with ${code}`, passed))
  }

  #toClient(frame: Frame): void {
    if (this.#client === null || this.#client.send(frame) !== -1) return
    if (this.#backlog.begin()) this.#parts.vendor.pause()
  }

  #passNow(frame: Frame): boolean {
    if (this.#phase !== 'joined') return true
    const { maxFrameBytes } = this.#parts
    if (isLonger(frame, maxFrameBytes)) {
      this.#end(tooLarge(maxFrameBytes))
      return true
    }
    const sound = passSound(frame)
    if (sound === null) return false
    try {
      this.#pass(sound)
    } catch (thrown) {
      this.#endBy(thrown)
    }
    return true
  }

  async #fromClient(frame: Frame): Promise<void> {
    if (this.#passNow(frame)) return
    const { policy, errors } = this.#parts
    try {
      const passing = await passEvent(frame, policy)
      if (this.#phase === 'joined') this.#pass(passing)
    } catch (thrown) {
      if (!(thrown instanceof RefusedEvent)) return this.#endBy(thrown)
      if (this.#phase !== 'joined') return
      this.#toClient(errors(thrown.error, thrown.eventId))
      // A client that writes nonsense and reads nothing would fill the memory with our answers.
      await this.#backlog.over()
    }
  }

  #pass({ frame: passing, sound, text }: Passing): void {
    const { bill, vendor } = this.#parts
    if (sound > 0) bill.passed('client', 'sound', sound)
    if (text > 0) bill.passed('client', 'text', text)
    if (bill.coverDue()) bill.cover(this.#events.rates())
    vendor.send(passing)
    this.#brake.sent(passing.length)
  }

  /** The client is gone, or as good as gone. */
  #leave(status: 'success' | 'cancelled'): void {
    if (!this.#clientGone) this.#client?.terminate()
    this.#clientGone = true
    this.#end(leftAs(status))
  }

  /** @param thrown a cap, a key that may not call any more, or a fault of ours */
  #endBy(thrown: unknown): void {
    const error = toGatewayError(thrown)
    if (error.code === 'internal_error') this.#parts.onFault(error)
    this.#end(failedWith(error))
  }

  #end(ending: SessionEnding): void {
    if (this.#phase !== 'joined') return
    this.#phase = 'last bill'
    this.#ending = ending
    const { streams, vendor, errors } = this.#parts
    streams.remove(this)
    this.#brake.release()
    this.#backlog.end()
    if (this.#client !== null && !this.#clientGone) {
      if (ending.error !== null) this.#client.send(errors(ending.error))
      const { code, reason, drops } = ending
      this.#closed = drops ? dropSocket(this.#client) : closeSocket(this.#client, code, reason)
    }
    if (this.#vendorGone || this.#isIdle()) return this.#settle(ending)
    // What was said is paid for by what the vendor counted, not by our guess.
    vendor.resume()
    vendor.send(cancel)
    this.#lastBill = setTimeout(() => this.#settle(ending), ending.billMs)
  }

  #settle({ status, error }: SessionEnding): void {
    if (this.#phase === 'over') return
    this.#phase = 'over'
    const { vendor, bill, transcriptions } = this.#parts
    if (this.#lastBill !== null) clearTimeout(this.#lastBill)
    if (!this.#vendorGone) vendor.close(normalClose, '')
    this.#charge(() => bill.close({ status, error }, this.#events.rates()))
    this.#charge(() => transcriptions.close({ status, error }))
  }

  /** Closes one bill; a fault in it must not keep the other from being charged. */
  #charge(close: () => void): void {
    try {
      close()
    } catch (thrown) {
      this.#parts.onFault(toGatewayError(thrown))
    }
  }
}
