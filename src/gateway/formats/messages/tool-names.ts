/**
 * The Messages format takes names of 128 characters, the reference 64 (openai/openai-openapi
 * `FunctionObject`).
 */
const maxChars = 64
const keptChars = 55

/** A name that every vendor takes; the same at each turn. */
export const shortName = (name: string): string =>
  name.length <= maxChars
    ? name
    : `${name.slice(0, keptChars)}_${Bun.hash(name).toString(36).padStart(8, '0').slice(-8)}`

/** The client's names of tools, by what vendors call them. @param names as the client gave them */
export function clientNames(names: readonly string[]): (name: string) => string {
  const long = names.filter((name) => name.length > maxChars)
  if (long.length === 0) return (name) => name
  const known = new Map(long.map((name) => [shortName(name), name]))
  return (name) => known.get(name) ?? name
}
