import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { Steps } from './slices'

/** From here on only what is required: a schema that names itself must end. */
const sparseDepth = 4
export const isSparse = (depth: number): boolean => depth >= sparseDepth

/** References and branches that are followed one after the other. */
const maxDepth = 40
const maxParts = 1000
const maxNames = 10_000
const maxReferenceChars = 1024
/** Parts and names read for one answer: a small schema can name a large one from everywhere. */
const maxReads = 50_000

/** Everything that a value is made by; what else a schema says is not copied. */
const keywords =
  '$ref anyOf oneOf allOf type const enum format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf properties required additionalProperties minProperties items prefixItems minItems maxItems uniqueItems'.split(
    ' ',
  )

/** A schema with its references followed, branches chosen and parts put together. */
export interface ReadSchema {
  /** Its keywords, the last of each name. */
  readonly schema: Fields
  /** Of all its parts. */
  property(name: string): unknown
  /** Properties that a value gets, in order. */
  names(): Iterable<string>
}

const none: ReadonlyMap<string, unknown> = new Map()

/** Reads the parts of one JSON Schema, each part once. */
export interface SchemaReader {
  /** @param depth deep down the simplest branches are chosen */
  resolve(raw: Fields, depth: number): Steps<ReadSchema>
}

export function openSchemaReader(root: Fields): SchemaReader {
  const read = { full: new Map<Fields, ReadSchema>(), sparse: new Map<Fields, ReadSchema>() }
  const budget: Budget = { left: maxReads }
  const { propertiesOf, namesOf } = openPropertyReader(budget)

  function* resolve(raw: Fields, sparse: boolean): Steps<ReadSchema> {
    let schema = keywordsOf(raw)
    const layers: Fields[] = []
    const required: (readonly unknown[])[] = []
    const collect = (part: Fields) => {
      if (isFields(part['properties'])) layers.push(part['properties'])
      if (Array.isArray(part['required'])) required.push(part['required'])
    }
    collect(raw)
    for (let steps = 0; steps < maxDepth && budget.left > 0; steps++) {
      const { $ref: ref, anyOf, oneOf, allOf, ...own } = schema
      const branch = branchOf(anyOf, oneOf, sparse)
      const parts = [
        ...(typeof ref === 'string' ? [target(ref, root)] : []),
        ...listOf(allOf).slice(0, maxParts).filter(isFields),
        ...(branch === undefined ? [] : [branch]),
      ]
      if (parts.length === 0) break
      budget.left -= parts.length
      schema = own
      for (const part of parts) {
        collect(part)
        Object.assign(schema, keywordsOf(part))
      }
      yield
    }
    let properties: ReadonlyMap<string, unknown> | null = null
    const all = () => (properties ??= propertiesOf(layers))
    let names: Iterable<string> | null = null
    return {
      schema,
      property: (name) => all().get(name),
      names: () => (names ??= namesOf(sparse ? none : all(), required)),
    }
  }

  return {
    *resolve(raw, depth) {
      const known = isSparse(depth) ? read.sparse : read.full
      let found = known.get(raw)
      if (found === undefined) known.set(raw, (found = yield* resolve(raw, isSparse(depth))))
      return found
    },
  }
}

/** Remaining work. */
interface Budget {
  left: number
}

function openPropertyReader(budget: Budget) {
  /** A schema may be named from many places: its properties are read once. */
  const single = new Map<Fields | undefined, ReadonlyMap<string, unknown>>()

  /** The last of each name. */
  const propertiesOf = (layers: readonly Fields[]): ReadonlyMap<string, unknown> => {
    const known = layers.length === 1 ? single.get(layers[0]) : undefined
    if (known !== undefined) return known
    const properties = new Map<string, unknown>()
    if (layers.length === 1) single.set(layers[0], properties)
    for (const layer of layers) {
      if (budget.left <= 0) break
      for (const name in layer) {
        if (--budget.left <= 0 || properties.size >= maxNames) break
        properties.set(name, layer[name])
      }
    }
    return properties
  }

  const namesOf = (
    properties: ReadonlyMap<string, unknown>,
    required: readonly (readonly unknown[])[],
  ): Iterable<string> => {
    if (required.length === 0) return { [Symbol.iterator]: () => properties.keys() }
    budget.left -= properties.size
    const names = new Set(budget.left > 0 ? properties.keys() : [])
    for (const list of required)
      for (const name of list) {
        if (--budget.left <= 0 || names.size >= maxNames) return names
        if (typeof name === 'string') names.add(name)
      }
    return names
  }

  return { propertiesOf, namesOf }
}

function keywordsOf(part: Fields): Fields {
  const found: Fields = {}
  for (const keyword of keywords) if (part[keyword] !== undefined) found[keyword] = part[keyword]
  return found
}

function branchOf(anyOf: unknown, oneOf: unknown, sparse: boolean): Fields | undefined {
  const branches = [anyOf, oneOf].flatMap((each) =>
    listOf(each).slice(0, maxParts).filter(isFields),
  )
  return sparse ? simplest(branches) : branches[0]
}

const simplest = (branches: readonly Fields[]): Fields | undefined =>
  branches.find(({ type }) => type === 'null') ??
  branches.find(({ $ref, type }) => $ref === undefined && type !== 'object' && type !== 'array') ??
  branches[0]

/** Target of a reference such as `#/$defs/node`. */
function target(ref: string, root: Fields): Fields {
  if (ref.length > maxReferenceChars) return {}
  let at: unknown = root
  for (const step of ref.replace(/^#\/?/, '').split('/')) {
    if (step === '') continue
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return fieldsOf(at)
}
