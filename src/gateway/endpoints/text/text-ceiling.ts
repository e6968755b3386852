import type { Offer } from '../../catalogue/catalogue'
import type { ModelEntry, Traits } from '../../../domain/model'
import type { Meter, Units } from '../../../domain/usage'
import { outputCeilingOf } from '../../formats/chat/ceiling'
import type { ChatBody } from '../../formats/chat/schema'
import type { Fields } from '../../json/fields'
import { thinkingRoom } from '../../formats/reasoning'
import type { ChatEstimate } from '../../metering/estimate-chat'
import { maxPictureTokens } from '../../metering/picture-tokens'
import type { UsageCeiling } from '../../metering/usage-ceiling'

/** A request for text, as far as it bounds its usage. */
interface BoundedText {
  readonly body: ChatBody
  readonly input: ChatEstimate
  /** Length of the body as sent. */
  readonly bytes: number
}

/** Further usage that a call may have. */
interface TextExtras {
  /** Calls of tools that the vendor runs, as many as the client allows or as there usually are. */
  readonly tools: Units
  /** Tokens of the earlier answer that it goes on from. */
  readonly earlierTokens: number
  /** The vendor may read all once more to make it shorter. */
  readonly compacts: boolean
}

/** Tokens that vendors put around a prompt: their own words about tools, templates of messages, searches. */
const vendorWords = 2048
/** Of a model of which nobody knows how much goes in, or comes out. */
const maxContext = 2_000_000
const maxOutput = 131_072
/** Turns that a vendor takes itself while it runs tools; each may read all again. */
const maxToolTurns = 16
/** Calls of one tool that a vendor runs where the client does not say how many. */
const maxToolCalls = 128
/** A second of the thinnest speech, of which some count 32 tokens: 8 kbit, whatever its format is said to be. */
const minBytesPerSecond = 1000
const maxTokensPerSecond = 33
/** A lower one is not taken, and is raised to it (platform.openai.com, Responses, `max_output_tokens`). */
const minResponsesCeiling = 16
/** Tokens of thinking that a vendor may get back with the answer of a tool. */
const maxThoughtBack = 16_384

/**
 * The most that a request for text can use. A token is at least a byte in every vocabulary that falls
 * back to bytes, as all do that are sold: no text makes more tokens than it has bytes.
 */
export function textCeiling(
  { body, input, bytes }: BoundedText,
  { model }: Offer,
  { tools, earlierTokens, compacts }: TextExtras,
): UsageCeiling {
  const choices = body.n ?? 1
  const context = model.contextLength ?? maxContext
  const prompt = input.isOpenEnded
    ? context
    : Math.min(context, promptCeiling(input, bytes, model) + earlierTokens)
  let runsTools = model.traits.searches !== undefined
  const others: Partial<Record<Meter, number>> = {}
  for (const name in tools) {
    runsTools = true
    others[name as Meter] = Math.max(tools[name as Meter] ?? 0, maxToolCalls)
  }
  const prompts = model.traits.oneChoice === true ? choices : 1
  return {
    inputTokens: prompts * (runsTools ? maxToolTurns * context : prompt) + (compacts ? context : 0),
    outputTokens:
      choices * (choiceCeiling(body, model) + predictedBytes(body)) +
      (compacts ? mostOf(model) : 0),
    others,
  }
}

function promptCeiling(input: ChatEstimate, bytes: number, { traits }: ModelEntry): number {
  const { soundBytes, pictures, encodedChars, toolTurns } = input
  const thoughts = traits.reasoning === true ? toolTurns * maxThoughtBack : 0
  const text = Math.max(0, bytes - encodedChars) + vendorWords
  let shown = 0
  for (const picture of pictures) shown += maxPictureTokens(picture, traits.sight)
  const sound = Math.ceil(soundBytes / minBytesPerSecond) * maxTokensPerSecond
  return text + shown + sound + thoughts
}

const mostOf = ({
  maxOutputTokens,
  contextLength,
}: Pick<ModelEntry, 'maxOutputTokens' | 'contextLength'>): number =>
  maxOutputTokens ?? Math.min(contextLength ?? maxOutput, maxOutput)

/** Maximum output of one choice. */
function choiceCeiling(body: ChatBody, { maxOutputTokens, contextLength, traits }: ModelEntry) {
  // Without a ceiling of the client or of the model.
  const beyond = traits.thinkingBeyond ?? 0
  const most = mostOf({ maxOutputTokens, contextLength })
  const asked = passesCeiling(traits.drop) ? outputCeilingOf(body) : null
  if (asked === null) return most + beyond
  const least = traits.chat === undefined ? 1 : minResponsesCeiling
  const room = thinkingRoom(body, traits)
  return Math.min(Math.max(asked, least) + room, most) + beyond
}

const ceilingNames: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
])

/** A ceiling that is left out bounds nothing. */
const passesCeiling = (dropped: Traits['drop']): boolean =>
  dropped?.some((name) => ceilingNames.has(name)) !== true

/** Bytes of a prediction: rejected tokens of it are billed as output, beyond every ceiling. */
function predictedBytes(body: ChatBody): number {
  const { prediction }: Fields = body
  return prediction === undefined ? 0 : Buffer.byteLength(JSON.stringify(prediction))
}

/** False where its client named a ceiling, which is held for, or the model takes none. */
export const canLower = (body: ChatBody, { drop }: Traits): boolean =>
  outputCeilingOf(body) === null && passesCeiling(drop)

/** A body whose answer ends after so many tokens, under the name that every dialect understands. */
export const bodyBelow = (body: ChatBody, tokens: number): ChatBody => ({
  ...body,
  max_tokens: tokens,
})
