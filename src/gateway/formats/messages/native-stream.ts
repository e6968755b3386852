import type { Units, Usage } from '../../../domain/usage'
import { openSentText, progressWith, type Progress, type SentText } from '../chat/output-counter'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { isCutShort, type FinishReason, type ReplyIdentity } from '../chat/wire'
import { plausibleUsage } from '../plausible-usage'
import type { RenderedEnd } from '../hub'
import type { TextStream } from '../hub-stream'
import { editMembers, stringEnd } from '../../json/edit-members'
import { errorEvent, eventOf, messageId, messagesUsage, namedEvent, pingEvent } from './wire'
import { withToolsRun, type Sells, type SoldTool } from '../hosted-tools'
import { soldIn, toolsRun } from './hosted-tools'
import type { MessagesBody } from './schema'
import { finishOf, stopMembers } from './stop-reasons'
import { mergedUsage, readMessagesUsage } from './usage'

interface NativeMessagesParts {
  readonly raw: MessagesBody
  readonly identity: ReplyIdentity
  readonly sells: Sells
  /** @throws the vendor's failure, when the event is one */
  refuseFailure(event: Fields): void
  /** Token count of a text, where the vendor reports none. */
  countTokens(text: string): number
}

/**
 * A vendor's stream for a client of the same format. Events pass to the letter; of those that hold a
 * piece of the answer only its end is looked for. The first gets our id and the client's model, and
 * the last but one waits for what the call cost.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`RawMessageStreamEvent`)
 */
export const openNativeMessages = (parts: NativeMessagesParts): TextStream =>
  new NativeMessages(parts)

/** State of one stream. Functions that callers pass on are properties, steps are methods. */
class NativeMessages implements TextStream {
  readonly keepAlive = pingEvent
  readonly progress: Progress
  readonly #parts: NativeMessagesParts
  readonly #text: SentText
  readonly #piece = openPieces()
  readonly #sold: readonly SoldTool[]
  /** Blocks that the vendor may bill by the call. */
  readonly #calls: Fields[] = []
  #vendorId: unknown = null
  #reported: Fields = {}
  #exact = false
  /** The event that says why it stopped. */
  #last: string | null = null
  #finish: FinishReason | null = null
  #thinks = false
  #over = false

  constructor(parts: NativeMessagesParts) {
    this.#parts = parts
    this.#text = openSentText(parts.countTokens)
    this.#sold = soldIn(parts.raw, parts.sells)
    this.progress = progressWith(
      this.#text,
      () => this.#reported,
      (before) => void (this.#reported = before),
    )
  }

  readonly event = (data: string): string => {
    if (this.#over || data === '') return ''
    const said = this.#piece(data)
    if (said === null) return this.#parsed(data)
    this.#text.add(said)
    return namedEvent('content_block_delta', data)
  }

  readonly ended = (): string => {
    // Why it stopped was said: only the last event is missing.
    if (this.#last !== null) this.#over = true
    return ''
  }

  readonly complete = (): boolean => this.#over

  readonly finished = (): boolean => this.#finish !== null

  // Blocks begin empty: an overloaded vendor may say no more than that.
  readonly started = (): boolean => this.#text.any() || isCutShort(this.#finish)

  readonly thinks = (): boolean => this.#thinks

  readonly sent = (): boolean => this.#text.any()

  readonly countedTokens = (): number => this.#text.tokens()

  readonly countedTools = (): Units => toolsRun(this.#calls, this.#reported, this.#sold)

  readonly reportedUsage = (): Usage | null => {
    const usage = readMessagesUsage(this.#reported)
    if (usage === null) return null
    const given = { counted: this.#text.tokens(), over: this.#exact }
    const ran = this.countedTools()
    if (this.#exact) return plausibleUsage(withToolsRun(usage, ran), given)
    // So far only the input is counted truly.
    const { output: _, ...units } = { ...usage.units, ...ran }
    return plausibleUsage({ units, reasoning: 0, estimated: true }, given)
  }

  readonly close = ({ error, usage, costUsd }: RenderedEnd): string => {
    if (error !== null) return errorEvent(this.#parts.identity, { error, usage, costUsd })
    const set: Fields = { cost_usd: costUsd }
    if (usage.estimated || this.reportedUsage()?.estimated !== false)
      set['usage'] = messagesUsage(usage)
    const said = this.#last ?? JSON.stringify(silentEnd)
    const stop = eventOf({ type: 'message_stop' })
    return namedEvent('message_delta', editMembers(said, { set, drop: [] })) + stop
  }

  /** The long way. */
  #parsed(data: string): string {
    const event: unknown = JSON.parse(data)
    if (!isFields(event)) throw new Error('event is not a JSON object')
    const { type } = event
    switch (type) {
      case 'message_start':
        return this.#start(event)
      case 'content_block_start':
        this.#begin(fieldsOf(event['content_block']))
        break
      case 'content_block_delta':
        this.#observe(fieldsOf(event['delta']))
        break
      case 'message_delta':
        return this.#stop(event, data)
      case 'message_stop':
        this.#over = true
        return ''
    }
    if (type === 'error' || event['error'] !== undefined) this.#parts.refuseFailure(event)
    if (typeof type !== 'string') throw new Error('event without type')
    return namedEvent(type, oneLine(data))
  }

  #start(event: Fields): string {
    const { identity } = this.#parts
    const message = fieldsOf(event['message'])
    if (this.#vendorId !== null) {
      // Broken upstreams repeat the start; another message is another answer.
      if (message['id'] === this.#vendorId) return ''
      throw new Error('second message in one stream')
    }
    this.#vendorId = message['id'] ?? ''
    this.#reported = mergedUsage(this.#reported, message['usage'])
    const ours = { ...message, id: messageId(identity), model: identity.model }
    return eventOf({ ...event, type: 'message_start', message: ours })
  }

  #begin(block: Fields): void {
    const { type } = block
    if (type === 'thinking' || type === 'redacted_thinking') this.#thinks = true
    this.#observe(block)
    if (this.#sold.length > 0) this.#calls.push(block)
  }

  #observe(part: Fields): void {
    // `content`: of a `compaction_delta` of the beta (SDK 1.14.0), which is billed as output.
    for (const name of ['text', 'thinking', 'partial_json', 'name', 'content']) {
      const said = part[name]
      if (typeof said === 'string') this.#text.add(said)
    }
  }

  /** Kept until the cost is known; an earlier one is passed. */
  #stop(event: Fields, data: string): string {
    this.#reported = mergedUsage(this.#reported, event['usage'], this.#exact)
    this.#exact = true
    const { stop_reason: reason } = fieldsOf(event['delta'])
    if (typeof reason === 'string') this.#finish = finishOf(reason, false)
    const before = this.#last === null ? '' : namedEvent('message_delta', this.#last)
    this.#last = oneLine(data)
    return before
  }
}

const silentEnd = { type: 'message_delta', delta: stopMembers('end_turn', null) }

/** Line ends stand between the members of an object only. */
const oneLine = (data: string): string => data.replaceAll('\n', ' ')

const pieceHead =
  /^\{"type":"content_block_delta","index":\d+,"delta":\{"type":"(?:text|thinking|input_json)_delta","(?:text|thinking|partial_json)":"/
/** The vendor pads its events. */
const pieceTail = /^\}\s*\}\s*$/

/** Text of an event that holds a piece of the answer and nothing else; null for any other. */
function openPieces() {
  // Events of one block begin alike.
  let head = ''
  return (data: string): string | null => {
    if (head === '' || !data.startsWith(head)) {
      const found = pieceHead.exec(data)
      if (found === null) return null
      head = found[0]
    }
    if (data.endsWith('"}}')) {
      const plain = data.slice(head.length, -3)
      if (!/["\\\n]/.test(plain)) return plain
    }
    if (!data.includes('"}', head.length) || data.includes('\n')) return null
    const end = stringEnd(data, head.length - 1)
    if (!pieceTail.test(data.slice(end))) return null
    return JSON.parse(data.slice(head.length - 1, end)) as string
  }
}
