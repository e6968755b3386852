import type { Usage } from '../../domain/usage'
import { fieldsOf, isFields, listOf, type Fields, type ReplyIdentity } from '../chat/wire'
import type { Keepsake } from '../hub'
import { editMembers } from '../splice'
import { usageOfResponse } from './hosted-tools'
import { responseId, responsesUsage } from './response-object'
import type { ResponsesBody } from './schema'

export interface NativeResponseParts {
  readonly raw: ResponsesBody
  readonly identity: ReplyIdentity
  /** @throws the vendor's failure, when the reply is one */
  refuseFailure(reply: Fields): void
  /** @param answer all text of it */
  estimate(answer: string): Usage
}

/**
 * A vendor's response for a client of the same format: its text to the letter, but for ids, the
 * model, and what would tell of us.
 * @throws Error when it is no response
 */
export function readNativeResponse(text: string, parts: NativeResponseParts) {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('a reply that is no object')
  if (isFields(reply['error'])) parts.refuseFailure(reply)
  if (!Array.isArray(reply['output'])) throw new Error('a reply without output')
  const told = usageOfResponse(reply, parts.raw.tools)
  const usage = told ?? parts.estimate(reply['output'].map(saidBy).join('\n'))
  const set = ourMembers(parts)
  if (told === null) set['usage'] = responsesUsage(usage)
  return {
    body: editMembers(text, { set, drop: [] }),
    usage,
    keepsakes: keptOf(reply, parts, usage),
  }
}

/** What of a response is ours to say. */
export const ourMembers = ({
  raw,
  identity,
}: Pick<NativeResponseParts, 'raw' | 'identity'>): Fields => ({
  id: responseId(identity),
  model: identity.model,
  previous_response_id: raw.previous_response_id ?? null,
  safety_identifier: null,
  user: null,
})

/** An answer that the vendor keeps, so that a later request can go on from it. */
export interface EarlierAnswer {
  /** The vendor's name of it. */
  readonly id: string
  /** All tokens of it, which are paid again. */
  readonly tokens: number
}

export function keptOf(
  response: Fields,
  { raw, identity }: Pick<NativeResponseParts, 'raw' | 'identity'>,
  { units }: Usage,
): readonly Keepsake[] {
  const { id } = response
  if (typeof id !== 'string' || raw.store === false) return []
  const tokens = Object.entries(units).reduce(
    (sum, [meter, count]) => (meter.startsWith('tool:') ? sum : sum + (count ?? 0)),
    0,
  )
  return [{ callIds: [responseId(identity)], value: { id, tokens } satisfies EarlierAnswer }]
}

function saidBy(item: unknown): string {
  const { content, arguments: args, name, summary } = fieldsOf(item)
  const parts = [...listOf(content), ...listOf(summary)].map(fieldsOf)
  const said = [name, args, ...parts.flatMap(({ text, refusal }) => [text, refusal])]
  return said.filter((each) => typeof each === 'string').join(' ')
}
