import type { Units, Usage } from '../../../domain/usage'
import { plausibleUsage } from '../plausible-usage'
import { openSentText, type Progress, type SentText } from '../chat/output-counter'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { SoldTool } from '../hosted-tools'
import type { RenderedEnd } from '../hub'
import type { TextStream } from '../hub-stream'
import { editMembers, stringEnd } from '../../json/edit-members'
import { openEventRepairs } from './client-repairs'
import { errorMembers } from './event-line'
import { soldIn, toolsRun, usageOfResponse } from './hosted-tools'
import { isGiven, keptName, ourMembers, type NativeResponseParts } from './native-reply'
import { openPartialOutput } from './partial-output'
import { responseObject, responsesUsage } from './response-object'
import { openVendorSeal, sealVendorItem, sealVendorItems } from './sealed-items'

type NativeResponsesParts = Pick<
  NativeResponseParts,
  'raw' | 'identity' | 'sells' | 'refuseFailure' | 'sealOwn'
> & {
  /** Token count of a text, where the vendor reports none. */
  countTokens(text: string): number
}

/** Stream that also knows the vendor's name of its answer, where it may keep it. */
interface NativeResponsesStream extends TextStream {
  vendorAnswer(): string | null
}

/**
 * A vendor's stream for a client of the same format. Events pass to the letter, unless official
 * clients could not read them; of those that hold a piece of the answer only its end is looked for.
 * Those with the whole response get our id and the client's model, and the last one waits for what the
 * call cost.
 * @see openai/openai-openapi `ResponseStreamEvent`, 2.3.0 of 2026-08-21
 */
export const openNativeResponses = (parts: NativeResponsesParts): NativeResponsesStream =>
  new NativeResponses(parts)

/** The event that ends an answer. */
interface LastEvent {
  readonly type: string
  readonly response: Fields
  readonly data: string
}

/** State of one stream. Functions that callers pass on are properties, steps are methods. */
class NativeResponses implements NativeResponsesStream {
  readonly progress: Progress
  readonly #parts: NativeResponsesParts
  readonly #text: SentText
  readonly #ours: Fields
  readonly #sold: readonly SoldTool[]
  readonly #partial = openPartialOutput()
  readonly #repairs = openEventRepairs()
  readonly #seals: ReturnType<typeof openVendorSeal>
  /** By their place: what of the output the vendor may bill by the call. */
  readonly #items = new Map<unknown, Fields>()
  #last: LastEvent | null = null
  /** Of a response that failed, which is paid all the same. */
  #failed: Usage | null = null
  #events = 0
  /** A tool is at work, or the answer is over and holds something. */
  #started = false
  #thinks = false

  constructor(parts: NativeResponsesParts) {
    this.#parts = parts
    this.#text = openSentText(parts.countTokens)
    this.progress = this.#text
    this.#ours = ourMembers(parts)
    this.#sold = soldIn(parts.raw, parts.sells)
    this.#seals = openVendorSeal(parts.sealOwn)
  }

  readonly event = (data: string): string => {
    if (this.#last !== null || data === '' || data.startsWith('[DONE]')) return ''
    const piece = this.#repairs.trustsPieces ? pieceOf(data) : null
    if (piece === null) return this.#parsed(data)
    this.#text.add(piece.said)
    this.#partial.piece(piece.type, piece.said)
    return this.#passed(piece.type, data)
  }

  readonly ended = (): string => ''

  readonly complete = (): boolean => this.#last !== null

  readonly started = (): boolean => this.#started || this.#text.any()

  readonly thinks = (): boolean => this.#thinks

  readonly sent = (): boolean => this.#text.any() || this.#seals.sealedAny()

  readonly reportedUsage = (): Usage | null => {
    if (this.#last === null) return this.#failed
    const reported = usageOfResponse(this.#last.response, this.#sold)
    return plausibleUsage(reported, { counted: this.#text.tokens(), over: true })
  }

  readonly countedTokens = (): number => this.#text.tokens()

  readonly countedTools = (): Units => toolsRun({ output: [...this.#items.values()] }, this.#sold)

  readonly vendorAnswer = (): string | null =>
    this.#last === null ? null : keptName(this.#last.response, this.#parts.raw)

  readonly close = ({ error, usage, costUsd }: RenderedEnd): string => {
    if (error !== null || this.#last === null) return this.#failure({ error, usage, costUsd })
    const { type, response, data } = this.#last
    const charged = usage.estimated ? { ...response, usage: responsesUsage(usage) } : response
    return this.#passed(type, this.#edited(data, charged, { cost_usd: costUsd }))
  }

  /** The long way. */
  #parsed(asSent: string): string {
    const sent: unknown = JSON.parse(asSent)
    if (!isFields(sent)) throw new Error('event is not a JSON object')
    const event = this.#repairs.repair(sent)
    const data = event === sent ? asSent : JSON.stringify(event)
    const item = sealVendorItem(event['item'], this.#seals.seal)
    if (item !== null) event['item'] = item
    const type = this.#typeOf(event)
    this.#observe(type, event)
    const { response } = event
    if (!isFields(response))
      return this.#passed(type, item === null ? oneLine(data) : withMembers(data, { item }))
    if (type !== 'response.completed' && type !== 'response.incomplete')
      return this.#passed(type, this.#edited(data, response))
    this.#last = { type, response, data }
    this.#started ||= isGiven(response)
    return ''
  }

  /** @throws the vendor's failure | Error where it has no type */
  #typeOf(event: Fields): string {
    const { type, response } = event
    if (type === 'error' || type === 'response.failed') {
      this.#failed = usageOfResponse(fieldsOf(response), this.#sold)
      this.#parts.refuseFailure(type === 'error' ? event : fieldsOf(response))
      throw new Error('response failed without a reason')
    }
    if (typeof type === 'string') return type
    if (event['error'] !== undefined) this.#parts.refuseFailure(event)
    throw new Error('event without type')
  }

  #observe(type: string, event: Fields): void {
    const { delta } = event
    if (typeof delta === 'string') {
      this.#text.add(delta)
      this.#partial.piece(type, delta)
    }
    if (type === 'response.output_item.done') {
      this.#partial.done(event)
      this.#ran(event)
    }
    if (type === 'response.output_item.added') {
      this.#ran(event)
      this.#partial.added(event)
      const { name, type: kind } = fieldsOf(event['item'])
      if (typeof name === 'string') this.#text.add(name)
      if (kind === 'reasoning') this.#thinks = true
      else if (kind !== 'message') this.#started = true
    }
  }

  #ran({ output_index: index, item }: Fields): void {
    if (this.#sold.length > 0) this.#items.set(index, fieldsOf(item))
  }

  #passed(type: string, data: string): string {
    this.#events++
    return `event: ${type}\ndata: ${data}\n\n`
  }

  #edited(data: string, response: Fields, more: Fields = {}): string {
    const output = sealVendorItems(listOf(response['output']), this.#seals.seal)
    const shown = { ...response, ...this.#ours, ...(output === null ? {} : { output }) }
    return withMembers(data, { response: shown, ...more })
  }

  #failure({ error, usage, costUsd }: RenderedEnd): string {
    const { raw, identity } = this.#parts
    const members = errorMembers(error)
    const { code, message } = members
    const response = responseObject(raw, identity, {
      status: 'failed',
      output: this.#partial.items(),
      usage,
      finish: null,
      error: { code: code ?? 'server_error', message },
    })
    const at = this.#events
    const type = 'response.failed'
    const failed = { type, response, cost_usd: costUsd, sequence_number: at + 1 }
    return (
      this.#passed('error', JSON.stringify({ type: 'error', ...members, sequence_number: at })) +
      this.#passed(type, JSON.stringify(failed))
    )
  }
}

/** Line ends stand between the members of an object only. */
const oneLine = (data: string): string => data.replaceAll('\n', ' ')

const withMembers = (data: string, set: Fields): string =>
  editMembers(oneLine(data), { set, drop: [] })

const pieceHead =
  /^\{"type":"(response\.(?:output_text|refusal|function_call_arguments|reasoning_summary_text|reasoning_text|custom_tool_call_input)\.delta)",/
const mark = '"delta":"'

/** Text of an event that holds a piece of the answer and nothing else; null for any other. */
function pieceOf(data: string): { readonly type: string; readonly said: string } | null {
  const type = pieceHead.exec(data)?.[1]
  if (type === undefined || data.includes('\n')) return null
  const at = data.indexOf(mark)
  if (at < 0) return null
  const from = at + mark.length
  const end = stringEnd(data, from - 1)
  const plain = data.slice(from, end - 1)
  return { type, said: plain.includes('\\') ? String(JSON.parse(`"${plain}"`)) : plain }
}
