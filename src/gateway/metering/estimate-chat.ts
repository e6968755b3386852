import { rejected } from '../../domain/rejected-promise'
import { pdfPages } from './pdf-pages'
import { fewPictures, seenPicture, seenPictures, type SeenPicture } from './picture-tokens'
import { FirmTally } from './exact-tally'
import { TokenTally, type TextTally } from './token-tally'

/** Uncalibrated prompt tokens of a chat body. */
export interface ChatEstimate {
  /** Without those of the pictures, which every vendor counts in its own way. */
  readonly tokens: number
  /** Those of them that are sound, which has a price of its own. */
  readonly audio: number
  /** Bytes of the sound: what they hold, a client may say as it likes. */
  readonly soundBytes: number
  /** Those of them that are files. */
  readonly files: number
  readonly pictures: readonly SeenPicture[]
  /**
   * Holds what only a vendor can count: a file, of which any page may hold a book, a film, or whatever
   * lies at an address or under an id.
   */
  readonly isOpenEnded: boolean
  /** Characters of pictures, sound and files in the body, which no vendor reads as text. */
  readonly encodedChars: number
  /** Turns in which a tool was answered: a vendor may get back what it thought before each. */
  readonly toolTurns: number
  /** No image, audio or file: what the vendor counts can be compared with this. */
  readonly textOnly: boolean
}

const messageTokens = 4
const nameTokens = 1
const replyTokens = 3
const toolTokens = 10

type Fields = Readonly<Record<string, unknown>>

/** Members that a model does not read. */
const unread = new Set(['model', 'user', 'stop', 'metadata', 'logit_bias', 'stream_options'])

/**
 * @param body a checked chat request; anything unexpected in it counts as its JSON text, since some
 *   vendor may take it for a part of the prompt
 * @param beside what is read besides, and counts as its JSON text, unless it is a picture or a file
 * A long one is counted in slices of the event loop.
 */
export function estimateChatInput(
  body: Fields,
  beside: readonly unknown[] = [],
): Promise<ChatEstimate> {
  const sum = new ChatSum(new TokenTally(), null)
  try {
    addBody(body, beside, sum)
    return sum.waits ? restOf(sum) : Promise.resolve(sum.estimate())
  } catch (thrown) {
    return rejected(thrown)
  }
}

async function restOf(sum: ChatSum): Promise<ChatEstimate> {
  await sum.rest()
  return sum.estimate()
}

/**
 * Recounts a chat body by a vocabulary: never fewer tokens than that makes of its texts.
 * @param first estimate of the same body: its files are not read again
 * @param isOther the model's vocabulary is another: see `openTokenCounter`
 */
export async function recountChatInput(
  body: Fields,
  beside: readonly unknown[],
  first: ChatEstimate,
  isOther: boolean,
): Promise<ChatEstimate> {
  const sum = new ChatSum(new FirmTally(isOther), first.files)
  addBody(body, beside, sum)
  await sum.rest()
  return sum.estimate()
}

function addBody(body: Fields, beside: readonly unknown[], sum: ChatSum): void {
  for (const name in body)
    switch (name) {
      case 'messages':
        for (const message of listOf(body[name])) if (isFields(message)) addMessage(message, sum)
        break
      case 'tools':
        for (const tool of listOf(body[name])) {
          sum.tokens += toolTokens
          sum.json(tool)
        }
        break
      case 'response_format':
        if (body[name] !== undefined) sum.json(body[name])
        break
      default:
        if (!unread.has(name)) addUnexpected(body[name], sum)
    }
  for (const each of beside)
    if (isFields(each) && isMedia(each['type'])) addPart(each, sum)
    else addUnexpected(each, sum)
}

const isMedia = (type: unknown): boolean => type === 'image_url' || type === 'file'

/** A word, as most options are. */
const shortChars = 64
/** As many tell nothing about what a vendor counts over our estimate, whether it reads them or not. */
const fewTokens = 100

function addUnexpected(value: unknown, sum: ChatSum): void {
  if (typeof value === 'string') {
    if (value.length > shortChars) sum.tally.text(value, sum.addUnexpected)
  } else if (isFields(value)) sum.tally.json(value, sum.addUnexpected)
}

/** A prompt that is being counted. */
class ChatSum {
  tokens = replyTokens
  audio = 0
  soundBytes = 0
  encodedChars = 0
  toolTurns = 0
  textOnly = true
  isOpenEnded = false
  readonly pictures: SeenPicture[] = []
  readonly tally: TextTally
  readonly #files: unknown[] = []
  #waitingPictures: Fields[] = []
  #fileTokens: number
  readonly #knowsFiles: boolean

  /** @param files tokens of the files, where they are known */
  constructor(tally: TextTally, files: number | null) {
    this.tally = tally
    this.#knowsFiles = files !== null
    this.#fileTokens = files ?? 0
    this.tokens += this.#fileTokens
  }

  readonly add = (tokens: number): void => {
    this.tokens += tokens
  }

  readonly addUnexpected = (tokens: number): void => {
    this.tokens += tokens
    if (tokens > fewTokens) this.textOnly = false
  }

  text(text: string): void {
    this.tally.text(text, this.add)
  }

  json(value: unknown): void {
    this.tally.json(value, this.add)
  }

  /** Counted with what waits: it may be long. */
  file(data: unknown): void {
    this.isOpenEnded = true
    this.encoded(data)
    if (!this.#knowsFiles) this.#files.push(data)
  }

  /** Counted with what waits where there are many. */
  picture(image: Fields): void {
    if (this.pictures.length < fewPictures) this.pictures.push(seenPicture(image))
    else this.#waitingPictures.push(image)
  }

  encoded(data: unknown): void {
    if (typeof data === 'string') this.encodedChars += data.length
  }

  get waits(): boolean {
    return this.tally.waits || this.#files.length > 0 || this.#waitingPictures.length > 0
  }

  /** Counts the waiting texts. */
  async rest(): Promise<void> {
    if (this.tally.waits) await this.tally.rest()
    for await (const seen of seenPictures(this.#waitingPictures)) this.pictures.push(seen)
    this.#waitingPictures = []
    for (const data of this.#files) {
      const counted = await fileTokens(data)
      this.#fileTokens += counted
      this.tokens += counted
    }
  }

  estimate(): ChatEstimate {
    const { tokens, audio, soundBytes, pictures, encodedChars, toolTurns } = this
    const { isOpenEnded, textOnly } = this
    const files = this.#fileTokens
    return {
      tokens,
      audio,
      soundBytes,
      files,
      pictures,
      encodedChars,
      toolTurns,
      isOpenEnded,
      textOnly,
    }
  }
}

function addMessage(message: Fields, sum: ChatSum): void {
  sum.tokens += messageTokens
  if (message['role'] === 'tool') sum.toolTurns++
  for (const member in message) {
    const value = message[member]
    if (typeof value === 'string') {
      if (member === 'content' || member === 'reasoning_content') sum.text(value)
      else if (member === 'name') {
        sum.tokens += nameTokens
        sum.text(value)
      } else addUnexpected(value, sum)
    } else if (member === 'content' || member === 'images')
      // Pictures that OpenRouter's models drew have a list of their own (openrouter.ai/docs, image generation, 2026-11).
      for (const part of listOf(value)) addPart(part, sum)
    else if (member === 'tool_calls') for (const call of listOf(value)) sum.json(call)
    else addUnexpected(value, sum)
  }
}

function addPart(part: unknown, sum: ChatSum): void {
  if (!isFields(part)) return
  const { type, text, image_url: image, input_audio: audio, file } = part
  if (typeof text === 'string') {
    sum.text(text)
    if (type === 'text') return
  }
  sum.textOnly = false
  if (!isBounded(type)) sum.isOpenEnded = true
  if (isFields(image)) addPicture(image, sum)
  else if (isFields(audio)) addAudio(audio, sum)
  else if (isFields(file)) sum.file(file['file_data'])
  else sum.json(part)
}

/** Whether the most that such a part comes to can be told; a film, say, is as long as it likes. */
const isBounded = (type: unknown): boolean =>
  type === 'image_url' || type === 'input_audio' || type === 'refusal'

/** Some vendors take films and files in the place of a picture. */
const otherData = /^data:(?!image\/)/i

function addPicture(image: Fields, sum: ChatSum): void {
  const { url } = image
  sum.encoded(url)
  if (typeof url === 'string' && otherData.test(url.slice(0, 16))) sum.isOpenEnded = true
  sum.picture(image)
}

function addAudio(audio: Fields, sum: ChatSum): void {
  sum.encoded(audio['data'])
  const bytes = soundBytes(audio)
  const perSecond = audio['format'] === 'wav' ? wavBytesPerSecond : audioBytesPerSecond
  const tokens = Math.ceil((bytes / perSecond) * audioTokensPerSecond)
  sum.tokens += tokens
  sum.audio += tokens
  sum.soundBytes += bytes
}

const audioTokensPerSecond = 10
/** Speech is rarely packed tighter than 32 kbit/s: an upper bound of the length. */
const audioBytesPerSecond = 4000
/** PCM of the ordinary 16 kHz, 16 bit. */
const wavBytesPerSecond = 32_000

const soundBytes = ({ data }: Fields): number => (typeof data === 'string' ? data.length * 0.75 : 0)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/**
 * Tokens of a page: Claude reads 1,500 to 3,000 of text and a picture of it besides
 * (platform.claude.com/docs, PDF support), Gemini 258, or 560 from 3.0 on (ai.google.dev, document
 * understanding).
 */
const pageTokens = 3000
/** Tokens of a file that is no PDF, or cannot be read. */
const otherPageTokens = 2000
const otherPageBytes = 50_000

/** Tokens of a file in a prompt. @param data base64, maybe as a `data:` URL; or an address */
async function fileTokens(data: unknown): Promise<number> {
  if (typeof data !== 'string') return otherPageTokens
  const comma = /^data:/i.test(data.slice(0, 5)) ? data.indexOf(',') : -1
  const bytes = Buffer.from(comma < 0 ? data : data.slice(comma + 1), 'base64')
  const pages = await pdfPages(bytes)
  return pages === null
    ? otherPageTokens * Math.max(1, Math.ceil(bytes.length / otherPageBytes))
    : pageTokens * pages
}
