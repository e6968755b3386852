import { estimateTokens } from './estimate-text'
import { imageSize } from './image-size'

/** Uncalibrated prompt tokens of a chat body. */
export interface ChatEstimate {
  readonly tokens: number
  /** No image, audio or file: what the vendor counts can be compared with this. */
  readonly textOnly: boolean
}

const messageTokens = 4
const nameTokens = 1
const replyTokens = 3
const toolTokens = 10

type Fields = Readonly<Record<string, unknown>>

/** @param body a checked chat request; anything unexpected in it counts as its JSON text */
export function estimateChatInput(body: Fields): ChatEstimate {
  const sum = { tokens: replyTokens, textOnly: true }
  for (const message of listOf(body['messages'])) if (isFields(message)) addMessage(message, sum)
  for (const tool of listOf(body['tools'])) sum.tokens += jsonTokens(tool) + toolTokens
  if (body['response_format'] !== undefined) sum.tokens += jsonTokens(body['response_format'])
  return sum
}

interface Sum {
  tokens: number
  textOnly: boolean
}

function addMessage(message: Fields, sum: Sum): void {
  sum.tokens += messageTokens
  if (typeof message['name'] === 'string')
    sum.tokens += nameTokens + estimateTokens(message['name'])
  const { content, tool_calls: toolCalls, reasoning_content: reasoning } = message
  if (typeof content === 'string') sum.tokens += estimateTokens(content)
  else for (const part of listOf(content)) addPart(part, sum)
  if (typeof reasoning === 'string') sum.tokens += estimateTokens(reasoning)
  for (const call of listOf(toolCalls)) sum.tokens += jsonTokens(call)
}

function addPart(part: unknown, sum: Sum): void {
  if (!isFields(part)) return
  if (typeof part['text'] === 'string') {
    sum.tokens += estimateTokens(part['text'])
    return
  }
  sum.textOnly = false
  const { image_url: image, input_audio: audio, file } = part
  if (isFields(image)) sum.tokens += imageTokens(image)
  else if (isFields(audio)) sum.tokens += audioTokens(audio)
  else if (isFields(file)) sum.tokens += fileTokens(file)
  else sum.tokens += jsonTokens(part)
}

const unknownSize = { width: 1024, height: 1024 }
const lowDetailTokens = 85
const tileTokens = 170
const tilePixels = 512

/** Fit into 2048², shortest side to 768, then tiles of 512². */
function imageTokens(image: Fields): number {
  if (image['detail'] === 'low') return lowDetailTokens
  const url = image['url']
  const size = (typeof url === 'string' ? imageSize(url) : null) ?? unknownSize
  let { width, height } = size
  const fit = Math.min(1, 2048 / Math.max(width, height, 1))
  width *= fit
  height *= fit
  const shrink = Math.min(1, 768 / Math.max(1, Math.min(width, height)))
  const tiles = Math.ceil((width * shrink) / tilePixels) * Math.ceil((height * shrink) / tilePixels)
  return lowDetailTokens + tileTokens * Math.max(1, tiles)
}

const audioTokensPerSecond = 10
/** Speech is rarely packed tighter than 32 kbit/s: an upper bound of the length. */
const audioBytesPerSecond = 4000
/** PCM of the ordinary 16 kHz, 16 bit. */
const wavBytesPerSecond = 32_000

function audioTokens(audio: Fields): number {
  const data = audio['data']
  const bytes = typeof data === 'string' ? data.length * 0.75 : 0
  const perSecond = audio['format'] === 'wav' ? wavBytesPerSecond : audioBytesPerSecond
  return Math.ceil((bytes / perSecond) * audioTokensPerSecond)
}

/** A page of a document is some 50 KB and some 2,000 tokens. */
function fileTokens(file: Fields): number {
  const data = file['file_data']
  return typeof data === 'string' ? 2000 * Math.ceil((data.length * 0.75) / 50_000) : 2000
}

const jsonTokens = (value: unknown): number => estimateTokens(JSON.stringify(value) ?? '')

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
