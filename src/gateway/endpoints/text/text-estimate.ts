import type { Offer } from '../../catalogue/catalogue'
import { inputTokens, type Meter, type Units, type Usage } from '../../../domain/usage'
import { outputCeilingOf } from '../../formats/chat/ceiling'
import type { ChatBody } from '../../formats/chat/schema'
import { readWebSearch } from '../../formats/chat/web-search'
import { soldSearches } from '../../formats/hosted-tools'
import { listOf, type Fields } from '../../json/fields'
import { thinkingRoom } from '../../formats/reasoning'
import type { Calibration } from '../../metering/calibration'
import { recountChatInput, type ChatEstimate } from '../../metering/estimate-chat'
import { pictureTokens } from '../../metering/picture-tokens'
import type { RequestParts, Estimate, EstimateParts, CallBody } from '../../call/endpoint'
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
  /** Its stream is put together to the whole answer that its client waits for. */
  readonly isCollected?: true
}

/** Facts of a client's own format that the chat body lacks. */
export interface TextBeside {
  /**
   * Where the vendor may keep the prompt in its cache, at a price above that of reading it; what the
   * operator wants unless told otherwise.
   */
  readonly writes?: CacheWrite | null
  /** Tokens of the earlier answer that it goes on from, which are paid again. */
  readonly earlierTokens?: number
  /** Parts of the request that are read besides its chat body. */
  readonly read?: readonly unknown[]
  /** Calls of tools that the vendor runs. */
  readonly tools?: Units
  /** A longer prompt is made shorter first, by a pass over it that is paid too. */
  readonly compactsFrom?: number
}

/** Meter of a prompt cache write, for five minutes or an hour. */
export type CacheWrite = 'cache_write_5m' | 'cache_write_1h'

/** Margin for errors of a prompt's estimate. */
const safetyFactor = 1.1
const safetyTokens = 20

/** Tokens of a prompt, as its vendor counts them. */
interface ReadPrompt {
  /** Without sound and pictures. */
  readonly text: number
  /** Text tokens with a safety margin. */
  readonly heldText: number
  readonly audio: number
}

export const estimateText = (
  call: CountedText,
  offer: Offer,
  parts: EstimateParts,
  beside?: TextBeside,
): Estimate => estimateOf(call, promptIn(call, offer, parts.calibration), offer, parts, beside)

function promptIn({ input }: CountedText, offer: Offer, calibration: Calibration): ReadPrompt {
  const factor = factorOf(offer, calibration)
  const text = (input.tokens - input.audio) * factor
  return { text, heldText: text * safetyFactor, audio: input.audio * factor }
}

/**
 * Estimate whose prompt is counted by a vocabulary. Where it is not the model's, what is added by block of
 * Unicode is a guess too, and the higher one counts.
 */
export async function recountText(
  call: CountedText,
  offer: Offer,
  parts: EstimateParts,
  beside: TextBeside = {},
): Promise<Estimate> {
  const isOther = offer.model.traits.vocabulary === undefined
  const counted = await recountChatInput(call.body, beside.read ?? [], call.input, isOther)
  const text = counted.tokens - counted.audio
  const guess = promptIn(call, offer, parts.calibration)
  const heldText = isOther
    ? Math.max(guess.heldText, text * minFactor(offer, parts.calibration))
    : text
  const prompt = { ...guess, text: isOther ? guess.text : text, heldText }
  return estimateOf(call, prompt, offer, parts, beside)
}

function estimateOf(
  call: CountedText,
  { text, heldText, audio }: ReadPrompt,
  offer: Offer,
  parts: EstimateParts,
  beside: TextBeside = {},
): Estimate {
  const { writes = operatorWrites(parts), earlierTokens = 0, tools = noTools } = beside
  const { compactsFrom } = beside
  const { body, input } = call
  const shown = picturesIn(input, offer)
  const times = promptsOf(body, offer)
  const heard = Math.ceil(audio * safetyFactor) * times
  const guess = Math.ceil(heldText + shown * safetyFactor + safetyTokens) * times
  const said = outputCeiling(body, offer, parts) * (body.n ?? 1)
  const searches = maxSearches(body, offer)
  const run = searches === null ? tools : { ...searches, ...tools }
  const possible = textCeiling(call, offer, {
    tools: run,
    earlierTokens,
    compacts: compactsFrom !== undefined,
  })
  // Each call makes one: to spread what is mostly empty takes longer than all the rest.
  const usual: Partial<Record<Meter, number>> = {}
  usual[writes ?? 'input'] = Math.min(guess, possible.inputTokens)
  usual[outputMeter(body)] = said
  if (searches !== null) Object.assign(usual, dearestOf(searches, offer))
  if (tools !== noTools) Object.assign(usual, tools)
  if (compactsFrom !== undefined && guess >= compactsFrom) {
    usual.input = (usual.input ?? 0) + guess
    usual.output = (usual.output ?? 0) + summaryTokens
  }
  if (earlierTokens > 0) usual.input = (usual.input ?? 0) + earlierTokens
  if (heard > 0) usual.input_audio = heard
  const low = { input: Math.ceil(text + audio + shown) * times, output: 1 }
  return times > 1 ? { low, usual, possible, prompts: times } : { low, usual, possible }
}

const noTools: Units = {}
/** Length of a long summary. */
const summaryTokens = 8192

const operatorWrites = ({ settings }: EstimateParts): CacheWrite | null =>
  settings.promptCache ? 'cache_write_5m' : null

/** Meter of the dearest part that an answer may have: sound, a picture, else text. */
function outputMeter(body: ChatBody): Meter {
  if (speaks(body)) return 'output_audio'
  return answersIn(body, 'image') ? 'output_image' : 'output'
}

/** Whether an answer may have sound. */
export const speaks = (body: ChatBody): boolean => answersIn(body, 'audio')

const answersIn = ({ modalities }: Fields, modality: 'audio' | 'image'): boolean =>
  modalities !== undefined && listOf(modalities).includes(modality)

/** As many searches as there may be, by each meter that the vendor may count them by; null for none. */
function maxSearches(body: ChatBody, { rates, model }: Offer): Units | null {
  const search = readWebSearch(body)
  const unasked = model.traits.searches ?? 0
  if (search === null && unasked === 0) return null
  const { contextSize = null, maxSearches: asked = 0 } = search ?? {}
  const meters = soldSearches(contextSize, (meter) => rates.base[meter] !== undefined)
  const count = Math.max(asked, unasked) * (body.n ?? 1)
  return Object.fromEntries(meters.map((meter) => [meter, count]))
}

/** Of units that are counted by one of several meters, those of the dearest. */
function dearestOf(units: Units, { rates }: Offer): Units {
  const costs = (Object.entries(units) as [Meter, number][]).map(([meter, count]) => ({
    units: { [meter]: count },
    cost: count * (rates.base[meter] ?? 0),
  }))
  return costs.reduce((most, each) => (each.cost > most.cost ? each : most), {
    units: {},
    cost: -1,
  }).units
}

/** Calibrated prompt tokens, for vendors that tell none. */
export const promptTokensOf = (
  { input }: Pick<CountedText, 'input'>,
  { offer, calibration }: Pick<RequestParts, 'offer' | 'calibration'>,
): number => Math.ceil(input.tokens * factorOf(offer, calibration) + picturesIn(input, offer))

/** Tokens of the pictures, as the model's vendor counts them. */
function picturesIn({ pictures }: ChatEstimate, { model }: Offer): number {
  let sum = 0
  for (const picture of pictures) sum += pictureTokens(picture, model.traits.sight)
  return sum
}

/** Learns the ratio of a vendor's count to our estimate. */
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

/** Whether a search ran: its results are billed as input and were not in the prompt. */
function searched({ units }: Usage): boolean {
  for (const meter in units) if (meter.startsWith('tool:')) return true
  return false
}

/** Ratio of the vendor's count to our estimate. */
export const factorOf = ({ model }: Offer, calibration: Calibration): number =>
  calibration.factor(model.id, model.traits.tokenFactor)

/**
 * Ratio for a count that has a margin for languages: what was learnt of a model that is asked in one of
 * them has it already, and is not added to it.
 */
export const minFactor = (offer: Offer, calibration: Calibration): number =>
  Math.min(offer.model.traits.tokenFactor ?? 1, factorOf(offer, calibration))

/** How often the prompt is paid: where a choice is a call of its own, for each. */
const promptsOf = (body: ChatBody, { model }: Offer): number =>
  model.traits.oneChoice === true ? (body.n ?? 1) : 1

/** Expected output of one choice: the client's ceiling, or what the operator holds for by default. */
function outputCeiling(body: ChatBody, offer: Offer, { settings }: EstimateParts): number {
  const asked = outputCeilingOf(body)
  const most = offer.model.maxOutputTokens ?? Number.POSITIVE_INFINITY
  const { traits, capabilities } = offer.model
  const reasons = traits.reasoning === true || capabilities.reasoning === true
  const expected = reasons ? settings.reasoningAllowance : settings.outputAllowance
  if (asked === null) return Math.min(expected, most)
  return Math.min(asked + thinkingRoom(body, traits), most)
}
