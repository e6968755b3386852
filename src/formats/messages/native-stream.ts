import type { Units, Usage } from '../../domain/usage'
import { openSentText, progressWith } from '../chat/sent-text'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { type ReplyIdentity } from '../chat/wire'
import { believedUsage } from '../believed-usage'
import type { TextStream } from '../hub-stream'
import { editMembers, stringEnd } from '../../json/edit-members'
import { errorEvent, eventOf, namedEvent, pingEvent } from './events'
import { withToolsRun, type Sells } from '../hosted-tools'
import { soldIn, toolsRun } from './hosted-tools'
import { messageId } from './identity'
import type { MessagesBody } from './schema'
import { stopMembers } from './stop-reasons'
import { mergedUsage, readMessagesUsage } from './usage'
import { messagesUsage } from './wire-usage'

export interface NativeMessagesParts {
  readonly raw: MessagesBody
  readonly identity: ReplyIdentity
  readonly sells: Sells
  /** @throws the vendor's failure, when the event is one */
  refuseFailure(event: Fields): void
  /** Tokens of a text, for what the vendor does not tell. */
  countTokens(text: string): number
}

/**
 * A vendor's stream for a client of the same format. Events pass to the letter; of those that hold a
 * piece of the answer only its end is looked for. The first gets our id and the client's model, and
 * the last but one waits for what the call cost.
 */
export function openNativeMessages(parts: NativeMessagesParts): TextStream {
  const { identity } = parts
  const text = openSentText(parts.countTokens)
  const piece = openPieces()
  const sold = soldIn(parts.raw, parts.sells)
  /** What of the answer the vendor may bill by the call. */
  const calls: Fields[] = []
  let vendorId: unknown = null
  let told: Fields = {}
  let exact = false
  /** The event that says why it stopped. */
  let last: string | null = null
  let over = false

  const start = (event: Fields): string => {
    const message = fieldsOf(event['message'])
    if (vendorId !== null) {
      // Broken upstreams repeat the start; another message is another answer.
      if (message['id'] === vendorId) return ''
      throw new Error('a second message in one stream')
    }
    vendorId = message['id'] ?? ''
    told = mergedUsage(told, message['usage'])
    const ours = { ...message, id: messageId(identity), model: identity.model }
    return eventOf({ ...event, type: 'message_start', message: ours })
  }

  const observe = (part: Fields) => {
    for (const name of ['text', 'thinking', 'partial_json', 'name']) {
      const said = part[name]
      if (typeof said === 'string') text.add(said)
    }
  }

  const begin = (block: Fields) => {
    observe(block)
    if (sold.length > 0) calls.push(block)
  }
  const countedTools = (): Units => toolsRun(calls, told, sold)

  /** The long way. */
  const parsed = (data: string): string => {
    const event: unknown = JSON.parse(data)
    if (!isFields(event)) throw new Error('an event that is no object')
    const { type } = event
    switch (type) {
      case 'message_start':
        return start(event)
      case 'content_block_start':
        begin(fieldsOf(event['content_block']))
        break
      case 'content_block_delta':
        observe(fieldsOf(event['delta']))
        break
      case 'message_delta': {
        told = mergedUsage(told, event['usage'])
        exact = true
        const before = last === null ? '' : namedEvent('message_delta', last)
        last = oneLine(data)
        return before
      }
      case 'message_stop':
        over = true
        return ''
    }
    if (type === 'error' || event['error'] !== undefined) parts.refuseFailure(event)
    if (typeof type !== 'string') throw new Error('an event without a type')
    return namedEvent(type, oneLine(data))
  }

  const toldUsage = (): Usage | null => {
    const usage = readMessagesUsage(told)
    if (usage === null) return null
    const given = { counted: text.tokens(), over: exact }
    const ran = countedTools()
    if (exact) return believedUsage(withToolsRun(usage, ran), given)
    // So far only what went in is told in truth.
    const { output: _, ...units } = { ...usage.units, ...ran }
    return believedUsage({ units, reasoning: 0, estimated: true }, given)
  }

  const end = (usage: Usage, costUsd: string): string => {
    const set: Fields = { cost_usd: costUsd }
    if (usage.estimated || toldUsage()?.estimated !== false) set['usage'] = messagesUsage(usage)
    const said = last ?? JSON.stringify(silentEnd)
    const stop = eventOf({ type: 'message_stop' })
    return namedEvent('message_delta', editMembers(said, { set, drop: [] })) + stop
  }

  return {
    event(data) {
      if (over || data === '') return ''
      const said = piece(data)
      if (said === null) return parsed(data)
      text.add(said)
      return namedEvent('content_block_delta', data)
    },
    ended() {
      // Why it stopped was said: only the last event is missing.
      if (last !== null) over = true
      return ''
    },
    complete: () => over,
    // Blocks begin empty: an overloaded vendor may say no more than that.
    started: () => text.any() || last !== null,
    sent: text.any,
    toldUsage,
    countedTokens: text.tokens,
    countedTools,
    progress: progressWith(
      text,
      () => told,
      (before) => void (told = before),
    ),
    close({ error, usage, costUsd }) {
      return error === null ? end(usage, costUsd) : errorEvent(identity, { error, usage, costUsd })
    },
    keepAlive: pingEvent,
  }
}

const silentEnd = { type: 'message_delta', delta: stopMembers('end_turn', null) }

/** Line ends stand between the members of an object only. */
const oneLine = (data: string): string => data.replaceAll('\n', ' ')

const pieceHead =
  /^\{"type":"content_block_delta","index":\d+,"delta":\{"type":"(?:text|thinking|input_json)_delta","(?:text|thinking|partial_json)":"/
/** The vendor pads its events. */
const pieceTail = /^\}\s*\}\s*$/

/** What an event says that holds a piece of the answer and nothing else; null for any other. */
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
