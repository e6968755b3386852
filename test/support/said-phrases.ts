import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * What the program says that a field must be, read from its source: the argument `expected` of every function that has
 * one, every member of that name, and the descriptions of schemas of requests.
 */

interface Said {
  readonly phrases: ReadonlySet<string>
  /** Places whose phrase cannot be read off the source. */
  readonly unread: readonly string[]
}

/** Stands for what is only known when the program runs. */
export const hole = '\u0000'

/** Expressions that hand on a phrase that was said elsewhere. */
const passedOn =
  /^(?:(?:\w+\.)*expected|description|thrown\.message|String\(facts\['expected'\]\)|expectedBy\(error\)|schema\.description \?\? message\.toLowerCase\(\))$/

export function saidPhrases(source: string): Said {
  const paths = [...new Bun.Glob('**/*.ts').scanSync(source)].sort()
  const isServer = (path: string) =>
    !/^(?:web|gateway\/api\/reference)\//.test(path) && !isApart(path)
  const files = paths
    .filter(isServer)
    .map((path) => ({ path, text: readFileSync(join(source, path), 'utf8') }))
  const everywhere = new Map(files.flatMap(({ path, text }) => [...sinksIn(path, text, 'export ')]))
  const phrases = new Set<string>()
  const unread: string[] = []
  for (const { path, text } of files) {
    const sinks = new Map([...importedFrom(text, everywhere), ...sinksIn(path, text, '')])
    for (const expression of saidIn(path, text, sinks)) {
      const found = read(expression, text)
      if (found === null) unread.push(`${path}: ${expression}`)
      else for (const phrase of found) phrases.add(phrase)
    }
  }
  return { phrases, unread }
}

/** What models read of their tools, and what the sandbox says as a vendor. */
const isApart = (path: string): boolean =>
  path.startsWith('gateway/vendors/sandbox/') || path.endsWith('/client-tools.ts')

/** Errors whose message becomes part of a phrase. */
const reasons = [
  ['PictureRefused', 0],
  ['NotPublic', 0],
] as const

/** Functions with such a parameter, and its place. */
function sinksIn(path: string, text: string, before: string): Map<string, number> {
  const made = new RegExp(
    String.raw`^${before}(?:export )?(?:function (\w+)|const (\w+) =)\s*(?:<[^(]*>)?\(`,
    'gm',
  )
  const names = path.startsWith('gateway/formats/')
    ? /^(?:expected|description): string$/
    : /^expected: string$/
  const found = new Map<string, number>()
  for (const match of text.matchAll(made)) {
    const parameters = argumentsAt(text, match.index + match[0].length)
    const place = parameters.findIndex((each) => names.test(each))
    if (place >= 0) found.set(match[1] ?? match[2] ?? '', place)
  }
  return found
}

const importedFrom = (text: string, everywhere: ReadonlyMap<string, number>) =>
  [...text.matchAll(/^import \{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .flatMap((name) => {
      const place = everywhere.get(name)
      return place === undefined ? [] : [[name, place] as const]
    })

function* saidIn(path: string, text: string, sinks: ReadonlyMap<string, number>) {
  for (const [name, place] of [...sinks, ...reasons])
    for (const { index } of text.matchAll(
      new RegExp(String.raw`(?<![\w.]|function )${name}\(`, 'g'),
    ))
      yield (argumentsAt(text, index + name.length + 1)[place] ?? 'none').replace(/^\(\) => /, '')
  const isSchema = path.startsWith('gateway/formats/') && text.includes("from '@sinclair/typebox'")
  const members = isSchema ? /(?<![\w.])(?:expected|description): /g : /(?<![\w.])expected: /g
  for (const { index, 0: head } of text.matchAll(members)) {
    const [value = ''] = argumentsAt(text, index + head.length)
    // A type, or a field of that name.
    if (!/^(?:string|number|field\(|Type\.)/.test(value)) yield value
  }
}

/** Phrases that an expression may be; null where it cannot be told. */
function read(expression: string, text: string): readonly string[] | null {
  const [yes, no] = branches(expression)
  if (yes !== undefined && no !== undefined) {
    const [one, other] = [read(yes, text), read(no, text)]
    return one === null || other === null ? null : [...one, ...other]
  }
  if (passedOn.test(expression)) return []
  const quoted =
    /^'((?:[^'\\]|\\.)*)'$/.exec(expression) ?? /^"((?:[^"\\]|\\.)*)"$/.exec(expression)
  if (quoted !== null) return [(quoted[1] ?? '').replace(/\\(.)/g, '$1')]
  if (/^`(?:[^`\\]|\\.)*`$/s.test(expression))
    return [
      expression
        .slice(1, -1)
        .replace(/\$\{[^}]*\}/g, hole)
        .replace(/\\(.)/g, '$1'),
    ]
  const [, words] = /^(.+)\.join\(' \| '\)$/s.exec(expression) ?? []
  if (words !== undefined) return [`${hole} | ${hole}`]
  if (!/^\w+$/.test(expression)) return null
  const made = new RegExp(String.raw`const ${expression}(?:: string)? =\s*`).exec(text)
  if (made === null) return null
  const [value = ''] = argumentsAt(text, made.index + made[0].length)
  return read(value, text)
}

/** Both values of a choice; none where it is no choice. */
function branches(expression: string): readonly string[] {
  const asked = topLevel(expression, ' ? ')
  if (asked < 0) return []
  const rest = expression.slice(asked + 3)
  const colon = topLevel(rest, ' : ')
  return colon < 0 ? [] : [rest.slice(0, colon).trim(), rest.slice(colon + 3).trim()]
}

/** Where a separator stands outside of strings and brackets; -1 where it does not. */
function topLevel(expression: string, separator: string): number {
  const flat = expression.replaceAll(/\s/g, ' ')
  for (let at = 0; at < flat.length; at = stepOver(flat, at))
    if (flat.startsWith(separator, at)) return at
  return -1
}

/** Expressions from here to the bracket or line that ends them. */
function argumentsAt(text: string, start: number): string[] {
  const found: string[] = []
  let from = start
  let at = start
  for (; at < text.length; at = stepOver(text, at)) {
    const char = text[at] ?? ''
    const isEnd = /[)\]}]/.test(char) || text.startsWith('\n\n', at)
    if (char !== ',' && !isEnd) continue
    found.push(text.slice(from, at))
    from = at + 1
    if (isEnd) break
  }
  return found.map((each) => each.replace(/\/\/.*$/gm, '').trim()).filter((each) => each !== '')
}

/** Behind the character, string or brackets that begin here. */
function stepOver(text: string, at: number): number {
  const char = text[at] ?? ''
  if (/['"`]/.test(char)) {
    let end = at + 1
    while (end < text.length && text[end] !== char) end += text[end] === '\\' ? 2 : 1
    return end + 1
  }
  if (!/[([{]/.test(char)) return at + 1
  let inner = at + 1
  while (inner < text.length && !/[)\]}]/.test(text[inner] ?? '')) inner = stepOver(text, inner)
  return inner + 1
}
