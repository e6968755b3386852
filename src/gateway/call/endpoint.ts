import type { ProjectId } from '../../domain/ids'
import type { EndpointName, ModelType, Route, Traits } from '../../domain/model'
import type { Units, Usage } from '../../domain/usage'
import type { Offer } from '../catalogue/catalogue'
import type { ErrorCode } from '../../errors/codes'
import type { GatewayError } from '../../errors/gateway-error'
import type { Progress } from '../formats/chat/output-counter'
import type { Unseal } from '../formats/responses/sealed-items'
import type { StreamCollector } from '../formats/stream-collector'
import type { Inbound } from '../http/inbound'
import type { Calibration } from '../metering/calibration'
import type { UsageCeiling } from '../metering/usage-ceiling'
import type { Settings } from '../settings/registry'
import type { ByteSource, Reply } from '../outbound/http1/reply'
import type { Target, VendorRequest } from '../vendors/vendor'
import type { Sealing } from './sealed-compaction'
import type { FetchPicture } from '../outbound/fetch-picture'
import type { ReasoningMemory } from './reasoning-memory'
import type { EarlierAnswer } from './earlier-answer'
import type { RouteCosts } from './vendor-cost'

/** A whole answer, ready for the client. */
export interface WholeAnswer {
  readonly kind: 'whole'
  readonly contentType: string
  /** In pieces where it is so large that to copy it would hold the event loop. */
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  usage(): Usage
  /** It has text of its own, beyond thoughts and calls. Where that is not known, it has. */
  wrote?(): boolean
  /** The vendor's name of the answer, where a later request can go on from it. */
  vendorAnswer?(): string | null
}

/** Closing of a stream: after an error or not, and with which charge. */
export interface StreamEnd {
  readonly error: GatewayError | null
  /** Charged usage, for the usage event. */
  readonly usage: Usage
  readonly costUsd: string
}

/** An answer that is relayed as it comes. A pure state machine: relay.ts owns the only pump. */
interface RelayedAnswer<Piece extends string | Uint8Array<ArrayBuffer>> {
  /** Output of the events read before the answer was accepted. */
  readonly head: Piece | null
  readonly source: ByteSource
  /**
   * Passes a chunk, one at a time.
   * @returns the client's output, null for nothing; a promise where that takes several turns of the event loop
   */
  pass(chunk: Uint8Array): Piece | null | Promise<Piece | null>
  /** Failure of the answer, once the events before it were passed: an error event, or no format. */
  broken(): Error | null
  /** True once any part of the answer itself was handed to the client: before, nothing is charged. */
  sent(): boolean
  /** The vendor closed the stream cleanly. @returns what the client gets for what was left */
  ended(): Piece | null
  /** True once the vendor's own end of the answer was seen; EOF alone is not one. */
  complete(): boolean
  /** All of it has said why it ended: usage alone may come. Never before the end unless told otherwise. */
  finished?(): boolean
  /** It broke off, by whatever: called before its usage is charged. */
  broke?(): void
  /** Counted so far; the vendor's own numbers once it told them. */
  usage(): Usage
  /** As of a whole answer, once it is complete. */
  vendorAnswer?(): string | null
}

/** A stream of events: how it ended is told in it. */
export interface StreamAnswer extends RelayedAnswer<string> {
  readonly kind: 'stream'
  /** As of a whole answer. */
  wrote?(): boolean
  /** Where it is text that grows. */
  readonly progress?: Progress
  /** The last events: error if any, usage, terminator. Call once. */
  close(end: StreamEnd): string
  /** Keep-alive of a silent stream; a comment by default. */
  readonly keepAlive?: string
}

/** A stream that no vendor has answered. */
export type UnansweredStream = Pick<StreamAnswer, 'keepAlive' | 'close'>

/** A file in the making. Nothing can be said in it: one that breaks off ends with its connection. */
export interface BytesAnswer extends RelayedAnswer<Uint8Array<ArrayBuffer>> {
  readonly kind: 'bytes'
  readonly contentType: string
  /** Charged usage, where known before it begins. */
  readonly knownUsage: Usage | null
  /** Handed to the client so far. */
  sentBytes(): number
}

/** A whole answer that was asked for as a stream, so that it could end where the money ends. */
export interface CollectedAnswer {
  readonly kind: 'collected'
  readonly contentType: string
  /** Code of the error that ended it; null where it ended by itself. */
  readonly stoppedBy: ErrorCode | null
  usage(): Usage
  vendorAnswer?(): string | null
  /** Call once. @param usage charged usage */
  body(usage: Usage, costUsd: string): string
  /** Nobody needs the vendor any more. @param abort drops its connection */
  release(abort: () => void): void
}

export type Answer = WholeAnswer | StreamAnswer | BytesAnswer | CollectedAnswer

/** Whole answers by way of a stream: its request, and how it is put together. */
export interface Collects<Body> {
  /** Whether that says the same. */
  can(body: Body): boolean
  asStream(body: Body): Body
  open(body: Body): StreamCollector
}

/** How the most that an answer may have is named to vendors, where the client named nothing. */
interface Lowers<Body> {
  choices(body: Body): number
  /** False where the client named a ceiling, or the model takes none. @param tokens of each choice */
  can(body: Body, traits: Traits, tokens: number): boolean
  /** @param tokens of each choice */
  to(body: Body, tokens: number): Body
}

/** Request to one vendor for a call, and how its answer is read. */
export interface Ask {
  readonly request: VendorRequest
  /** How often it is sent, at once; all must succeed. Once unless told otherwise. */
  readonly times?: number
  /** Members of the client's request that no vendor of another format knows, and that were left out. */
  readonly ignored?: readonly string[]
  /** Further requests that go out with it, where one cannot hold all; all must succeed. */
  readonly also?: readonly VendorRequest[]
  /**
   * Reads a vendor's success.
   * @param more the others, of a request that was sent several times or had others beside it
   * @throws GatewayError when it holds a failure before an answer
   */
  answer(reply: Reply, more: readonly Reply[]): Promise<Answer>
}

/** Estimated usage of a call. */
export interface Estimate {
  readonly low: Units
  /** Usage that calls like it rarely exceed: the hold is taken for it. */
  readonly usual: Units
  /** The most that it can use; null where nothing bounds it before it begins. */
  readonly possible: UsageCeiling | null
  /** Calls of the vendor, alike in size, that it is the sum of; one unless told. */
  readonly prompts?: number
}

/** Context for asking a vendor, besides the body. */
export interface RequestParts {
  readonly offer: Offer
  readonly inbound: Inbound
  /** Our opaque id of the project, told to vendors in place of the client's `user`. */
  readonly safetyId: string
  readonly calibration: Calibration
  readonly project: ProjectId
  readonly memory: ReasoningMemory
  readonly fetchPicture: FetchPicture
  readonly vault: Sealing
  /** Current costs of routes. */
  readonly costs: RouteCosts
  readonly settings: Pick<Settings, 'vendorStore' | 'promptCache' | 'firstTokenTimeout'>
  /** The model is asked in place of one that the client named: what it cannot do is left to the next. */
  readonly isFallback?: true
  /** The vendor rejected sealed reasoning of the request: it is asked once more without any. */
  readonly withoutSealed?: true
}

/** Finds an answer to go on from, whosever it is; null when there is none. */
export type FindEarlierAnswer = (id: string) => Promise<EarlierAnswer | null>

/** Context for estimating, besides the body. */
export interface EstimateParts {
  readonly calibration: Calibration
  /** Output tokens to expect when the client sets no ceiling. */
  readonly settings: Pick<Settings, 'outputAllowance' | 'reasoningAllowance' | 'promptCache'>
}

/** Context for reading a body, of its client. */
export interface ReadParts {
  /** Opens a text that was sealed for the client's project. */
  readonly unseal: Unseal
  readonly earlierAnswer: FindEarlierAnswer
}

/** A model that a client names, and the field that names it. */
export interface ModelChoice {
  readonly id: string
  readonly param: string
}

/** Members of every body of a metered call. */
export interface CallBody {
  /** Null where the client leaves the choice to us. */
  readonly model: string | null
  /** Every model that may answer, the first among them, where the client names several. */
  readonly choices?: readonly ModelChoice[]
  readonly stream: boolean
}

/** A metered endpoint as data. One spine (run.ts) drives them all. */
export interface Endpoint<Body extends CallBody> {
  readonly name: EndpointName
  /** Another type of model is refused with `model_endpoint_mismatch`. */
  readonly models: ModelType
  /** @throws 400 codes, request_too_large */
  read(inbound: Inbound, maxBytes: number, client: ReadParts): Promise<Body>
  estimate(body: Body, offer: Offer, parts: EstimateParts): Estimate
  /** Whether a model has the requested abilities, as far as the catalogue says so; asked of fallbacks. */
  suits?(body: Body, offer: Offer): boolean
  /** Beginning of the prompt, the same in all turns of a conversation. */
  beginning?(body: Body): string
  /**
   * Estimate whose input is counted by a vocabulary instead of guessed, which takes longer. Absent where
   * nothing is guessed.
   */
  recount?(body: Body, offer: Offer, parts: EstimateParts): Promise<Estimate>
  /** An order of something that is dear to make: one whose fate is unknown goes to no other route. */
  readonly isOrder?: true
  /** The routes of the offer that this body can go; all unless told otherwise. */
  routes?(body: Body, call: RequestParts): readonly Route[]
  /** One per route: the next route may shape the body differently. @throws endpoint_not_supported */
  ask(body: Body, target: Target, call: RequestParts): Promise<Ask>
  /** Usage in the words of its whole answers, for one that is not charged as its vendor counted it. */
  tellUsage?(usage: Usage): object
  /** Absent where an answer is what it is, or is relayed whatever the client asks for. */
  readonly collects?: Collects<Body>
  /** Absent where output has no ceiling. */
  readonly lowers?: Lowers<Body>
  /** Its answers are relayed as they come whatever the client asks for. */
  readonly isRelayed?: true
  /** How its streams begin and end before a vendor has answered; without it their clients wait for one. */
  unanswered?(body: Body, call: RequestParts): UnansweredStream
  /** Learns from what a vendor counted, for later estimates. */
  learn?(body: Body, offer: Offer, usage: Usage, calibration: Calibration): void
}
