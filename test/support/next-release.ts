import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A release after this one: this program of another version, with a step more. */
export interface NextRelease {
  readonly version: string
  /** Words that run it. */
  readonly command: readonly string[]
  remove(): void
}

const root = join(import.meta.dir, '../..')

/** Statements of a step of the schema. */
interface NextSteps {
  readonly postgres?: readonly string[]
  readonly sqlite?: readonly string[]
}

const textOf = (statements: readonly string[]): string =>
  statements.join('\n--> statement-breakpoint\n')

export function nextRelease(version: string, steps: NextSteps): NextRelease {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-next-'))
  for (const part of ['src', 'drizzle', 'tsconfig.json', 'bunfig.toml'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'chapar', version }))
  if (steps.postgres !== undefined)
    writeFileSync(join(folder, 'drizzle/postgres/9000_next.sql'), textOf(steps.postgres))
  if (steps.sqlite !== undefined) addSqliteStep(join(folder, 'drizzle'), steps.sqlite)
  return {
    version,
    command: [process.execPath, join(folder, 'src/main.ts')],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function addSqliteStep(folder: string, statements: readonly string[]): void {
  const file = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: object[] }
  const tag = '9000_next'
  const idx = journal.entries.length
  journal.entries.push({ idx, version: '6', when: 9e15, tag, breakpoints: true })
  writeFileSync(file, JSON.stringify(journal))
  writeFileSync(join(folder, `${tag}.sql`), textOf(statements))
}
