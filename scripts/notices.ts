/**
 * Writes the part of THIRD_PARTY_NOTICES that names what the executable contains.
 *
 *     bun scripts/notices.ts [--check]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../package.json'
import { noticeHead, noticesFile as file, packagesMark as mark } from './notices-list'

const root = join(import.meta.dir, '..')
const permissive =
  /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|Unlicense|OFL-1\.1)/

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

/** Bundles in the executable besides the runtime: the program, and the web app for browsers. */
const bundles = [
  { entrypoint: 'src/main.ts', target: 'bun' },
  { entrypoint: 'src/web/index.html', target: 'browser' },
] as const
/** Of these no code is in a bundle, but a file. */
const filesOf = ['@fontsource-variable/vazirmatn']

/** Folders of the packages of which a bundle holds code, whoever asked for them. */
async function bundled(): Promise<readonly string[]> {
  const folders = new Set<string>(filesOf.map((name) => join(root, 'node_modules', name)))
  for (const { entrypoint, target } of bundles) {
    const { outputs } = await Bun.build({
      entrypoints: [join(root, entrypoint)],
      target,
      minify: true,
      sourcemap: 'external',
      define: { 'process.env.NODE_ENV': '"production"' },
    })
    const found = folders.size
    for (const output of outputs) {
      if (output.kind !== 'sourcemap') continue
      const { sources } = JSON.parse(await output.text()) as { readonly sources: readonly string[] }
      for (const source of sources) {
        const folder = /(?:^|\/)(node_modules\/.*)$/.exec(source)?.[1]
        const named = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(folder ?? '')
        if (named !== null) folders.add(join(root, named[0]))
      }
    }
    if (folders.size === found)
      throw new Error(`${entrypoint} holds no package: the search is broken`)
  }
  return [...folders]
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

function licenceIn(folder: string): string | null {
  const name = readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)/i.test(each))
  if (name === undefined) return null
  return readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()
}

function noticeOf(folder: string): { readonly name: string; readonly text: string } {
  const { name, version, license, author } = manifestOf(folder)
  if (!permissive.test(license ?? ''))
    throw new RangeError(`${name} has no permissive licence: ${license ?? 'none'}`)
  const by = typeof author === 'string' ? author : author?.name
  const text = licenceIn(folder) ?? (by === undefined ? null : `Copyright ${by}`)
  if (text === null) throw new RangeError(`${name} tells neither its licence nor its author`)
  return { name, text: `${noticeHead({ name, version, licence: license ?? '' })}\n\n${text}\n` }
}

/** The runtime, and the libraries that it tells to be linked into it. */
function bunNotice(): string {
  const version = packageJson.devDependencies.bun
  const linked = readFileSync(join(root, 'node_modules/bun-types/docs/project/license.mdx'), 'utf8')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/ +\|/g, ' |')
    .replaceAll(/\| *-+ *(?=\|)/g, '| --- ')
    .trim()
  const licence = 'MIT, with parts under other licences'
  return `${noticeHead({ name: 'Bun', version, licence })}\n\n${linked}\n`
}

const folders = await bundled()
const notices = folders.map(noticeOf).sort((a, b) => (a.name < b.name ? -1 : 1))
const current = existsSync(file) ? readFileSync(file, 'utf8') : mark
const head = current.slice(0, current.indexOf(mark))
const wanted = `${head}${mark}\n${bunNotice()}\n${notices.map(({ text }) => text).join('\n')}`
if (!process.argv.includes('--check')) await Bun.write(file, wanted)
else if (wanted !== current) {
  console.error('THIRD_PARTY_NOTICES is out of date: run `bun scripts/notices.ts`')
  process.exitCode = 1
}
