import { AdminError, isRefusedBy } from '../../business/operations/admin-error'
import type { Operation } from '../../business/operations/operation'
import { isFields } from '../../gateway/json/fields'
import { RefusedElsewhere } from '../remote/over-http'
import { typedFields, typedFlag, type AnyForm, type TypedField } from './field-options'

type FieldWords = ReadonlyMap<string, string>

/** Options and arguments of a command, by the field of the operation that each stands for. @param added of a flag's own operation */
export function fieldWords(
  { query, body }: Operation,
  form: AnyForm,
  added: readonly TypedField[] = [],
): FieldWords {
  const { params = {}, places = {} } = form
  const typed = [...typedFields(query, form), ...typedFields(body, form), ...added]
  return new Map([
    ...Object.entries(params).map(
      ([field, { name, as }]) => [field, as === 'place' ? `<${name}>` : `--${name}`] as const,
    ),
    ...typed.map((each) => [each.field, places[each.field] ?? typedFlag(each)] as const),
  ])
}

/**
 * Runs an operation's command.
 * @throws what `work` throws; a refusal of a field names the option or argument that stands for it
 */
export async function namingOptions<T>(words: FieldWords, work: () => Promise<T>): Promise<T> {
  const wordOf = (field: string): string => words.get(field.split('.', 1)[0] ?? '') ?? field
  try {
    return await work()
  } catch (thrown) {
    if (isRefusedBy('input_invalid', thrown)) {
      const { facts } = thrown
      const fields = 'fields' in facts ? { fields: facts.fields.map(wordOf) } : {}
      throw new AdminError('input_invalid', { ...facts, ...fields, field: wordOf(facts.field) })
    }
    if (thrown instanceof RefusedElsewhere && thrown.code === 'input_invalid')
      throw new RefusedElsewhere(renamed(thrown, wordOf), thrown.code, thrown.facts)
    throw thrown
  }
}

/** The text is that of a gateway, whose release may have rules that this one has no text for. */
function renamed({ message, facts }: RefusedElsewhere, wordOf: (field: string) => string): string {
  const { field, fields } = isFields(facts) ? facts : {}
  if (typeof field !== 'string' || !message.startsWith(`${field}: `)) return message
  const text = message.slice(field.length)
  const named = Array.isArray(fields) ? fields.map(String) : []
  return wordOf(field) + text.replace(named.join(', '), named.map(wordOf).join(', '))
}
