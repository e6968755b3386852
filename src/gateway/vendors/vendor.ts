import type { Route, Traits, VendorConfig } from '../../domain/model'
import type { ServerSocket, SocketRequest } from '../net/socket'
import type { StreamedBody } from '../net/streamed-body'
import type { Meter } from '../../domain/usage'
import type { GatewayError } from '../../errors/gateway-error'
import type { ChatBody } from '../formats/chat/schema'
import type { EmbeddingsReply } from '../formats/embeddings/reply'
import type { ImagesReply } from '../formats/images/reply'
import type { EmbeddingsBody } from '../formats/embeddings/schema'
import type { DeltaStream, HubReply } from '../formats/hub'
import type { MusicPiece } from '../formats/music/reply'
import type { MusicBody } from '../formats/music/schema'
import type { AudioFormat } from '../media/audio-format'
import type { AudioReader } from '../formats/speech/audio-reader'
import type { Speech } from '../formats/speech/schema'
import type { TranscriptReader } from '../formats/transcripts/stream'
import type { Transcript } from '../formats/transcripts/transcript'
import type { Fields } from '../json/fields'
import type { AudioQuestion, AudioRequest } from './audio-input'
import type { PicturesOrder } from './image-order'
import type { VideoOrder, ReportedVideo, VideoVariant } from './video-status'

/** Request to a vendor, without secrets, not yet sent. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the vendor's base address, beginning with `/`. */
  readonly path: string
  /** In place of that address: its host, where a path is beside those of the format. */
  readonly base?: string
  readonly body: string | Uint8Array<ArrayBuffer> | StreamedBody | null
  readonly contentType: string | null
  /** Beside those of every request to this vendor. */
  readonly headers?: readonly Header[]
  /** In place of the vendor's own timeout. */
  readonly timeoutMs?: number
}

/** Target of a request: a configured vendor, its kind, and the chosen route. */
export interface Target {
  readonly vendor: Vendor
  readonly config: VendorConfig
  readonly route: Route
  readonly traits: Traits
  /** The most the model puts out; null when the catalogue does not know. */
  readonly maxOutputTokens: number | null
  /** Whether units of this meter have a price. */
  sells(meter: Meter): boolean
}

/** The ability to take a client's own format as it stands: its bytes pass, but for what is edited. */
export interface NativeAbility {
  path(target: Target): string
  /**
   * How a checked body is changed for this vendor: fields set, fields left out. Top-level members not
   * named pass untouched; the vendor's name of the model is the caller's.
   */
  shape(body: Readonly<Record<string, unknown>>, target: Target, client: ClientMark): BodyEdit
  /** False where this call must go another way. True unless told otherwise. */
  takes?(body: Readonly<Record<string, unknown>>, target: Target): boolean
  /** Headers for options without a field in the body. @param sent the client's, a form of which may go along */
  headers?(target: Target, client: ClientMark, sent: HeaderReader): readonly Header[]
  /** Puts a parsed reply or stream event that deviates into the shape of the format, in place. */
  normalise?(reply: Record<string, unknown>): void
  /** Reasoning that the vendor wants back: its own, that of turns that called tools, or all; null for none. */
  wantsReasoning?(target: Target): 'own' | 'calls' | 'all' | null
}

/** The chat ability of a vendor whose format is the reference format. */
export interface ChatAbility extends NativeAbility {
  headers?(target: Target, client: ClientMark): readonly Header[]
  normalise(reply: Record<string, unknown>): void
  /** Its thinking is paid beyond the ceiling of an answer, and nothing says how much of it there may be. */
  thinksUnpaid?(target: Target): boolean
  /** It hands calls on to sellers, and keeps conditions on which of them. */
  choosesSellers?(target: Target): boolean
}

/** Client data for a vendor: our own opaque id, never the client's. */
export interface ClientMark {
  readonly safetyId: string
  readonly stream: boolean
  /** Whether the operator lets vendors keep answers, so that later requests can go on from them. */
  readonly mayKeep: boolean
  /** Whether the operator wants large prompts in the vendor's cache, whose writes cost more. */
  readonly cachePrompt: boolean
  /** Provider state of a tool call, by its object in the chat body; undefined when unknown. */
  recall(call: object): unknown
  /** The request goes without sealed reasoning, which the vendor rejected. */
  readonly withoutSealed?: boolean
  /** The client speaks another format than the vendor. */
  readonly translated?: boolean
  /** This vendor's name of an earlier answer of ours; absent or undefined where it has none. */
  answerName?(id: string): string | undefined
  /** The client's conditions on who answers, for a vendor that chooses among sellers. */
  readonly conditions?: Readonly<Record<string, unknown>> | null
}

/** Edits of a body's top-level members. */
export interface BodyEdit {
  /** Member name → new value, set or added. */
  readonly set: Readonly<Record<string, unknown>>
  readonly drop: readonly string[]
  /** Of those, members that no list has, which the answer names. */
  readonly ignored?: readonly string[]
}

/** The text ability of a vendor that speaks a format of its own: everything through the hub. */
export interface HubAbility {
  path(target: Target, client: ClientMark): string
  /** The vendor's whole request body. @throws GatewayError 400 for options that this vendor lacks */
  render(body: ChatBody, target: Target, client: ClientMark): string
  /** As `ChatAbility.headers`. */
  headers?(target: Target, client: ClientMark): readonly Header[]
  /** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
  readReply(text: string, question: HubQuestion): HubReply
  openStream(question: HubQuestion): DeltaStream
  /** The vendor does not fetch pictures itself: their addresses must become data before. */
  readonly inlinesImages?: true
  /** It bills a search by its size (`search_context_size`), where clients choose one. */
  readonly sizesSearches?: true
  /** Whether a search that is offered goes out; unless said otherwise it does. */
  searches?(body: ChatBody, target: Target, client: ClientMark): boolean
}

/** The ability to count a prompt of the Messages format, for free. */
export interface CountAbility {
  path(target: Target): string
  /** Edits that make a count request of a body. */
  shape(body: Readonly<Record<string, unknown>>, target: Target, client: ClientMark): BodyEdit
  /** @returns null when it is no count */
  read(text: string): number | null
}

/** The ability to turn texts into vectors. */
export interface EmbedAbility {
  path(target: Target): string
  /** The most inputs of one request; more are asked for in several at once. No bound unless told. */
  maxInputs?(target: Target): number
  /** @throws GatewayError 400 for options that this vendor lacks */
  render(body: EmbeddingsBody, target: Target, client: ClientMark): string
  /** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
  readReply(
    text: string,
    question: { readonly model: string; readonly body: EmbeddingsBody },
  ): EmbeddingsReply
  /** It answers in the reference shape: large replies pass by their bytes. */
  readonly isReference?: true
}

/** The ability to make pictures. */
export interface ImagesAbility {
  path(target: Target): string
  /** The most pictures of one request; more are asked for in several at once. */
  maxPictures(target: Target): number
  /** Whether it shows a picture while it makes it. */
  streams(target: Target): boolean
  /** Whether a picture of this size costs more than one of the usual; absent for a vendor of one price. */
  isDearSize?(size: string, target: Target): boolean
  /** @throws GatewayError 400 for options that this vendor lacks */
  render(asked: PicturesOrder, target: Target, client: ClientMark): string
  /** @throws GatewayError the vendor's failure, naming `model` as its client did | Error when it is no answer */
  readReply(text: string, model: string): ImagesReply
}

/** The ability to write down what is said in a recording. */
export interface TranscribeAbility {
  /** Whether it can write it in English. */
  readonly translates: boolean
  /** Fields that only the reference knows go along. */
  readonly takesExtras?: true
  /** Telling speakers apart costs more than the plain text. */
  readonly billsSpeakers?: true
  /** @throws GatewayError 400 for options that this vendor lacks */
  request(question: AudioQuestion, target: Target): AudioRequest
  /** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
  readReply(text: string, question: AudioQuestion): Transcript
  /** Reads its stream; a vendor without one answers whole. */
  openStream?(question: AudioQuestion): TranscriptReader
}

/** The ability to say a text aloud. */
export interface SpeakAbility {
  /** @throws GatewayError 400 for options that this vendor lacks */
  request(speech: Speech, target: Target): VendorRequest
  /** Opens the reader of the audio in a success. */
  openReply(question: SpeechQuestion): AudioReader
  /** Formats it offers; all by default. */
  readonly formats?: readonly AudioFormat[]
  /** Its audio may come inside JSON; elsewhere JSON is a failure inside a success. */
  readonly json?: true
  /** Audio tokens of a second of speech, where they are sold and the vendor tells none. */
  readonly tokensPerSecond?: number
}

/** Question that spoken audio answers. */
interface SpeechQuestion {
  readonly speech: Speech
  /** As the client asked for it. */
  readonly model: string
  /** Media type of the answer, in small letters. */
  readonly mediaType: string
}

/** The ability to make a whole piece of music at once. */
export interface MusicAbility {
  /** @throws GatewayError 400 for options that this vendor lacks */
  request(order: MusicOrder, target: Target): VendorRequest
  /** @throws GatewayError the vendor's failure or refusal inside a success | Error when it is no answer */
  readReply(body: Uint8Array, reply: MusicReplyHead): MusicPiece | Promise<MusicPiece>
}

interface MusicOrder {
  readonly body: MusicBody
  /** How long the pieces of this model are, where that is said; it is what its price is for. */
  readonly seconds: number | null
}

/** Facts of a vendor's piece of music before it is read. */
interface MusicReplyHead {
  /** In small letters. */
  readonly mediaType: string
  /** As the client asked for it. */
  readonly model: string
}

/** The ability to make videos, each a job that is looked after. */
export interface VideoAbility {
  /** How often a job is worth a look. */
  readonly paceMs: number
  /** How long the vendor keeps a file once it is made; null for as long as we need it. */
  readonly keepsMs: number | null
  /** @throws GatewayError 400 for options that this vendor lacks */
  create(asked: VideoOrder, target: Target): Promise<VendorRequest>
  /** @throws Error when it is no answer */
  readCreated(reply: Readonly<Fields>): { readonly job: string; readonly seen: ReportedVideo }
  look(job: string, target: Target): VendorRequest
  /** @throws Error when it is no answer */
  readLook(reply: Readonly<Record<string, unknown>>): ReportedVideo
  /** Asks for the file itself; absent where only its address is told, and that of the video alone. */
  content?(job: string, variant: VideoVariant, target: Target): VendorRequest
  /** Ends a job, or forgets its file. */
  remove?(job: string, target: Target): VendorRequest
}

/** Question that an answer belongs to. */
export interface HubQuestion {
  /** As the client asked for it. */
  readonly model: string
  /** Makes ids of calls whose vendor gave none. */
  readonly requestId: string
  readonly body: ChatBody
  readonly traits: Traits
}

export type Header = readonly [string, string]

/** The ability to hold a conversation in the reference's realtime events. */
export interface RealtimeAbility {
  /** Where, and as whose client; null where this address has no such channel. Without our credential. */
  socket(target: Target, client: Pick<ClientMark, 'safetyId'>): SocketRequest | null
}

/** Each optional: a missing one answers `endpoint_not_supported`. */
interface Abilities {
  readonly chat: ChatAbility
  readonly hub: HubAbility
  readonly messages: NativeAbility
  readonly count: CountAbility
  readonly embeddings: EmbedAbility
  readonly moderate: NativeAbility
  readonly images: ImagesAbility
  readonly transcribe: TranscribeAbility
  readonly speak: SpeakAbility
  readonly music: MusicAbility
  readonly videos: (config: VendorConfig) => VideoAbility
  readonly responses: NativeAbility
  readonly compact: NativeAbility
  readonly realtime: RealtimeAbility
}

/** Header fields of a vendor's answer, by name in small letters. */
export interface HeaderReader {
  get(name: string): string | null
}

/** A pure description of a kind of vendor: it says what to ask and how to read, and never fetches. */
export interface Vendor {
  readonly kind: string
  readonly abilities: Partial<Abilities>
  /** Headers with our credential, and those that go with it. */
  sign(credential: string, config: VendorConfig): readonly Header[]
  /** A failed answer in our codes. `model` is the id the client asked for. */
  failure(status: number, headers: HeaderReader, body: string, model: string): GatewayError
  /** An error object inside a 200 reply or a stream event; null when there is none. */
  embeddedFailure(reply: Readonly<Record<string, unknown>>, model: string): GatewayError | null
  /** Only a vendor inside the program brings its own; a WebSocket of it as well. @throws GatewayError */
  readonly fetch?: (request: Request) => Promise<Response>
  readonly connect?: (request: SocketRequest, model: string) => ServerSocket
}
