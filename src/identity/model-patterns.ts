/** What a pattern may mean a model by. */
export interface NamedModel {
  readonly id: string
  readonly ownedBy: string
}

type Matches = (model: NamedModel) => boolean

/** Compiled once per list; lists are replaced, never changed. */
const compiled = new WeakMap<readonly string[], Matches>()

/**
 * Whether a list names this model: by its id, by `owner/id`, or by a pattern of either such as
 * `openai/*`. So a list holds whether or not ids are sold with their owner in front.
 */
export function matchesModel(patterns: readonly string[], model: NamedModel): boolean {
  let matches = compiled.get(patterns)
  if (matches === undefined) compiled.set(patterns, (matches = compile(patterns)))
  return matches(model)
}

function compile(patterns: readonly string[]): Matches {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
  const loose = patterns.filter((pattern) => pattern.includes('*')).map(expression)
  const names = (name: string) => exact.has(name) || loose.some((each) => each.test(name))
  return ({ id, ownedBy }) => names(id) || names(`${ownedBy}/${id}`)
}

const expression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split(/\*+/).map(RegExp.escape).join('.*')}$`, 's')

/** @throws RangeError when no model could ever be called so */
export function checkPattern(pattern: string): string {
  if (!/^[^\s*]*(?:\*[^\s*]*)*$/.test(pattern) || pattern === '' || pattern.length > 256)
    throw new RangeError(`neither a model's id nor a pattern such as openai/*: ${pattern}`)
  return pattern
}
