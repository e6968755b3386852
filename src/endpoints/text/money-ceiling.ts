import type { Traits } from '../../domain/model'
import { outputCeilingOf } from '../../formats/chat/ceiling'
import type { ChatBody } from '../../formats/chat/schema'

const ceilingNames: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
])

/** False where its client named a ceiling, which is held for, or the model takes none. */
export const canLower = (body: ChatBody, { drop = [] }: Traits): boolean =>
  outputCeilingOf(body) === null && !drop.some((name) => ceilingNames.has(name))

/** A body whose answer ends after so many tokens, under the name that every dialect understands. */
export const bodyBelow = (body: ChatBody, tokens: number): ChatBody => ({
  ...body,
  max_tokens: tokens,
})
