/**
 * Writes the part of THIRD_PARTY_NOTICES that names what the executable contains.
 *
 *     bun scripts/notices.ts [--check]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json'

const root = join(import.meta.dir, '..')
const file = join(root, 'THIRD_PARTY_NOTICES')
const mark = '==== Packages in the executable ====\n'
const permissive = /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense)/

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
}

const manifestOf = (name: string): Manifest | null => {
  const path = join(root, 'node_modules', name, 'package.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : null
}

/** What runs: our dependencies and theirs. */
function reach(): readonly Manifest[] {
  const found = new Map<string, Manifest>()
  const visit = (name: string) => {
    const manifest = found.has(name) ? null : manifestOf(name)
    if (manifest === null) return
    found.set(name, manifest)
    Object.keys(manifest.dependencies ?? {}).forEach(visit)
  }
  Object.keys(packageJson.dependencies).forEach(visit)
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

function textOf({ name, version, license }: Manifest): string {
  if (!permissive.test(license ?? ''))
    throw new RangeError(`${name} has no permissive licence: ${license ?? 'none'}`)
  const folder = join(root, 'node_modules', name)
  const licence = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
  const text =
    licence === undefined
      ? ''
      : readFileSync(join(folder, licence), 'utf8').replaceAll('\r\n', '\n').trim()
  return `---- ${name} ${version} (${license}) ----\n\n${text}\n`
}

const bun = `---- Bun ${packageJson.devDependencies.bun} (MIT; contains JavaScriptCore, LGPL-2.1, and SQLite, public domain) ----\n`
const current = existsSync(file) ? readFileSync(file, 'utf8') : mark
const head = current.slice(0, current.indexOf(mark))
const wanted = `${head}${mark}\n${bun}\n${reach().map(textOf).join('\n')}`
if (!process.argv.includes('--check')) await Bun.write(file, wanted)
else if (wanted !== current) {
  console.error('THIRD_PARTY_NOTICES is out of date: run `bun scripts/notices.ts`')
  process.exitCode = 1
}
