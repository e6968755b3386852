import type { Fields } from '../../json/fields'

/**
 * What the vendor wrote of a conversation that it made shorter, as text that any model reads. A block without
 * content failed, and its vendor takes it for nothing.
 * @returns null where it is none, and where only its vendor can read it
 * @see anthropics/anthropic-sdk-typescript 1.14.0, `src/resources/beta/messages/messages.ts`
 *   (`BetaCompactionBlockParam`)
 */
export function compactedText({ type, content, encrypted_content: sealed }: Fields): string | null {
  if (type !== 'compaction') return null
  if (typeof content === 'string') return content
  return (sealed ?? null) === null ? '' : null
}
