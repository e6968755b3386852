import type { Catalogue, Offer } from '../../catalogue/catalogue'
import { endpoints, pathOf } from '../../catalogue/endpoints'
import { resolveAny } from '../../catalogue/resolve'
import { MeteredCall, type Ended, type OutcomeParts } from '../../call/settlement'
import type { Caller } from '../../../domain/caller'
import type { Clock } from '../../../domain/clock'
import type { RequestId } from '../../../domain/ids'
import type { Route } from '../../../domain/model'
import { zeroUsd, type NanoUsd } from '../../../domain/money'
import type { CallOpening } from '../../../domain/record'
import type { Units } from '../../../domain/usage'
import { GatewayError } from '../../../errors/gateway-error'
import {
  secondsOfTokens,
  textTokens,
  tokensOfSeconds,
  usualRates,
} from '../../formats/realtime/audio-tokens'
import { readTranscriptionUsage } from '../../formats/realtime/usage'
import type { Inbound } from '../../http/inbound'
import { checkModel } from '../../identity/access'
import type { Ledger } from '../../../ledger/ledger'
import { openRunningBill, type RunningBill } from './running-bill'

/**
 * Transcriptions of what a client says, which have a model and a price of their own: each such model
 * of a socket is a record beside that of the conversation.
 */
export interface Transcriptions {
  /**
   * The client wants this model from now on.
   * @returns what the vendor calls it
   * @throws model_not_found … | model_endpoint_mismatch | model_not_allowed | endpoint_not_supported | what `Ledger.hold` throws
   */
  choose(model: string): Promise<string>
  /** The vendor has accepted the chosen model. */
  chosen(): void
  /** Something was said, which the model chosen by then will transcribe. @param tokens of its sound */
  committed(item: unknown, tokens: number): void
  /** So many characters of the transcription of an item went to the client. */
  passed(item: unknown, chars: number): void
  /** The transcription of an item is done. @param chars of all of it */
  done(item: unknown, usage: unknown, chars: number): void
  /** Holds money for the next. @throws the code of the cap that is in the way */
  cover(): void
  close(ended: Omit<Ended, 'route'>): void
}

interface TranscriptionParts extends OutcomeParts {
  readonly clock: Clock
  readonly catalogue: Catalogue
  readonly ledger: Ledger
  newRequestId(): RequestId
}

interface TranscriptionCall {
  /** Of the conversation that they belong to. */
  readonly opening: CallOpening
  readonly inbound: Inbound
  readonly vendor: string
  readonly margin: NanoUsd
  renew(): Caller
}

/** A transcription costs a small part of a conversation. */
const partOfMargin = 10
/** Items whose transcription may still come. */
const maxItems = 256

interface Counted {
  readonly units: Units
  readonly estimated: boolean
}

/** Something that was said. */
interface Awaited {
  /** Null where the vendor did not confirm the chosen model. */
  readonly model: string | null
  readonly tokens: number
  /** Of its transcription, gone to the client. */
  chars: number
}

/** A model that transcribes, with its record. */
interface Billed {
  readonly bill: RunningBill
  readonly offer: Offer
}

export const openTranscriptions = (
  parts: TranscriptionParts,
  call: TranscriptionCall,
): Transcriptions => new BilledTranscriptions(parts, call)

class BilledTranscriptions implements Transcriptions {
  readonly #billed = new Map<string, Billed>()
  /** Model that the client requested last, until the vendor confirms it. */
  #wanted: string | null = null
  #current: string | null = null
  readonly #awaited = new Map<unknown, Awaited>()
  /** How the conversation ended; null while it goes on. */
  #ended: Omit<Ended, 'route'> | null = null
  readonly #parts: TranscriptionParts
  readonly #call: TranscriptionCall

  constructor(parts: TranscriptionParts, call: TranscriptionCall) {
    this.#parts = parts
    this.#call = call
  }

  async choose(asked: string): Promise<string> {
    const { vendor, renew } = this.#call
    const { group } = renew().account
    const offer = resolveAny(this.#parts.catalogue.of(group), asked)
    const { id: model, type } = offer.model
    const endpoint = endpoints.realtime.path
    if (type !== 'audio_stt')
      throw new GatewayError(
        'model_endpoint_mismatch',
        { model: asked, type, endpoint, servedAt: pathOf(type) },
        { param: 'session.audio.input.transcription.model' },
      )
    checkModel(renew(), offer.model)
    const route = offer.routes.find((each) => each.vendor === vendor)
    if (route === undefined) throw new GatewayError('endpoint_not_supported', { model, endpoint })
    if (!this.#billed.has(model)) {
      const bill = await this.#openRunningBill(offer, route)
      this.#billed.set(model, { bill, offer })
      // Whoever left meanwhile said nothing to it.
      if (this.#ended !== null) bill.close(this.#ended, usualRates)
    }
    this.#wanted = model
    return route.vendorModel
  }

  chosen(): void {
    this.#current = this.#wanted
  }

  committed(item: unknown, tokens: number): void {
    const awaited = this.#awaited
    awaited.set(item, { model: this.#current, tokens, chars: 0 })
    if (awaited.size > maxItems) awaited.delete(awaited.keys().next().value)
  }

  passed(item: unknown, chars: number): void {
    const one = this.#awaited.get(item)
    if (one !== undefined) one.chars += chars
  }

  done(item: unknown, raw: unknown, chars: number): void {
    const one = this.#awaited.get(item) ?? { model: null, tokens: 0, chars: 0 }
    this.#awaited.delete(item)
    this.#bill(one.model, counted(raw) ?? uncounted({ ...one, chars }))
  }

  cover(): void {
    for (const { bill } of this.#billed.values()) bill.cover(usualRates)
  }

  close(ended: Omit<Ended, 'route'>): void {
    // Who leaves before the bill has what was written down by then.
    for (const one of this.#awaited.values())
      if (one.chars > 0) this.#bill(one.model, uncounted(one))
    this.#awaited.clear()
    this.#ended = ended
    for (const { bill } of this.#billed.values()) bill.close(ended, usualRates)
  }

  async #openRunningBill(offer: Offer, route: Route): Promise<RunningBill> {
    const parts = this.#parts
    const { opening, inbound, margin, renew } = this.#call
    const { model, card } = offer
    const id = parts.newRequestId()
    const created = parts.clock.now()
    const own = { ...opening, id, created, model: model.id, cardVersion: card.version }
    const ahead = model.isFree ? zeroUsd : (Math.ceil(margin / partOfMargin) as NanoUsd)
    const hold = await parts.ledger.hold({ caller: renew(), amount: ahead, opening: own })
    // The conversation has the slot; this one only listens.
    const slot = { release: () => {} }
    const seen = { ...inbound, requestId: id, received: created, arrived: parts.monotonic.ticks() }
    const answering = { offer, ceiling: null, opening: own }
    const call = new MeteredCall(parts, answering, { hold, slot, inbound: seen })
    return openRunningBill({ call, route, margin: ahead, renew })
  }

  /** @param used null for nothing to be paid */
  #bill(chosen: string | null, used: Counted | null): void {
    const model = chosen ?? this.#current ?? this.#wanted
    // What a vendor transcribes of its own accord has no model that was asked for, and no price.
    const at = model === null ? undefined : this.#billed.get(model)
    if (at === undefined || used === null) return
    const units = inUnitsOf(at.offer, used.units)
    const estimated = used.estimated || units !== used.units
    at.bill.billed({ units, reasoning: 0, estimated }, usualRates)
  }
}

function counted(raw: unknown): Counted | null {
  const units = readTranscriptionUsage(raw)
  return units === null ? null : { units, estimated: false }
}

/** Usage of a transcription that the vendor did not count: its sound, and its text. */
const uncounted = ({ tokens, chars }: Awaited): Counted | null =>
  tokens === 0
    ? null
    : { units: { input_audio: tokens, output: textTokens(chars) }, estimated: true }

/** Vendors count one model by tokens here and by seconds there; the card says which is sold. */
function inUnitsOf({ rates }: Offer, used: Units): Units {
  const bySecond = rates.base.audio_second !== undefined
  const seconds = used.audio_second
  if (seconds === undefined)
    return bySecond ? { audio_second: secondsOfTokens(used.input_audio ?? 0) } : used
  return bySecond ? used : { input_audio: tokensOfSeconds(seconds) }
}
