import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../node_modules')

const sources = new Map<string, string>()

/** The types of an official SDK as they are published, without comments. @param path below its package */
function sourceOf(path: string): string {
  let source = sources.get(path)
  if (source === undefined) {
    source = readFileSync(join(root, path), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, '')
    sources.set(path, source)
  }
  return source
}

/**
 * Names of the members of a published type.
 * @param path of its file below `node_modules`
 * @param name of an interface, also of one in a namespace (`ChatCompletionContentPart.File`)
 */
export function sdkMembers(path: string, name: string): readonly string[] {
  let source = sourceOf(path)
  const steps = name.split('.')
  for (const [index, step] of steps.entries()) {
    const kind = index < steps.length - 1 ? 'namespace' : 'interface'
    const head = new RegExp(`(?:export )?(?:declare )?${kind} ${step}\\b[^{]*\\{`).exec(source)
    if (head === null) throw new Error(`${path} has no ${kind} ${step}`)
    source = inBraces(source, head.index + head[0].length)
  }
  const members: string[] = []
  let depth = 0
  for (const line of source.split('\n')) {
    const member = /^\s*(\w+)\??:/.exec(line)?.[1]
    if (depth === 0 && member !== undefined) members.push(member)
    depth += count(line, /[{(]/g) - count(line, /[})]/g)
  }
  return members
}

/** What stands between a brace that was opened and its end. */
function inBraces(source: string, from: number): string {
  let depth = 1
  let at = from
  for (; depth > 0 && at < source.length; at++)
    if (source[at] === '{') depth++
    else if (source[at] === '}') depth--
  return source.slice(from, at - 1)
}

const count = (line: string, sign: RegExp): number => line.match(sign)?.length ?? 0
