import type { Ms } from '../domain/clock'
import type { Route, Traits, VendorConfig } from '../domain/model'
import type { Meter } from '../domain/usage'
import type { VideoFault } from '../domain/video-job'
import type { GatewayError } from '../errors/gateway-error'
import type { ChatBody } from '../formats/chat/schema'
import type { EmbeddingsReply } from '../formats/embeddings/reply'
import type { EmbeddingsBody } from '../formats/embeddings/schema'
import type { DeltaStream, HubReply } from '../formats/hub'

/** What to ask of a vendor, without secrets and without sending it. */
export interface VendorRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below the vendor's base address, beginning with `/`. */
  readonly path: string
  /** In place of that address: its host, where a path is beside those of the format. */
  readonly base?: string
  readonly body: string | Uint8Array<ArrayBuffer> | null
  readonly contentType: string | null
  /** Beside those of every request to this vendor. */
  readonly headers?: readonly Header[]
}

/** Whom to ask: a configured vendor, what speaks with it, and the route chosen. */
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

/** The chat ability of a vendor whose format is the reference format. */
export interface ChatAbility {
  readonly path: string
  /**
   * How a checked body is changed for this vendor: fields set, fields left out.
   * Top-level members not named pass untouched.
   */
  shape(body: Readonly<Record<string, unknown>>, target: Target, client: ClientMark): BodyEdit
  /** Puts a parsed reply or stream chunk that deviates into the reference shape, in place. */
  normalise(reply: Record<string, unknown>): void
  /** The vendor wants the reasoning back with the calls that it led to. */
  wantsReasoning?(target: Target): boolean
}

/** What we tell the vendor of our client: our own opaque id, never the client's. */
export interface ClientMark {
  readonly safetyId: string
  readonly stream: boolean
  /** What this vendor wanted back with a call of a tool; undefined when nothing is known of it. */
  recall(callId: string): unknown
}

export interface BodyEdit {
  /** Member name → new value, set or added. */
  readonly set: Readonly<Record<string, unknown>>
  readonly drop: readonly string[]
}

/** The text ability of a vendor that speaks a format of its own: everything through the hub. */
export interface HubAbility {
  path(target: Target, client: ClientMark): string
  /** The vendor's whole request body. @throws GatewayError 400 what this vendor cannot be asked */
  render(body: ChatBody, target: Target, client: ClientMark): string
  /** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
  readReply(text: string, question: HubQuestion): HubReply
  openStream(question: HubQuestion): DeltaStream
  /** Whether a call goes this way although the vendor speaks the reference format too. */
  takes?(body: ChatBody, target: Target): boolean
  /** The vendor does not fetch pictures itself: their addresses must become data before. */
  readonly inlinesImages?: true
}

/**
 * The ability to take a client's own format as it stands: its bytes pass, but for what is edited.
 */
export interface NativeAbility {
  path(target: Target): string
  /** As `ChatAbility.shape`; the vendor's name of the model is the caller's. */
  shape(body: Readonly<Record<string, unknown>>, target: Target, client: ClientMark): BodyEdit
  /** False where this call must go another way. True unless told otherwise. */
  takes?(body: Readonly<Record<string, unknown>>, target: Target): boolean
  /** What of the client's headers goes along, in a form of ours. */
  headers?(client: HeaderReader, target: Target): readonly Header[]
}

/** The ability to count a prompt of the Messages format, for free. */
export interface CountAbility {
  path(target: Target): string
  /** What of the body is left for a count, and what is changed. */
  shape(body: Readonly<Record<string, unknown>>, target: Target, client: ClientMark): BodyEdit
  /** @returns null when it is no count */
  read(text: string): number | null
}

/** The ability to turn texts into vectors. */
export interface EmbedAbility {
  path(target: Target): string
  /** @throws GatewayError 400 what this vendor cannot be asked */
  render(body: EmbeddingsBody, target: Target, client: ClientMark): string
  /** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
  readReply(
    text: string,
    question: { readonly model: string; readonly body: EmbeddingsBody },
  ): EmbeddingsReply
}

/** A video as it is asked for, once it is known that the model makes such a one. */
export interface VideoAsked {
  readonly prompt: string
  /** A whole number. */
  readonly seconds: string
  /** `<width>x<height>`; null where the vendor chooses. */
  readonly size: string | null
  /** What it begins with. */
  readonly picture: VideoPicture | null
}

export interface VideoPicture {
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** What a vendor tells of a job. */
export type VideoSeen =
  | {
      readonly status: 'queued' | 'in_progress'
      /** Per cent; null where it does not tell. */
      readonly progress: number | null
    }
  | {
      readonly status: 'completed'
      /** Where the file lies; null where the vendor is asked for it by the job. */
      readonly url: string | null
      /** Until when the vendor keeps it; null where it does not tell. */
      readonly expires: Ms | null
    }
  | { readonly status: 'failed'; readonly fault: VideoFault }

export const videoVariants = ['video', 'thumbnail', 'spritesheet'] as const
export type VideoVariant = (typeof videoVariants)[number]

/** The ability to make videos, each a job that is looked after. */
export interface VideoAbility {
  /** How often a job is worth a look. */
  readonly paceMs: number
  /** How long the vendor keeps a file once it is made; null for as long as we need it. */
  readonly keepsMs: number | null
  /** @throws GatewayError 400 what this vendor cannot be asked */
  create(asked: VideoAsked, target: Target): VendorRequest | Promise<VendorRequest>
  /** @throws Error when it is no answer */
  readCreated(reply: Readonly<Record<string, unknown>>): {
    readonly job: string
    readonly seen: VideoSeen
  }
  look(job: string, target: Target): VendorRequest
  /** @throws Error when it is no answer */
  readLook(reply: Readonly<Record<string, unknown>>): VideoSeen
  /** Asks for the file itself; absent where only its address is told, and that of the video alone. */
  content?(job: string, variant: VideoVariant, target: Target): VendorRequest
  /** Ends a job, or forgets its file. */
  remove?(job: string, target: Target): VendorRequest
}

/** What reading an answer must know of its question. */
export interface HubQuestion {
  /** As the client asked for it. */
  readonly model: string
  /** Makes ids of calls whose vendor gave none. */
  readonly requestId: string
  readonly body: ChatBody
  readonly traits: Traits
}

/** Name and value. */
export type Header = readonly [string, string]

/** Each optional: a missing one answers `endpoint_not_supported`. */
export interface Abilities {
  readonly chat: ChatAbility
  readonly hub: HubAbility
  /** Anthropic's Messages. */
  readonly messages: NativeAbility
  readonly count: CountAbility
  readonly embeddings: EmbedAbility
  readonly moderate: NativeAbility
  readonly images: NativeAbility
  /** Vendors of one kind may speak differently of videos. */
  readonly videos: (config: VendorConfig) => VideoAbility
  /** OpenAI's Responses. */
  readonly responses: NativeAbility
}

/** Header fields of a vendor's answer, by name in small letters. */
export interface HeaderReader {
  get(name: string): string | null
}

/** A pure description of a kind of vendor: it says what to ask and how to read, and never fetches. */
export interface Vendor {
  readonly kind: string
  readonly abilities: Partial<Abilities>
  /** The headers that carry our credential, and what goes with it. */
  sign(credential: string, config: VendorConfig): readonly Header[]
  /** A failed answer in our codes. `model` is the id the client asked for. */
  failure(status: number, headers: HeaderReader, body: string, model: string): GatewayError
  /** An error object inside a 200 reply or a stream event; null when there is none. */
  embeddedFailure(reply: Readonly<Record<string, unknown>>, model: string): GatewayError | null
  /** Only a vendor inside the program brings its own. */
  readonly fetch?: (request: Request) => Promise<Response>
}
