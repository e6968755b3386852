import type { Fields } from '../../json/fields'

/**
 * Arguments of one call, put together from values at paths of them.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`PartialArg`); paths as RFC 9535, 2.3, names and
 *   indices only
 */
export interface PartialArguments {
  /** Members that came whole. */
  add(members: Fields): void
  /**
   * One element of `partialArgs`: `{jsonPath: "$.stops[0].city", stringValue | numberValue | boolValue |
   * nullValue}`. A text at a path that has one goes on.
   * @throws Error when the path leads nowhere
   */
  put(partial: Fields): void
  /** JSON of all that came. */
  text(): string
}

/** A member that is called `__proto__` is one like any other here. */
type Node = Map<string, Value> | Value[]
type Value = Node | { readonly leaf: unknown }

export function openPartialArguments(): PartialArguments {
  const root: Node = new Map()
  return {
    add(members) {
      for (const [name, leaf] of Object.entries(members)) root.set(name, { leaf })
    },
    put(partial) {
      const steps = stepsOf(partial['jsonPath'])
      const last = steps.pop()
      if (last === undefined) throw new Error('partial argument without a path')
      let node: Node = root
      for (const [at, step] of steps.entries()) {
        const next: unknown = at + 1 < steps.length ? steps[at + 1] : last
        node = nodeAt(node, step, typeof next === 'number')
      }
      const before = valueAt(node, last)
      setValue(node, last, { leaf: leafOf(partial, before) })
    },
    text: () => jsonOf(root),
  }
}

function leafOf(partial: Fields, before: Value | undefined): unknown {
  const { stringValue, numberValue, boolValue } = partial
  if (typeof stringValue !== 'string') return numberValue ?? boolValue ?? null
  const said = before !== undefined && 'leaf' in before ? before.leaf : ''
  return typeof said === 'string' ? said + stringValue : stringValue
}

type Step = string | number

/** A name, a place in a list, or a name in quotes. */
const stepForm = /\.([^.[\]]+)|\[(\d{1,9})\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y

const maxDepth = 100

function stepsOf(path: unknown): Step[] {
  if (typeof path !== 'string' || !path.startsWith('$')) throw new Error('malformed argument path')
  const steps: Step[] = []
  stepForm.lastIndex = 1
  while (stepForm.lastIndex < path.length) {
    const found = stepForm.exec(path)
    if (found === null) throw new Error('malformed argument path')
    const [, name, place, single, double] = found
    const quoted = (single ?? double)?.replace(/\\(.)/g, '$1')
    steps.push(place === undefined ? (name ?? quoted ?? '') : Number(place))
    if (steps.length > maxDepth) throw new Error('arguments nested too deeply')
  }
  return steps
}

function nodeAt(node: Node, step: Step, isList: boolean): Node {
  const found = valueAt(node, step)
  if (found !== undefined && !('leaf' in found)) return found
  const made: Node = isList ? [] : new Map()
  setValue(node, step, made)
  return made
}

const valueAt = (node: Node, step: Step): Value | undefined =>
  Array.isArray(node) ? node[Number(step)] : node.get(String(step))

function setValue(node: Node, step: Step, value: Value): void {
  if (!Array.isArray(node)) {
    node.set(String(step), value)
    return
  }
  // Elements come in order: a place far behind the end would fill the memory.
  if (typeof step !== 'number' || step > node.length)
    throw new Error('partial argument index out of range')
  node[step] = value
}

function jsonOf(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`
  if ('leaf' in value) return JSON.stringify(value.leaf)
  const members = [...value].map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`)
  return `{${members.join(',')}}`
}
