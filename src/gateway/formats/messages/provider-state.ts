import { isCount, isFields, listOf, type Fields } from '../../json/fields'
import type { ProviderState } from '../hub'

/**
 * Signed reasoning (`ThinkingBlockParam` of the SDK, 1.11.0), and how many calls of its turn stood before
 * it.
 */
export interface KeptBlock {
  readonly before: number
  readonly block: Fields
}

/** Nothing to keep where no call was made: without one, old reasoning is not asked for. */
export const providerStatesOf = (
  blocks: readonly KeptBlock[],
  callIds: readonly string[],
): readonly ProviderState[] =>
  blocks.length === 0 || callIds.length === 0
    ? []
    : [{ choice: 0, callIds, value: blocks, isSealed: true }]

/** Kept blocks as they went in; null when they are not ours. */
export function readKept(value: unknown): readonly KeptBlock[] | null {
  const blocks = listOf(value).flatMap((each): KeptBlock[] =>
    isFields(each) && isCount(each['before']) && isFields(each['block'])
      ? [{ before: each['before'], block: each['block'] }]
      : [],
  )
  return blocks.length === 0 ? null : blocks
}
