import type { Offer } from '../../catalogue/catalogue'
import { inputTokens, type Meter, type Units, type Usage } from '../../domain/usage'
import { outputCeilingOf } from '../../formats/chat/ceiling'
import type { ChatBody } from '../../formats/chat/schema'
import { readWebSearch } from '../../formats/chat/web-search'
import { listOf, type Fields } from '../../json/fields'
import { thinkingRoom } from '../../formats/reasoning'
import type { Calibration } from '../../metering/calibration'
import type { ChatEstimate } from '../../metering/estimate-chat'
import { pictureTokens } from '../../metering/picture-tokens'
import type { AskParts, Estimate, EstimateParts, CallBody } from '../../call/endpoint'
import { textCeiling } from './text-ceiling'

/** A request for text whose prompt was counted. */
export interface CountedText extends CallBody {
  readonly model: string
  /** In the middle, whatever format it came in. */
  readonly body: ChatBody
  /** Uncalibrated; counted once. */
  readonly input: ChatEstimate
  /** Length of the body as sent. */
  readonly bytes: number
}

/** What a client's own format tells beside the chat body. */
export interface TextBeside {
  /**
   * Where the vendor may keep the prompt in its cache, at a price above that of reading it; what the
   * operator wants unless told otherwise.
   */
  readonly writes?: CacheWrite | null
  /** Tokens of the earlier answer that it goes on from, which are paid again. */
  readonly earlierTokens?: number
  /** Calls of tools that the vendor runs. */
  readonly tools?: Units
}

/** What is paid for a prompt that is kept for five minutes, or for an hour. */
export type CacheWrite = 'cache_write_5m' | 'cache_write_1h'

/** Room for what the estimate of a prompt may lack. */
const safetyFactor = 1.1
const safetyTokens = 20

export function estimateText(
  call: CountedText,
  offer: Offer,
  parts: EstimateParts,
  { writes = operatorWrites(parts), earlierTokens = 0, tools = {} }: TextBeside = {},
): Estimate {
  const { body, input } = call
  const factor = factorOf(offer, parts.calibration)
  const shown = picturesIn(input, offer)
  const tokens = input.tokens * factor + shown
  const times = promptsOf(body, offer)
  const heard = Math.ceil(input.audio * factor * safetyFactor) * times
  const read =
    Math.ceil(((input.tokens - input.audio) * factor + shown) * safetyFactor + safetyTokens) * times
  const said = outputCeiling(body, offer, parts) * (body.n ?? 1)
  const searches = mostSearches(body, offer)
  const run = searches > 0 ? { 'tool:web_search': searches, ...tools } : tools
  const usual: Partial<Record<Meter, number>> = {
    [writes ?? 'input']: read,
    [speaks(body) ? 'output_audio' : 'output']: said,
    ...run,
  }
  if (earlierTokens > 0) usual.input = (usual.input ?? 0) + earlierTokens
  if (heard > 0) usual.input_audio = heard
  return {
    low: { input: Math.ceil(tokens) * times, output: 1 },
    usual,
    possible: textCeiling(call, offer, { tools: run, earlierTokens }),
  }
}

const operatorWrites = ({ settings }: EstimateParts): CacheWrite | null =>
  settings.promptCache ? 'cache_write_5m' : null

/** Sound is the dearer part of an answer that has both. */
export const speaks = (body: ChatBody): boolean =>
  listOf((body as Fields)['modalities']).includes('audio')

/** As many as there may be, where a search can be had. */
function mostSearches(body: ChatBody, { rates }: Offer): number {
  const search = readWebSearch(body)
  if (search === null || rates.base['tool:web_search'] === undefined) return 0
  return search.most * (body.n ?? 1)
}

/** Calibrated prompt tokens, for vendors that tell none. */
export const promptTokensOf = (
  { input }: Pick<CountedText, 'input'>,
  { offer, calibration }: Pick<AskParts, 'offer' | 'calibration'>,
): number => Math.ceil(input.tokens * factorOf(offer, calibration) + picturesIn(input, offer))

/** Tokens of the pictures, as the model's vendor counts them. */
const picturesIn = ({ pictures }: ChatEstimate, { model }: Offer): number =>
  pictures.reduce((sum, picture) => sum + pictureTokens(picture, model.traits.sight), 0)

/** Learns what a vendor counts over our estimate. */
export function learnInput(
  { input, body }: CountedText,
  offer: Offer,
  usage: Usage,
  calibration: Calibration,
): void {
  if (usage.estimated || !input.textOnly || searched(usage)) return
  const { id, traits } = offer.model
  const actual = inputTokens(usage) / promptsOf(body, offer)
  calibration.learn(id, input.tokens, actual, traits.tokenFactor)
}

/** What was found is paid as input too, and was not in the prompt. */
const searched = ({ units }: Usage): boolean =>
  Object.keys(units).some((meter) => meter.startsWith('tool:'))

/** What the model's vendor counts over our estimate. */
const factorOf = ({ model }: Offer, calibration: Calibration): number =>
  calibration.factor(model.id, model.traits.tokenFactor)

/** How often the prompt is paid: where a choice is a call of its own, for each. */
const promptsOf = (body: ChatBody, { model }: Offer): number =>
  model.traits.oneChoice === true ? (body.n ?? 1) : 1

/** What one choice may put out: the client's ceiling, or what the operator holds for by default. */
function outputCeiling(body: ChatBody, offer: Offer, { settings }: EstimateParts): number {
  const asked = outputCeilingOf(body)
  const most = offer.model.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const { traits, capabilities } = offer.model
  const reasons = traits.reasoning === true || capabilities.reasoning === true
  const expected = reasons ? settings.reasoningAllowance : settings.outputAllowance
  if (asked === null) return Math.min(expected, most)
  return Math.min(asked + thinkingRoom(body.reasoning_effort, traits), most)
}
