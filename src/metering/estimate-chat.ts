import { estimateTokens } from './estimate-text'
import { seenPicture, type SeenPicture } from './picture-tokens'

/** Uncalibrated prompt tokens of a chat body. */
export interface ChatEstimate {
  /** Without those of the pictures, which every vendor counts in its own way. */
  readonly tokens: number
  /** Those of them that are sound, which has a price of its own. */
  readonly audio: number
  readonly pictures: readonly SeenPicture[]
  /** No image, audio or file: what the vendor counts can be compared with this. */
  readonly textOnly: boolean
}

const messageTokens = 4
const nameTokens = 1
const replyTokens = 3
const toolTokens = 10

type Fields = Readonly<Record<string, unknown>>

/** Members that are no part of what a model reads. */
const unread = new Set(['model', 'user', 'stop', 'metadata', 'logit_bias', 'stream_options'])

/**
 * @param body a checked chat request; anything unexpected in it counts as its JSON text, since some
 *   vendor may take it for a part of the prompt
 * @param beside what is read besides, and counts as its JSON text
 */
export function estimateChatInput(body: Fields, beside: readonly unknown[] = []): ChatEstimate {
  const sum: Sum = { tokens: replyTokens, audio: 0, pictures: [], textOnly: true }
  for (const name in body)
    switch (name) {
      case 'messages':
        for (const message of listOf(body[name])) if (isFields(message)) addMessage(message, sum)
        break
      case 'tools':
        for (const tool of listOf(body[name])) sum.tokens += jsonTokens(tool) + toolTokens
        break
      case 'response_format':
        if (body[name] !== undefined) sum.tokens += jsonTokens(body[name])
        break
      default:
        if (!unread.has(name)) addUnexpected(body[name], sum)
    }
  for (const each of beside) addUnexpected(each, sum)
  return sum
}

/** A word, as most options are. */
const shortChars = 64
/** As many tell nothing about what a vendor counts over our estimate, whether it reads them or not. */
const fewTokens = 100

function addUnexpected(value: unknown, sum: Sum): void {
  if (typeof value === 'string' ? value.length <= shortChars : !isFields(value)) return
  const tokens = typeof value === 'string' ? estimateTokens(value) : jsonTokens(value)
  if (tokens > fewTokens) sum.textOnly = false
  sum.tokens += tokens
}

interface Sum {
  tokens: number
  audio: number
  readonly pictures: SeenPicture[]
  textOnly: boolean
}

function addMessage(message: Fields, sum: Sum): void {
  sum.tokens += messageTokens
  for (const member in message) {
    const value = message[member]
    if (typeof value === 'string') {
      if (member === 'content' || member === 'reasoning_content')
        sum.tokens += estimateTokens(value)
      else if (member === 'name') sum.tokens += nameTokens + estimateTokens(value)
      else addUnexpected(value, sum)
    } else if (member === 'content') for (const part of listOf(value)) addPart(part, sum)
    else if (member === 'tool_calls')
      for (const call of listOf(value)) sum.tokens += jsonTokens(call)
    else addUnexpected(value, sum)
  }
}

function addPart(part: unknown, sum: Sum): void {
  if (!isFields(part)) return
  const { type, text, image_url: image, input_audio: audio, file } = part
  if (typeof text === 'string') {
    sum.tokens += estimateTokens(text)
    if (type === 'text') return
  }
  sum.textOnly = false
  if (isFields(image)) sum.pictures.push(seenPicture(image))
  else if (isFields(audio)) addAudio(audio, sum)
  else if (isFields(file)) sum.tokens += fileTokens(file)
  else sum.tokens += jsonTokens(part)
}

function addAudio(audio: Fields, sum: Sum): void {
  const tokens = audioTokens(audio)
  sum.tokens += tokens
  sum.audio += tokens
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
