/** Names of a model that a pattern is matched against. */
export interface NamedModel {
  readonly id: string
  readonly ownedBy: string
  readonly aliases?: readonly { readonly id: string }[]
}

type Matches = (model: NamedModel) => boolean

/** Compiled once per list; lists are replaced, never changed. */
const compiled = new WeakMap<readonly string[], Matches>()

/**
 * Whether a list names this model: by its id, by `owner/id`, or by a pattern of either such as
 * `openai/*`; what holds for one id of a model holds for all. So a list holds whether or not ids are sold with their owner in front.
 */
export function matchesModel(patterns: readonly string[], model: NamedModel): boolean {
  let matches = compiled.get(patterns)
  if (matches === undefined) compiled.set(patterns, (matches = compile(patterns)))
  return matches(model)
}

function compile(patterns: readonly string[]): Matches {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const loose = patterns.filter((pattern) => pattern.includes('*')).map(matcher)
  const names = (name: string) => exact.has(name) || loose.some((each) => each(name))
  const isNamed = (id: string, ownedBy: string) => names(id) || names(`${ownedBy}/${id}`)
  return ({ id, ownedBy, aliases }) =>
    isNamed(id, ownedBy) || aliases?.some((alias) => isNamed(alias.id, ownedBy)) === true
}

/** No regular expression: one with many stars can take longer than anybody lives. */
function matcher(pattern: string): (name: string) => boolean {
  const parts = pattern.split('*')
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  const middle = parts.slice(1, -1)
  return (name) => {
    const end = name.length - last.length
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false
    // The earliest place of each part leaves the most room for the next.
    let at = first.length
    for (const part of middle) {
      const found = name.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return at <= end
  }
}

/** Checks a pattern of models. @throws RangeError when no model could ever be called so */
export function checkPattern(pattern: string): string {
  if (!/^\S{1,256}$/.test(pattern))
    throw new RangeError(`neither a model's id nor a pattern such as openai/*: ${pattern}`)
  return pattern
}
