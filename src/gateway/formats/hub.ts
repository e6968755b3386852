import type { Usage } from '../../domain/usage'
import type { Fields } from '../json/fields'
import { isCutShort, type FinishReason } from './chat/wire'

/*
 * What all text formats are translated through. A request in the middle is a chat body (formats/chat/schema);
 * an answer is what stands here.
 */

/** A whole call of a function. `arguments` is JSON text, `{}` when there are none. */
export interface HubToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Members of the vendor's own that clients of the chat format send back with the call. */
  readonly extra?: Fields
}

/**
 * Provider state that a vendor wants back, unchanged, when a turn that called tools comes again: its
 * reasoning, which clients lose. For the vendor alone, never shown.
 */
export interface ProviderState {
  /** The choice that it led to. */
  readonly choice: number
  /** Calls of that choice, by any of which it is found again. */
  readonly callIds: readonly string[]
  /** JSON of the vendor's own. */
  readonly value: unknown
  /** Signed or encrypted: it holds for the vendor's account that made it, and for no other. */
  readonly isSealed: boolean
}

/** What one choice of an answer said, as its client sends it back. */
export interface AnsweredTurn {
  readonly text: string
  readonly calls: readonly Pick<HubToolCall, 'id' | 'name' | 'arguments'>[]
}

/** One choice of a whole answer. */
export interface HubChoice {
  readonly text: string | null
  readonly reasoning: string | null
  readonly refusal: string | null
  readonly toolCalls: readonly HubToolCall[]
  /** Url citations in the reference shape. */
  readonly annotations: readonly Fields[]
  readonly finish: FinishReason
  /** The stop sequence that ended it, where the vendor says which. */
  readonly stopSequence: string | null
  readonly logprobs: unknown
}

/** A whole answer of a vendor. */
export interface HubReply {
  readonly choices: readonly HubChoice[]
  /** Null when the vendor told none. */
  readonly usage: Usage | null
  readonly providerStates?: readonly ProviderState[]
}

/**
 * Event of a stream in the middle format, the same for every wire format. `choice` counts from 0; `tool` counts the calls of
 * a choice from 0 in the order in which they begin, and calls may interleave.
 */
export type Delta =
  | {
      readonly type: 'text'
      readonly choice: number
      readonly text: string
      /** How likely its tokens were, in the reference shape, where a vendor tells. */
      readonly logprobs?: readonly unknown[]
    }
  | { readonly type: 'reasoning'; readonly choice: number; readonly text: string }
  | { readonly type: 'refusal'; readonly choice: number; readonly text: string }
  | {
      readonly type: 'tool-start'
      readonly choice: number
      readonly tool: number
      readonly id: string
      readonly name: string
      readonly extra?: Fields
    }
  | {
      readonly type: 'tool-arguments'
      readonly choice: number
      readonly tool: number
      /** The next piece of the JSON text. */
      readonly text: string
    }
  | { readonly type: 'annotation'; readonly choice: number; readonly annotation: Fields }
  | {
      readonly type: 'finish'
      readonly choice: number
      readonly reason: FinishReason
      readonly stopSequence: string | null
    }
  /** Replaces what was told before. Estimated: so far only the input was reported. */
  | { readonly type: 'usage'; readonly usage: Usage }

/** Whether a delta is part of an answer, and not only its end. */
export const isSaid = (delta: Delta): boolean =>
  delta.type === 'finish' ? isCutShort(delta.reason) : delta.type !== 'usage'

/** One stream of a vendor as deltas. A pure state machine. */
export interface DeltaStream {
  /** @param data of one event @throws GatewayError an error of the vendor | Error for a malformed event */
  event(data: string): readonly Delta[]
  /** The connection closed cleanly. @returns the rest, known only at the end */
  ended(): readonly Delta[]
  /** The vendor's own end of the answer was seen. */
  complete(): boolean
  /** All choices have said why they ended: usage alone may come. Never before the end unless told otherwise. */
  finished?(): boolean
  /** The model has begun to think, also where nothing is shown of it. */
  thinks?(): boolean
  /** Provider state of the answer, once it is complete. */
  providerStates?(): readonly ProviderState[]
}

/** Renderer of deltas in a client's format. A pure state machine. */
export interface DeltaRenderer {
  /** @returns text for the client; '' for none */
  render(deltas: readonly Delta[]): string
  /** Opening events, sent while the vendor still thinks. */
  begin?(): string
  /** The last events: the error if any, usage, terminator. Called once. */
  close(end: RenderedEnd): string
  /** Part of the answer was given out; once the vendor said any unless told otherwise. */
  sent?(): boolean
  /** Keep-alive of a silent stream; a comment by default. */
  readonly keepAlive?: string
}

/** Error, usage and cost that close a rendered stream. */
export interface RenderedEnd {
  /** The error object, when the stream ends by one. */
  readonly error: unknown
  readonly usage: Usage
  /** The charge as a decimal string in dollars. */
  readonly costUsd: string
}
