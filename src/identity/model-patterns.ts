/** Compiled once per list; lists are replaced, never changed. */
const compiled = new WeakMap<readonly string[], (model: string) => boolean>()

/** Whether a list of ids and patterns such as `openai/*` names this model. */
export function matchesModel(patterns: readonly string[], model: string): boolean {
  let matches = compiled.get(patterns)
  if (matches === undefined) {
    const exact = new Set(patterns.filter((pattern) => !pattern.includes('*')))
    const loose = patterns.filter((pattern) => pattern.includes('*')).map(expression)
    matches = (id) => exact.has(id) || loose.some((each) => each.test(id))
    compiled.set(patterns, matches)
  }
  return matches(model)
}

const expression = (pattern: string): RegExp =>
  new RegExp(`^${pattern.split(/\*+/).map(RegExp.escape).join('.*')}$`, 's')
