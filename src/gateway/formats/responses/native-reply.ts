import type { Usage } from '../../../domain/usage'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { saysAnything, type ReplyIdentity } from '../chat/wire'
import { emptyAnswer, reportsOutput, wholeUsage } from '../plausible-usage'
import { editMembers } from '../../json/edit-members'
import { withToolsRun, type Sells } from '../hosted-tools'
import { repairOutput } from './client-repairs'
import { withServed } from '../served'
import { soldIn, toolsRun } from './hosted-tools'
import { responseId, responsesUsage } from './response-object'
import type { ResponsesBody } from './schema'
import { sealVendorItems } from './sealed-items'
import { readResponsesUsage } from './usage'

/** Dependencies of passing a response on in its own format. */
export interface NativeResponseParts {
  readonly raw: ResponsesBody
  readonly identity: ReplyIdentity
  readonly sells: Sells
  sealOwn(content: string): string
  /** @throws the vendor's failure, when the reply is one */
  refuseFailure(reply: Fields): void
  /** @param answer all text of it */
  estimate(answer: string): Usage
}

/**
 * A vendor's response for a client of the same format: its text to the letter, but for ids, the
 * model, and what would tell of us.
 * @throws Error when it is no response
 * @see openai/openai-openapi `Response`, 2.3.0 of 2026-08-21
 */
export function readNativeResponse(text: string, parts: NativeResponseParts) {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('reply is not a JSON object')
  if (isFields(reply['error'])) parts.refuseFailure(reply)
  if (!Array.isArray(reply['output'])) throw new Error('reply without output')
  const { output } = reply
  const told = withServed(readResponsesUsage(reply['usage']), reply)
  if (!reportsOutput(told) && !isGiven(reply)) throw emptyAnswer()
  const tokens = wholeUsage(told, () =>
    parts.estimate(output.map(readReportedError).join('\n').trim()),
  )
  const usage = withToolsRun(tokens, toolsRun(reply, soldIn(parts.raw, parts.sells)))
  const set = ourMembers(parts)
  const sealed = sealVendorItems(output, parts.sealOwn)
  if (sealed !== null) set['output'] = sealed
  if (usage.estimated) set['usage'] = responsesUsage(usage)
  const repaired = repairOutput(output)
  if (repaired !== output) set['output'] = repaired
  return {
    body: editMembers(text, { set, drop: [] }),
    usage,
    vendorAnswer: keptName(reply, parts.raw),
  }
}

/**
 * A vendor's compaction for a client of the same format, whose object has fewer members.
 * @throws Error when it is none
 */
export function readNativeCompaction(text: string, parts: NativeResponseParts) {
  const reply: unknown = JSON.parse(text)
  if (!isFields(reply)) throw new Error('reply is not a JSON object')
  if (isFields(reply['error'])) parts.refuseFailure(reply)
  const { output } = reply
  const sealed = Array.isArray(output) ? sealVendorItems(output, parts.sealOwn) : null
  if (sealed === null) throw new Error('compaction without its item')
  const usage = wholeUsage(withServed(readResponsesUsage(reply['usage']), reply), () =>
    parts.estimate(sealed.map(readReportedError).join('\n').trim()),
  )
  const set: Fields = { id: responseId(parts.identity), output: sealed }
  if (usage.estimated) set['usage'] = responsesUsage(usage)
  return { body: editMembers(text, { set, drop: [] }), usage }
}

/** Whether a response is an answer, whatever its vendor counted: it says something, or did not end by itself. */
export const isGiven = ({ status, output }: Fields): boolean =>
  (status !== undefined && status !== 'completed') || saysAnything(output)

/** Members of a response that we set. */
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

/** The vendor's name of an answer that it keeps; null for one that it was told not to keep. */
export function keptName({ id, store }: Fields, asked: ResponsesBody): string | null {
  const keeps = store !== false && asked.store !== false
  return keeps && typeof id === 'string' && answerName.test(id) ? id : null
}

/** It is kept on record, where nothing may stand that was said. */
const answerName = /^[\w.:-]{1,256}$/

function readReportedError(item: unknown): string {
  const { content, arguments: args, name, summary } = fieldsOf(item)
  const parts = [...listOf(content), ...listOf(summary)].map(fieldsOf)
  const said = [name, args, ...parts.flatMap(({ text, refusal }) => [text, refusal])]
  return said.filter((each) => typeof each === 'string').join(' ')
}
