import type { TSchema } from '@sinclair/typebox'

/** JSON as it is printed. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonFields = Readonly<Record<string, Json>>

/** Schemas with a title, each once and by its name. */
export interface NamedSchemas {
  /** The schema for this place: a reference to it when it has a name. */
  at(schema: TSchema): Json
  /** Schemas by name, in the order of the alphabet. */
  all(): Readonly<Record<string, Json>>
}

/**
 * Puts TypeBox schemas into a document: JSON Schema 2020-12 as they are, but that what has a title
 * stands once, and that a choice of words is one list.
 */
export function openNamedSchemas(
  notes: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(),
): NamedSchemas {
  const sources = new Map<string, TSchema>()
  const named = new Map<string, Json>()

  const at = (schema: TSchema): Json => {
    const { title } = schema
    if (title === undefined) return plain(schema)
    const source = sources.get(title)
    if (source === undefined) {
      // Before it is looked into: it may hold itself.
      sources.set(title, schema)
      named.set(title, withNotes(plain(schema), notes.get(title) ?? {}, title))
    } else if (source !== schema) throw new Error(`two schemas are called ${title}`)
    return { $ref: `#/components/schemas/${title}` }
  }

  const plain = (schema: TSchema): Json => {
    const choices = wordsOf(schema)
    if (choices !== null) return { type: 'string', enum: choices, ...description(schema) }
    // What TypeBox knows besides is kept under symbols, which no listing shows.
    return Object.fromEntries(
      Object.entries(schema).map(([name, value]: [string, unknown]) => [name, inside(name, value)]),
    )
  }

  const inside = (name: string, value: unknown): Json => {
    if (listsOfSchemas.has(name)) return (value as readonly TSchema[]).map(at)
    if (mapsOfSchemas.has(name)) return mapped(value as Readonly<Record<string, TSchema>>)
    if (schemas.has(name) && typeof value === 'object') return at(value as TSchema)
    return value as Json
  }

  const mapped = (map: Readonly<Record<string, TSchema>>): Json =>
    Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, at(schema)]))

  return {
    at,
    all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

const listsOfSchemas = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])
const mapsOfSchemas = new Set(['properties', 'patternProperties'])
const schemas = new Set(['items', 'additionalProperties', 'not', 'contentSchema'])

/** A choice of nothing but words; null for anything else. */
function wordsOf(schema: TSchema): readonly string[] | null {
  const choices: unknown = schema['anyOf']
  if (!Array.isArray(choices) || choices.length === 0) return null
  const words = choices.map((each: TSchema): unknown => each['const'])
  return words.every((word) => typeof word === 'string') ? words : null
}

const description = (schema: TSchema): JsonFields =>
  schema.description === undefined ? {} : { description: schema.description }

/** Adds notes to fields, before their types. @throws Error for a note on a field that is not there */
function withNotes(schema: Json, notes: Readonly<Record<string, string>>, title: string): Json {
  const fields = jsonFieldsOf(schema)
  const properties: Record<string, Json> = { ...jsonFieldsOf(fields['properties']) }
  for (const [name, note] of Object.entries(notes)) {
    const property = properties[name]
    if (property === undefined) throw new Error(`${title} has no field ${name}`)
    const { description: may, ...rest } = jsonFieldsOf(property)
    properties[name] = {
      ...rest,
      description: typeof may === 'string' ? `${note} (${may})` : note,
    }
  }
  return Object.keys(notes).length === 0 ? schema : { ...fields, properties }
}

/** The members of an object; none of anything else. */
export const jsonFieldsOf = (value: Json | undefined): JsonFields =>
  typeof value === 'object' && value !== null && !isList(value) ? value : {}

/** The items of a list; none of anything else. */
export const itemsOf = (value: Json | undefined): readonly Json[] =>
  value !== undefined && isList(value) ? value : []

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
