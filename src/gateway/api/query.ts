import { Type, type Static, type TObject, type TSchema } from '@sinclair/typebox'
import { invalid } from '../formats/schema-fault'
import type { Inbound } from '../http/inbound'

/**
 * Parameters that clients add to any address: Anthropic's (`?beta=true`), Codex (`?client_version=…`) and Azure's
 * (`?api-version=…`).
 */
const addedByClients: ReadonlySet<string> = new Set(['beta', 'client_version', 'api-version'])

const none = Type.Object({})

/** Longest name that a refusal repeats. */
const maxNameChars = 64

/**
 * Parameters of a request's address, as the schema has them: strings, words of a list and whole numbers.
 * @throws invalid_field for one that is not known, empty, malformed or given twice
 */
export function readQuery<Schema extends TObject>(
  { search }: Pick<Inbound, 'search'>,
  schema: Schema,
): Static<Schema> {
  const values: Record<string, string | number> = {}
  for (const [name, text] of new URLSearchParams(search)) {
    const known: TSchema | undefined = Object.hasOwn(schema.properties, name)
      ? schema.properties[name]
      : undefined
    if (known === undefined) {
      if (addedByClients.has(name)) continue
      throw invalid(name.slice(0, maxNameChars), 'absent')
    }
    if (name in values) throw invalid(name, 'given once')
    values[name] = valueOf(name, text, known)
  }
  return values
}

/** Checks that an address has no parameters. @throws invalid_field naming the first */
export const refuseQuery = (inbound: Pick<Inbound, 'search'>): void => {
  if (inbound.search !== '') readQuery(inbound, none)
}

function valueOf(name: string, text: string, schema: TSchema): string | number {
  const {
    type,
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
    anyOf,
  } = schema as TSchema & ParameterSchema
  if (type === 'integer') {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(number >= minimum && number <= maximum))
      throw invalid(name, `a whole number from ${minimum} to ${maximum}`)
    return number
  }
  const words = anyOf?.map((each) => each.const)
  if (words !== undefined && !words.includes(text)) throw invalid(name, words.join(' | '))
  if (text === '') throw invalid(name, 'a non-empty string')
  return text
}

/** What of a schema a parameter can have. */
interface ParameterSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  /** Words of a list. */
  readonly anyOf?: readonly { readonly const: string }[]
}
