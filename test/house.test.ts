import { describe, expect, test } from 'bun:test'
import { Glob } from 'bun'
import { dirname, join, relative } from 'node:path'

/** Each room and the rooms it may lean on; what is no room stands at the top. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  errors: ['domain'],
  observability: ['domain'],
  formats: ['domain', 'errors'],
  metering: ['domain', 'formats'],
  vendors: ['domain', 'errors', 'formats'],
  limits: ['domain', 'errors'],
  identity: ['domain', 'errors'],
  ledger: ['domain', 'errors', 'metering'],
  catalogue: ['domain', 'errors', 'metering'],
  http: ['domain', 'errors', 'limits'],
  call: [
    'domain',
    'errors',
    'formats',
    'metering',
    'vendors',
    'limits',
    'identity',
    'ledger',
    'catalogue',
    'http',
  ],
  routes: [
    'call',
    'formats',
    'http',
    'catalogue',
    'metering',
    'limits',
    'identity',
    'ledger',
    'observability',
    'domain',
    'errors',
  ],
  storage: ['ledger', 'identity', 'catalogue', 'domain', 'errors', 'metering'],
}

/** Who may do what the others may not. */
const doors: readonly (readonly [string, RegExp, RegExp])[] = [
  [
    'speaks to other servers',
    /(?<![.\w])fetch\(/,
    /^(?:call\/send|commands\/(?:ask|chat-client))\.ts$/,
  ],
  ['knows SQL', /from '(?:drizzle-orm|bun:sqlite)/, /^storage\//],
  ['knows the HTTP framework', /from 'elysia/, /^server\.ts$/],
  ['asks the machine for the time', /\bDate\.now\(|Math\.random\(/, /^domain\/clock\.ts$/],
  ['writes to the terminal', /\bconsole\.|process\.std(?:out|err)/, /^commands\/output\.ts$/],
]

const root = join(import.meta.dir, '../src')
const files = [...new Glob('**/*.ts').scanSync(root)].sort()
const roomOf = (file: string): string | null =>
  file.includes('/') ? (file.split('/')[0] ?? null) : null
const texts = new Map<string, string>()
const imports = new Map<string, readonly string[]>()
for (const file of files) {
  const text = await Bun.file(join(root, file)).text()
  texts.set(file, text)
  const found = text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)
  imports.set(
    file,
    [...found].map(([, path]) => {
      const to = relative(root, join(root, dirname(file), path ?? ''))
      return files.includes(`${to}.ts`)
        ? `${to}.ts`
        : files.includes(`${to}/index.ts`)
          ? `${to}/index.ts`
          : to
    }),
  )
}

describe('the house', () => {
  test('every import runs downwards', () => {
    const wrong = files.flatMap((file) => {
      const room = roomOf(file)
      const allowed = room === null ? undefined : mayImport[room]
      if (allowed === undefined) return []
      return (imports.get(file) ?? [])
        .filter((to) => roomOf(to) !== room && !allowed.includes(roomOf(to) ?? ''))
        .map((to) => `${file} -> ${to}`)
    })
    expect(wrong).toEqual([])
  })

  test('no file leads back to itself', () => {
    const state = new Map<string, 'open' | 'done'>()
    const circles: string[] = []
    const walk = (file: string, path: readonly string[]) => {
      if (state.get(file) === 'open') circles.push([...path, file].join(' -> '))
      if (state.has(file)) return
      state.set(file, 'open')
      for (const to of imports.get(file) ?? []) walk(to, [...path, file])
      state.set(file, 'done')
    }
    for (const file of files) walk(file, [])
    expect(circles).toEqual([])
  })

  test('every file is needed by another', () => {
    const used = new Set([...imports.values()].flat())
    expect(
      files.filter((file) => !used.has(file) && file !== 'main.ts' && !file.endsWith('.d.ts')),
    ).toEqual([])
  })

  test('no file outgrows its name, and none is named after nothing', () => {
    const long = files.filter((file) => (texts.get(file) ?? '').split('\n').length > 300)
    const vague = files.filter((file) =>
      /\b(?:utils?|helpers?|common|manager|service|misc)\b/.test(file),
    )
    expect({ long, vague }).toEqual({ long: [], vague: [] })
  })

  test.each(doors)('only its own door %s', (_, pattern, allowed) => {
    const through = files.filter((file) => pattern.test(texts.get(file) ?? ''))
    expect(through.filter((file) => !allowed.test(file))).toEqual([])
    expect(through.length).toBeGreaterThan(0)
  })
})
