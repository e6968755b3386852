/** Builds the web app, and puts it into the program. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { BunPlugin } from 'bun'

const root = join(import.meta.dir, '..')
const folder = join(root, 'dist/web')

/** @returns source of the module that names the app's files. @throws AggregateError what does not build */
export async function buildWeb(): Promise<string> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { outputs } = await Bun.build({
    entrypoints: [join(root, 'src/web/index.html')],
    outdir: folder,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    publicPath: '/app/assets/',
    naming: {
      entry: '[name]-[hash].[ext]',
      chunk: '[name]-[hash].[ext]',
      asset: '[name]-[hash].[ext]',
    },
    define: { 'process.env.NODE_ENV': '"production"' },
    env: 'disable',
  })
  const module = new ModuleText()
  for (const { path } of outputs)
    if (path.endsWith('.html')) module.page = readFileSync(path, 'utf8')
    else module.add(path)
  return module.text()
}

/** Puts the built app in the place of the module that says there is none. */
export const embedWeb = (contents: string): BunPlugin => ({
  name: 'embed-web',
  setup(build) {
    build.onLoad({ filter: /src[\\/]console[\\/]embedded\.ts$/ }, () => ({
      contents,
      loader: 'ts',
    }))
  },
})

/** The module `embedded`, as `src/console/embedded.ts` types it. */
class ModuleText {
  page = ''
  readonly #imports: string[] = []
  readonly #files: string[] = []

  add(path: string): void {
    const bytes = readFileSync(path)
    const name = basename(path)
    // A module is UTF-8 whatever is said of it (HTML, "fetch a single module script"); there are dozens.
    const type = name.endsWith('.js') ? 'text/javascript' : Bun.file(name).type
    const gzip = this.#packed(path, 'gz', gzipSync(bytes, { level: 9 }), bytes)
    const br = this.#packed(path, 'br', brotli(bytes), bytes)
    this.#files.push(
      `{ name: ${JSON.stringify(name)}, type: ${JSON.stringify(type)}, plain: ${this.#import(path)}, gzip: ${gzip}, br: ${br} }`,
    )
  }

  text(): string {
    return `${this.#imports.join('\n')}
;export const embedded = { page: ${JSON.stringify(this.page)}, files: [
${this.#files.join(',\n')}
] }
`
  }

  /** What shrinks by less than a tenth is sent as it is. */
  #packed(path: string, ending: string, packed: Uint8Array, bytes: Uint8Array): string {
    if (packed.length > bytes.length * 0.9) return 'null'
    writeFileSync(`${path}.${ending}`, packed)
    return this.#import(`${path}.${ending}`)
  }

  #import(path: string): string {
    const name = `f${this.#imports.length}`
    this.#imports.push(`import ${name} from ${JSON.stringify(path)} with { type: 'file' }`)
    return name
  }
}

/** The smaller of two ways to write distances (RFC 7932, section 4): neither is best for all files. */
const brotli = (bytes: Uint8Array): Uint8Array =>
  [0, 1]
    .map((postfixBits) =>
      brotliCompressSync(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          [constants.BROTLI_PARAM_NPOSTFIX]: postfixBits,
        },
      }),
    )
    .reduce((least, packed) => (packed.length < least.length ? packed : least))
