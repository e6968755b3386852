import type { Usage } from '../../domain/usage'
import { believedUsage } from '../believed-usage'
import { openSentText } from '../chat/sent-text'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { TextStream } from '../hub-stream'
import { editMembers, stringEnd } from '../../json/edit-members'
import { openEventRepairs } from './client-repairs'
import { errorMembers } from './event-line'
import { soldIn, toolsRun, usageOfResponse } from './hosted-tools'
import { keptName, ourMembers, type NativeResponseParts } from './native-reply'
import { openPartialOutput } from './partial-output'
import { responseObject, responsesUsage } from './response-object'
import { openVendorSeal, sealVendorItem, sealVendorItems } from './sealed-items'

export type NativeResponsesParts = Pick<
  NativeResponseParts,
  'raw' | 'identity' | 'sells' | 'refuseFailure' | 'sealOwn'
> & {
  /** Tokens of a text, for what the vendor does not tell. */
  countTokens(text: string): number
}

/**
 * A vendor's stream for a client of the same format. Events pass to the letter, unless official
 * clients could not read them; of those that hold a piece of the answer only its end is looked for.
 * Those with the whole response get our id and the client's model, and the last one waits for what the
 * call cost.
 */
export function openNativeResponses(
  parts: NativeResponsesParts,
): TextStream & { vendorAnswer(): string | null } {
  const { raw, identity } = parts
  const text = openSentText(parts.countTokens)
  const ours = ourMembers(parts)
  const sold = soldIn(raw, parts.sells)
  let last: { readonly type: string; readonly response: Fields; readonly data: string } | null =
    null
  /** Of a response that failed, which is paid all the same. */
  let failed: Usage | null = null
  const partial = openPartialOutput()
  const repairs = openEventRepairs()
  /** By their place: what of the output the vendor may bill by the call. */
  const items = new Map<unknown, Fields>()
  let events = 0
  let started = false
  const { seal, sealedAny } = openVendorSeal(parts.sealOwn)

  const passed = (type: string, data: string): string => {
    events++
    return `event: ${type}\ndata: ${data}\n\n`
  }
  const edited = (data: string, response: Fields, more: Fields = {}): string => {
    const output = sealVendorItems(listOf(response['output']), seal)
    const shown = { ...response, ...ours, ...(output === null ? {} : { output }) }
    return editMembers(oneLine(data), { set: { response: shown, ...more }, drop: [] })
  }

  const ran = ({ output_index: index, item }: Fields) => {
    if (sold.length > 0) items.set(index, fieldsOf(item))
  }

  /** The long way. */
  const parsed = (asSent: string): string => {
    const sent: unknown = JSON.parse(asSent)
    if (!isFields(sent)) throw new Error('an event that is no object')
    const event = repairs.repair(sent)
    const data = event === sent ? asSent : JSON.stringify(event)
    const { type, response, delta } = event
    const item = sealVendorItem(event['item'], seal)
    if (item !== null) event['item'] = item
    if (type === 'error' || type === 'response.failed') {
      failed = usageOfResponse(fieldsOf(response), sold)
      parts.refuseFailure(type === 'error' ? event : fieldsOf(response))
      throw new Error('a response that failed without a reason')
    }
    if (typeof type !== 'string') {
      if (event['error'] !== undefined) parts.refuseFailure(event)
      throw new Error('an event without a type')
    }
    started ||= !announces(event)
    if (typeof delta === 'string') {
      text.add(delta)
      partial.piece(type, delta)
    }
    if (type === 'response.output_item.done') {
      partial.done(event)
      ran(event)
    }
    if (type === 'response.output_item.added') {
      ran(event)
      partial.added(event)
      const { name } = fieldsOf(event['item'])
      if (typeof name === 'string') text.add(name)
    }
    if (!isFields(response))
      return passed(
        type,
        item === null ? oneLine(data) : editMembers(oneLine(data), { set: { item }, drop: [] }),
      )
    if (type !== 'response.completed' && type !== 'response.incomplete')
      return passed(type, edited(data, response))
    last = { type, response, data }
    return ''
  }

  return {
    event(data) {
      if (last !== null || data === '' || data.startsWith('[DONE]')) return ''
      const piece = repairs.trustsPieces ? pieceOf(data) : null
      if (piece === null) return parsed(data)
      started = true
      text.add(piece.said)
      partial.piece(piece.type, piece.said)
      return passed(piece.type, data)
    },
    ended: () => '',
    complete: () => last !== null,
    started: () => started,
    sent: () => text.any() || sealedAny(),
    toldUsage: () =>
      last === null
        ? failed
        : believedUsage(usageOfResponse(last.response, sold), {
            counted: text.tokens(),
            over: true,
          }),
    countedTokens: text.tokens,
    countedTools: () => toolsRun({ output: [...items.values()] }, sold),
    progress: text,
    vendorAnswer: () => (last === null ? null : keptName(last.response, raw)),
    close({ error, usage, costUsd }) {
      if (error === null && last !== null) {
        const response = usage.estimated
          ? { ...last.response, usage: responsesUsage(usage) }
          : last.response
        return passed(last.type, edited(last.data, response, { cost_usd: costUsd }))
      }
      const members = errorMembers(error)
      const { code, message } = members
      const response = responseObject(raw, identity, {
        status: 'failed',
        output: partial.items(),
        usage,
        finish: null,
        error: { code: code ?? 'server_error', message },
      })
      const at = events
      return (
        passed('error', JSON.stringify({ type: 'error', ...members, sequence_number: at })) +
        passed(
          'response.failed',
          JSON.stringify({
            type: 'response.failed',
            response,
            cost_usd: costUsd,
            sequence_number: at + 1,
          }),
        )
      )
    },
  }
}

const announcing: ReadonlySet<unknown> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.content_part.added',
  'response.reasoning_summary_part.added',
  'keepalive',
])

/** Whether an event says only that an answer comes; items of other types are tools at work. */
function announces({ type, item }: Fields): boolean {
  if (type !== 'response.output_item.added') return announcing.has(type)
  const { type: kind } = fieldsOf(item)
  return kind === 'message' || kind === 'reasoning'
}

/** Line ends stand between the members of an object only. */
const oneLine = (data: string): string => data.replaceAll('\n', ' ')

const pieceHead =
  /^\{"type":"(response\.(?:output_text|refusal|function_call_arguments|reasoning_summary_text|reasoning_text|custom_tool_call_input)\.delta)",/
const mark = '"delta":"'

/** What an event says that holds a piece of the answer and nothing else; null for any other. */
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
