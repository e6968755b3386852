import type { Sparse } from './fields/field'
import type { vendorFields } from './fields/vendor-fields'
import type { Ms } from './clock'
import type { Meter } from './usage'

/** Families of models, in the words of the `type` filter of `GET /models`. */
export const modelTypes = [
  'chat',
  'embedding',
  'image',
  'audio_stt',
  'audio_tts',
  'video',
  'music',
  'moderation',
] as const
export type ModelType = (typeof modelTypes)[number]

/** Short names of the metered endpoints, as records and metrics name them. */
export type EndpointName =
  | 'realtime'
  | 'chat'
  | 'messages'
  | 'responses'
  | 'compact'
  | 'completions'
  | 'embeddings'
  | 'moderations'
  | 'images'
  | 'transcriptions'
  | 'translations'
  | 'speech'
  | 'music'
  | 'videos'

/** Unit of a price: how many units of a meter it is for. */
export type PriceUnit = 'million' | 'each' | 'minute'

/** One price: a decimal string in dollars per `unit` of `meter`. */
export interface PriceLine {
  readonly meter: Meter
  readonly price: string
  readonly unit: PriceUnit
  /** Holds only for calls with more input tokens than this; the highest that fits wins. */
  readonly when?: { readonly inputAbove: number }
}

/** Prices of a model, dated and numbered, so that an old charge can still be shown. */
export interface PriceCard {
  readonly version: string
  readonly validFrom: Ms
  readonly lines: readonly PriceLine[]
}

/** Efforts of reasoning, from none to most. */
export const reasoningEfforts = [
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

/** Token rule of pictures in a prompt, by vendor. */
export type PictureRule =
  /** Scaled to a shortest side of 768 and cut into tiles of 512; the base alone for a rough look. */
  | { readonly by: 'tiles'; readonly base: number; readonly each: number }
  /** Cut into patches of so many pixels, of which no more count than `most`. */
  | {
      readonly by: 'patches'
      readonly side: number
      readonly each: number
      readonly most?: number
    }
  /** One when it is small, else cut into squares of 768. */
  | { readonly by: 'squares'; readonly each: number }
  /** Fixed count for each. */
  | { readonly by: 'picture'; readonly each: number }

/** Deviations of a model in what it accepts. Catalogue data that an operator can edit, never code. */
export interface Traits {
  /** Request fields that the model refuses, and that are left out. */
  readonly drop?: readonly string[]
  readonly maxTokensName?: 'max_tokens' | 'max_completion_tokens'
  readonly systemRole?: 'system' | 'developer' | 'user'
  /** Efforts the model has; an asked effort is rounded down to one of these. */
  readonly efforts?: readonly ReasoningEffort[]
  /** Sampling fields only go with effort `none`. */
  readonly samplingNeedsNoEffort?: boolean
  /** Whether a reasoning model: its default output allowance in a hold is larger. */
  readonly reasoning?: boolean
  /** Prompt tokens the vendor counts over our estimate, as long as nothing was learnt of it. */
  readonly tokenFactor?: number
  /** Longest wait for the first output of a stream, before those of its vendor and of the setting. */
  readonly firstTokenSeconds?: number
  /** Prompts are counted by OpenAI's vocabulary of 200,000 words: a second count of one is exact. */
  readonly vocabulary?: 'o200k'
  /** How the vendor is told to think: in tokens, in words it weighs itself, or in steps. */
  readonly thinking?: 'budget' | 'adaptive' | 'level'
  /** Thinking counts inside the vendor's output ceiling: room for it is put on top of the client's. */
  readonly thinkingOnTop?: boolean
  /** The most tokens of thinking that are paid beyond the vendor's output ceiling, which binds the answer alone. */
  readonly thinkingBeyond?: number
  /** False: a call of a tool cannot be forced. */
  readonly forcedTool?: boolean
  /** Means of binding an answer to a JSON schema: the vendor's own field, a forced tool, or words alone. */
  readonly structured?: 'schema' | 'tool' | 'object'
  /** False: a JSON schema and tools do not go together. */
  readonly schemaWithTools?: boolean
  /** Gives one choice a call: for several the vendor is called as often, and paid as often. */
  readonly oneChoice?: boolean
  /** Betas of the Messages format that pass although they cost extra: beginnings of their names. */
  readonly betas?: readonly string[]
  /** Tokens that its vendor counts for a second of sound. */
  readonly audioTokensPerSecond?: number
  /** How its vendor counts a picture that it is shown; a thousand tokens where nobody says. */
  readonly sight?: PictureRule
  /**
   * The most tokens that its vendor counts for a picture it makes, where that asks neither quality
   * nor size.
   */
  readonly pictureTokens?: number
  /** The most searches of the web that its vendor runs for an answer, asked or not: what they find is read as input. */
  readonly searches?: number
  /** Served by the Responses endpoint of its vendor only: always, or when tools are offered. */
  readonly chat?: 'responses' | 'responses-with-tools'
  /** Requests of the Responses format pass as they are to vendors that have the endpoint. */
  readonly responses?: 'native'
  /** Speaks and listens over the realtime channel, and there only. */
  readonly realtime?: boolean
  /** Voices besides those of its capabilities can be named, by the vendor's own ids. */
  readonly voiceIds?: boolean
}

/** Capabilities of a model in `GET /models`; an absent key means not applicable. */
export interface Capabilities {
  readonly streaming?: boolean
  readonly tools?: boolean
  readonly json?: boolean
  readonly vision?: boolean
  readonly reasoning?: boolean
  readonly audio_input?: boolean
  readonly realtime?: boolean
  readonly sizes?: readonly string[]
  readonly seconds?: readonly string[]
  readonly voices?: readonly string[]
  readonly formats?: readonly string[]
  /** Whether it writes recordings down in English too. */
  readonly translation?: boolean
}

/** One way to a model: whose, under which name there, and in which order of preference. */
export interface Route {
  readonly vendor: string
  readonly vendorModel: string
  /** Lower is tried first. */
  readonly priority: number
  /** Share among routes of the same priority. */
  readonly weight: number
  /** Which of the vendor's credentials asked, or must ask; absent where it has one alone. */
  readonly credential?: string
}

/** A model as the catalogue keeps it. */
export interface ModelEntry {
  readonly id: string
  readonly type: ModelType
  readonly name: string
  readonly ownedBy: string
  readonly description: string | null
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
  readonly capabilities: Capabilities
  readonly traits: Traits
  readonly isFree: boolean
  readonly created: Ms
  /** `off`: temporarily unavailable; `discontinued`: was sold before and is removed. */
  readonly status: 'active' | 'off' | 'discontinued'
  readonly card: PriceCard | null
  readonly routes: readonly Route[]
  /** None unless told otherwise. */
  readonly aliases?: readonly ModelAlias[]
  /** Ids of models that are tried in this order where this one gives no answer. */
  readonly fallbacks?: readonly string[]
  /**
   * Ids of the models that this name stands for: the first that can answers. Such a name has neither
   * routes nor prices of its own.
   */
  readonly aliasOf?: readonly string[]
}

/** Another id of a model: its prices, routes and permissions are the model's. */
export interface ModelAlias {
  readonly id: string
  readonly model: string
  /** Has a row of its own in `GET /v1/models`. */
  readonly listed: boolean
}

/** A type as far as prices and endpoints are concerned: realtime models are of type `chat` too. */
export type ModelFamily = ModelType | 'realtime'

/** Family of a model, by its type and traits. */
export const familyOf = ({ type, traits }: Pick<ModelEntry, 'type' | 'traits'>): ModelFamily =>
  traits.realtime === true ? 'realtime' : type

/** The name of a vendor's first credential, which `vendor set` replaces. */
export const defaultCredential = 'default'

/** A further key of ours at a vendor. */
export interface VendorCredential {
  readonly name: string
  readonly secret: string
  readonly active: boolean
}

/** A vendor as configured: a kind of wire, an address and a credential. */
export interface VendorConfig extends Sparse<typeof vendorFields> {
  readonly name: string
  /** The default one; of a vendor with several, as one call is signed, the one that was chosen. */
  readonly credential: string | null
  /** The default one is switched off. */
  readonly credentialOff?: true
  /** Those beside the default one; absent where there are none. */
  readonly moreCredentials?: readonly VendorCredential[]
  /** Which one `credential` is, where one of several was chosen. */
  readonly credentialName?: string
  readonly source: 'command' | 'environment' | 'builtin'
}
