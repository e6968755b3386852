/** Names that a file exports and no other file imports: `bun scripts/unused-exports.ts [--fix] [path …]`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseArgs } from 'node:util'

interface UnusedExport {
  readonly path: string
  readonly name: string
}

/** Writes a file whose text, with its exports, stands in it. */
const generator = 'scripts/vocabulary.ts'

/** Stands for every name of a file: a namespace, or a module that is taken whole. */
const everything = '*'

const binding = String.raw`(?:(\w+)\s*,?\s*)?(?:\{([^}]*)\}|(\*)(?:\s+as\s+\w+)?)?`
const fromFile = new RegExp(
  String.raw`\b(?:import|export)\s+(?:type\s+)?${binding}\s*from\s*'(\.[^']+)'`,
  'g',
)
const whenNeeded =
  /(?:(?:const|let)\s+\{([^}]*)\}\s*=\s*await\s+)?import\(\s*'(\.[^']+)'\s*\)(?:\s*\)?\s*\.(\w+)|\.then\(\s*(?:async\s*)?\(\s*\{([^}]*)\})?/g
const declared =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm

const namesIn = (list: string | undefined, renamed: RegExp): readonly string[] =>
  (list ?? '')
    .split(',')
    .map((part) =>
      part
        .replaceAll(/\/\/.*/g, '')
        .trim()
        .replace(/^type\s+/, ''),
    )
    .map((part) => part.split(renamed)[0] ?? '')
    .filter((name) => name !== '')

/** @param root folder of the repository */
export function unusedExports(root: string): readonly UnusedExport[] {
  const texts = new Map(
    [...new Bun.Glob('{src,test,scripts}/**/*.{ts,tsx}').scanSync(root)]
      .filter((path) => !/(?:^|\/)node_modules\/|\.d\.ts$/.test(path) && path !== generator)
      .sort()
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  )
  const used = new Map<string, Set<string>>()
  const use = (from: string, to: string, names: readonly string[]) => {
    const path = normalize(join(dirname(from), to))
    const file = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(
      (each) => /\.\w+$/.test(each) && (texts.has(each) || existsSync(join(root, each))),
    )
    if (file === undefined) return
    const known = used.get(file) ?? new Set()
    used.set(file, known)
    for (const name of names) known.add(name)
  }
  for (const [path, text] of texts) {
    for (const [, , list, all, to = ''] of text.matchAll(fromFile))
      use(path, to, all === undefined ? namesIn(list, /\s+as\s+/) : [everything])
    for (const [, before, to = '', member, after] of text.matchAll(whenNeeded)) {
      const list = before ?? after
      const one = member === undefined || member === 'then' ? everything : member
      use(path, to, list === undefined ? [one] : namesIn(list, /\s*:\s*/))
    }
  }
  return [...texts].flatMap(([path, text]) => {
    const known = used.get(path)
    return known?.has(everything) === true
      ? []
      : [...text.matchAll(declared)]
          .flatMap(([, name = '']) => (known?.has(name) === true ? [] : [name]))
          .map((name) => ({ path, name }))
  })
}

if (import.meta.main) {
  const root = join(import.meta.dir, '..')
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    options: { fix: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  for (const { path, name } of unusedExports(root)) {
    if (positionals.length > 0 && !positionals.some((part) => path.startsWith(part))) continue
    console.log(`${path}: ${name}`)
    if (!values.fix) continue
    const file = join(root, path)
    const its = new RegExp(String.raw`^export\s+((?:\w+\*?\s+)+${name}\b)`, 'm')
    writeFileSync(file, readFileSync(file, 'utf8').replace(its, '$1'))
  }
}
