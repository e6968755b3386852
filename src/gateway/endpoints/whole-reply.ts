import { oneTurnBytes, yieldToLoop } from '../../domain/yield-to-loop'
import { maxAnswerBytes, type AnswerFamily } from '../../domain/answer-ceilings'
import { unixSeconds } from '../../domain/clock'
import { estimatedUsage, type Usage } from '../../domain/usage'
import type { ReplyIdentity } from '../formats/chat/wire'
import {
  abridgeJson,
  elementsIn,
  expandJson,
  longStringsIn,
  type AbridgedJson,
} from '../json/abridge'
import { fieldsOf, listOf, type Fields } from '../json/fields'
import { harmlessBytes, parseCostOf } from '../json/parse-cost'
import { estimateTokens, estimateTokensInSlices } from '../metering/estimate-text'
import type { Reply } from '../outbound/http1/reply'
import type { Target } from '../vendors/vendor'
import { bodyOf, joinPieces, sizeOf } from './byte-pieces'
import type { RequestParts, WholeAnswer } from '../call/endpoint'

/*
 * Whole answers of vendors. Small ones are read as they come, at once where they are here; large ones
 * in several turns of the event loop, and what would take too long to parse is no answer.
 */

/** Whether a vendor streams; some answer whole although a stream was asked for. */
export const isEventStream = ({ headers }: Reply): boolean =>
  headers.get('content-type')?.includes('event-stream') === true

/** Identity of our replies. @param model as the client named it */
export const replyIdentity = ({ inbound }: RequestParts, model: string): ReplyIdentity => ({
  id: inbound.requestId,
  model,
  created: unixSeconds(inbound.received),
})

const decoder = new TextDecoder()

/** Ceiling of an answer of text, which is higher where its model draws or speaks. */
export const maxTextAnswerBytes = (
  family: AnswerFamily,
  { tools }: Fields,
  { sells }: Pick<Target, 'sells'>,
): number =>
  maxAnswerBytes(family, {
    hasMedia: sells('output_image') || sells('output_audio') || offersPictures(tools),
  })

const offersPictures = (tools: unknown): boolean => tools !== undefined && listOf(tools).some(draws)

const draws = (tool: unknown): boolean => fieldsOf(tool)['type'] === 'image_generation'

/**
 * The text of a JSON reply.
 * @throws Error when the connection breaks, above `maxBytes`, or when it would take too long to parse
 */
export async function replyText(reply: Reply, maxBytes: number): Promise<string> {
  const pieces = await reply.pieces(maxBytes)
  return isHarmless(pieces) ? textOf(pieces) : await checkedText(pieces)
}

/** The whole body of a reply. @throws Error when the connection breaks, or above `maxBytes` */
export async function replyBytes(reply: Reply, maxBytes: number): Promise<Uint8Array> {
  const pieces = await reply.pieces(maxBytes)
  const [only] = pieces
  return only !== undefined && pieces.length === 1 ? only : await joinPieces(pieces)
}

/** A reply whose strings pass as they are; the text is the whole where it is not abridged. */
type PassedReply = { readonly text: string } | AbridgedJson

export const isAbridged = (passed: PassedReply): passed is AbridgedJson => 'strings' in passed

/**
 * A reply with its long strings, as they came.
 * @throws Error when it would take too long to parse
 */
export async function withStrings({ text, strings }: AbridgedJson): Promise<PassedReply> {
  const elements = elementsIn(strings)
  const long = new Map([...strings].filter(([standIn]) => !elements.has(standIn)))
  const whole = await jsonText(await joinPieces(expandJson(text, long)))
  return elements.size === 0 ? { text: whole } : { text: whole, strings: elements }
}

/**
 * Text of a JSON reply, of a large one without its long strings.
 * @throws as `replyText`
 */
export function passedReply(reply: Reply, maxBytes: number): Promise<PassedReply> {
  const rest = reply.rest()
  return rest !== null && rest.byteLength <= harmlessBytes
    ? Promise.resolve({ text: decoder.decode(rest) })
    : passedPieces(rest === null ? reply.pieces(maxBytes) : Promise.resolve([rest]))
}

async function passedPieces(coming: Promise<readonly Uint8Array[]>): Promise<PassedReply> {
  const pieces = await coming
  if (isHarmless(pieces)) return { text: textOf(pieces) }
  if (sizeOf(pieces) > oneTurnBytes) return abridgeJson(await joinPieces(pieces))
  return { text: await checkedText(pieces) }
}

/** Text of a JSON reply whose bytes were read. */
export const jsonText = async (bytes: Uint8Array): Promise<string> =>
  isHarmless([bytes]) ? textOf([bytes]) : await checkedText([bytes])

const isHarmless = (pieces: readonly Uint8Array[]): boolean => sizeOf(pieces) <= harmlessBytes

function textOf(pieces: readonly Uint8Array[]): string {
  const [only] = pieces
  return decoder.decode(only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces))
}

async function checkedText(pieces: readonly Uint8Array[]): Promise<string> {
  const size = sizeOf(pieces)
  const bytes = await joinPieces(pieces)
  await parseCostOf(bytes)
  if (size > oneTurnBytes) await yieldToLoop()
  const text = decoder.decode(bytes)
  if (size > oneTurnBytes) await yieldToLoop()
  return text
}

/**
 * Reads an abridged reply as its text would be read.
 * @param read called again where the vendor told no usage: what was left out is counted first
 */
export async function readAbridged<Read extends { readonly body: string }>(
  { strings }: Pick<AbridgedJson, 'strings'>,
  promptTokens: number,
  read: (estimate: (answer: string) => Usage) => Read,
): Promise<Omit<Read, 'body'> & Pick<WholeAnswer, 'body'>> {
  let answered: string | null = null
  const first = read((answer) => {
    answered = answer
    return estimatedUsage(promptTokens, 0)
  })
  const tokens = answered === null ? 0 : await tokensIn(answered, strings)
  const last = answered === null ? first : read(() => estimatedUsage(promptTokens, tokens))
  return { ...last, body: await bodyOf(expandJson(last.body, strings)) }
}

async function tokensIn(answer: string, strings: AbridgedJson['strings']): Promise<number> {
  const { rest, found } = longStringsIn(answer, strings)
  let tokens = await estimateTokensInSlices(rest)
  for (const string of found)
    for (let from = 0; from < string.byteLength; from += countedBytes) {
      tokens += estimateTokens(decoder.decode(string.subarray(from, from + countedBytes)))
      await yieldToLoop()
    }
  return tokens
}

/** Of a long string, counted at a time. */
const countedBytes = 262_144
