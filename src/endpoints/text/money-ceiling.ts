import type { Traits } from '../../domain/model'
import { outputCeilingOf } from '../../formats/chat/ceiling'
import type { ChatBody } from '../../formats/chat/schema'

const ceilingNames: ReadonlySet<string> = new Set([
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
])

/**
 * A body whose answer ends after so many tokens, under the name that every dialect understands.
 * @returns null where its client named a ceiling, which is held for, or the model takes none
 */
export function bodyBelow(body: ChatBody, { drop = [] }: Traits, tokens: number): ChatBody | null {
  if (outputCeilingOf(body) !== null || drop.some((name) => ceilingNames.has(name))) return null
  return { ...body, max_tokens: tokens }
}
