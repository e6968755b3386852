import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dir, '../../node_modules')

const declarations = (file: string): string =>
  readFileSync(join(modules, file.replace(/(?:\.d\.ts)?$/, '.d.ts')), 'utf8')

/** Names of the members of an interface that a client declares. */
export function membersOf(file: string, declared: string): readonly string[] {
  const found = interfaceAt(declarations(file), declared)
  if (found === null) throw new Error(`${file} declares no ${declared}`)
  // Comments are indented with an asterisk, members of members deeper.
  const indent = /^ */.exec(found)?.[0].length ?? 0
  const member = new RegExp(`^ {${indent + 4}}(\\w+)\\??:`, 'gm')
  return [...found.matchAll(member)].map(([, name = '']) => name)
}

/** Values of `type` in the interfaces of a union that a client declares. */
export function typesOf(file: string, union: string): readonly string[] {
  const text = declarations(file)
  const [, list] = new RegExp(`^export type ${union} = ([^;]+);`, 'm').exec(text) ?? []
  if (list === undefined) throw new Error(`${file} declares no ${union}`)
  const types = list.split(' | ').flatMap((name) => {
    const plain = name.slice(name.lastIndexOf('.') + 1)
    const found = interfaceAt(text, plain)
    if (found === null) throw new Error(`${file} declares no ${name}`)
    const [, values = ''] = /^\s+type\??: ([^;{]+);/m.exec(found) ?? []
    return [...values.matchAll(/'([^']+)'/g)].map(([, type = '']) => type)
  })
  return [...new Set(types)].sort()
}

function interfaceAt(text: string, name: string): string | null {
  const [found] =
    new RegExp(
      `^( *)(?:export )?interface ${name}(?:<[^{]*>)?(?: extends [^{]+)? \\{\\n[^]*?\\n\\1\\}`,
      'm',
    ).exec(text) ?? []
  return found ?? null
}
