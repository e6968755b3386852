import type { EarlierAnswer } from '../../call/earlier-answer'
import type { EndpointName } from '../../../domain/model'
import type { Units, Usage } from '../../../domain/usage'
import type { ChatBody } from '../../formats/chat/schema'
import type { Fields } from '../../json/fields'
import type { ReplyIdentity } from '../../formats/chat/wire'
import type { Sells } from '../../formats/hosted-tools'
import type { TextStream } from '../../formats/hub-stream'
import type { RequestMembers, UnlistedMembers } from '../../formats/request-members'
import type { Seal, Unseal } from '../../formats/responses/sealed-items'
import type { StreamCollector } from '../../formats/stream-collector'
import type { AnswerFormat } from './hub-answer'
import type { CacheWrite, CountedText } from './text-estimate'
import type { RememberTurn } from './turn-reasoning'

/** Any request of a format that clients speak. */
export type NamedFields = Fields & { readonly model: string }

/** A checked request for text in a client's format, with the text it came in. */
export interface TextCall<Raw extends Fields> extends CountedText {
  readonly format: ClientFormat<Raw>
  /** The answer that it goes on from, where that is known. */
  readonly earlier: EarlierAnswer | null
  readonly text: string
  readonly raw: Raw
  /** Null where nothing in it was sealed. */
  readonly unsealed: Unsealed<Raw> | null
}

/**
 * A format that clients speak, as data: what a request of it means in the middle, how answers look in
 * it, and how those of a vendor that speaks it pass. Pure.
 */
export interface ClientFormat<Raw extends Fields> {
  readonly endpoint: Exclude<EndpointName, 'realtime'>
  /** @throws GatewayError 400 with the field as `param` */
  check(value: unknown): Raw
  /** The format in whose words a body of this one comes; null for its own. */
  alternative?(value: unknown): ClientFormat<NamedFields> | null
  /** Its answers are whole, whatever a request says of streams. */
  readonly neverStreams?: true
  /** Rules for each member of a request. */
  readonly members: RequestMembers
  /** The request as a chat body. @throws GatewayError 400 for options without an equal there */
  toChat(raw: Raw): ChatBody
  /** Parts of the request that the chat body lacks, paid where the format itself is spoken. */
  droppedParts?(raw: Raw): readonly unknown[]
  /** Whether a vendor of the format reads less than the chat body has: tools wait there to be found. */
  readsLess?(raw: Raw): boolean
  /** @param seal seals texts that the client keeps for us, for its project */
  answer(raw: Raw, seal: Seal): AnswerFormat
  /**
   * Opens texts that were sealed in earlier answers, or writes members as the format has them; null where there are
   * none of these. @throws 400 codes
   */
  unseal?(raw: Raw, unseal: Unseal): Unsealed<Raw> | null
  /** Usage in the words of its whole answers. */
  tellUsage(usage: Usage): object
  /** Puts a stream together as a whole answer. */
  collect(): StreamCollector
  /**
   * The id of an earlier answer of ours that this one goes on from: only the vendor that gave it
   * knows it. Null for none.
   */
  goesOnFrom?(raw: Raw): string | null
  /**
   * The member that a translation cannot serve, beside those that only the format has; null for none.
   * @param searches whether the vendor may search the web
   * @param unlisted takes members that are left out
   */
  untranslatable?(raw: Raw, searches: boolean, unlisted: UnlistedMembers): string | null
  /** Calls of tools that run at the vendor and are sold, as many as there may be. */
  vendorTools?(raw: Raw, sells: Sells): Units
  /** Tokens of thinking that a request allows: a ceiling must be above them. Null for none. */
  thinkingBudget?(raw: Raw): number | null
  /** Dearest kind of cache write that the client requests; null for none. */
  writesCache?(text: string): CacheWrite | null
  /**
   * Tokens of a prompt from which on its vendor is to make the conversation shorter first, which costs a pass of
   * its own; null for never.
   */
  compactsFrom?(raw: Raw): number | null
  /** Where the vendor speaks this format too; without it everything is translated. */
  readonly native?: NativeFormat<Raw>
}

/** A request with its sealed texts opened, or its members as they should be. */
interface Unsealed<Raw extends Fields> {
  readonly raw: Raw
  /** Members of the request that changed by it. */
  readonly set: Fields
  /** The one vendor that may be asked, and the member it hangs on; null for any. */
  readonly only: { readonly vendor: string; readonly param: string } | null
}

/** A format whose text passes from a vendor that speaks it, but for ids, model, usage and policy. */
export interface NativeFormat<Raw extends Fields> {
  /** Ability of a vendor that speaks it. */
  readonly ability: 'chat' | 'messages' | 'responses' | 'compact'
  /** Its member for the most tokens that an answer may have; absent where it has none. */
  readonly ceiling?: string
  /** @throws GatewayError the vendor's failure inside a success | Error when it is no answer */
  readReply(text: string, parts: NativeParts<Raw>): NativeReply
  openStream(parts: NativeParts<Raw>): NativeStream
  /**
   * The data of the events of a stream that says the same as a whole reply; without it a vendor must
   * stream when it is asked to.
   */
  replyEvents?(reply: Fields): readonly string[]
  /** Whether strings of this reply must be known to the letter; none unless told otherwise. */
  readsStrings?(text: string): boolean
  /** Its vendors do not tell how often they searched: they bill it by the answer. */
  readonly tellsNoSearch?: true
}

export interface NativeParts<Raw extends Fields> {
  readonly raw: Raw
  readonly identity: ReplyIdentity
  /** Whether the model has a price for units of a meter. */
  readonly sells: Sells
  /** Seals content that only this vendor can read, so that it comes back to this vendor alone. */
  sealOwn(content: string): string
  /** Puts a reply or event of a vendor that deviates into the shape of the format, in place. */
  normalise(reply: Fields): void
  /** Keeps reasoning that the vendor wants back; null where it wants none. */
  readonly remember: RememberTurn | null
  /** @throws the vendor's failure, when a reply or event is one */
  refuseFailure(event: Fields): void
  /** Token count of a text, where the vendor reports none. */
  countTokens(text: string): number
  /** Usage of an answer whose vendor told none. @param answer all its text */
  estimate(answer: string): Usage
}

export interface NativeReply {
  /** As the client gets it. */
  readonly body: string
  readonly usage: Usage
  /** The vendor's name of it, where a later request can go on from it. */
  readonly vendorAnswer?: string | null
  /** Choices of a chat reply. */
  readonly choices?: readonly Fields[]
}

export interface NativeStream extends TextStream {
  /** As of a whole answer; null before it is complete. */
  vendorAnswer?(): string | null
}
