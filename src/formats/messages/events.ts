import { messagesError } from './error'
import { fieldsOf, type Fields } from '../../json/fields'
import { type ReplyIdentity } from '../chat/wire'
import type { RenderedEnd } from '../hub'
import { messagesUsage } from './wire-usage'

/** An event with its name before it: clients pass over those without. */
export const eventOf = (event: Fields & { readonly type: string }): string =>
  namedEvent(event.type, JSON.stringify(event))

export const namedEvent = (type: string, data: string): string =>
  `event: ${type}\ndata: ${data}\n\n`

/** Sent while nothing else is: clients give up on a stream that says nothing. */
export const pingEvent = eventOf({ type: 'ping' })

/** The last event of a stream that broke, with what was charged for it. */
export const errorEvent = (
  { id }: Pick<ReplyIdentity, 'id'>,
  { error, usage, costUsd }: RenderedEnd,
): string =>
  eventOf({
    ...messagesError(fieldsOf(error), id),
    usage: messagesUsage(usage),
    cost_usd: costUsd,
  })
