import { fieldsOf } from '../../json/fields'

/** Asks for a compaction item in place of an answer, as the last item of an input. */
export const isTrigger = (item: unknown): boolean => fieldsOf(item)['type'] === 'compaction_trigger'

export const asksCompaction = ({ input }: { readonly input: unknown }): boolean =>
  Array.isArray(input) && isTrigger(input.at(-1))
