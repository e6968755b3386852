import { fieldsOf } from '../../json/fields'

/**
 * Whether an item asks for a compaction item in place of an answer, as the last item of an input.
 * @see openai/openai-openapi `CompactionTriggerItemParam`, 2.3.0 of 2026-08-21
 */
export const isTrigger = (item: unknown): boolean => fieldsOf(item)['type'] === 'compaction_trigger'

/** Whether a request asks for a compaction in place of an answer. */
export const requestsCompaction = ({ input }: { readonly input: unknown }): boolean =>
  Array.isArray(input) && isTrigger(input.at(-1))
