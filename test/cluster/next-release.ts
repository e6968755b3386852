import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
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

/** @param step statements of its step of the schema of PostgreSQL */
export function nextRelease(version: string, step: readonly string[]): NextRelease {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-next-'))
  for (const part of ['src', 'drizzle', 'tsconfig.json', 'bunfig.toml'])
    cpSync(join(root, part), join(folder, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'chapar', version }))
  const text = step.join('\n--> statement-breakpoint\n')
  writeFileSync(join(folder, 'drizzle/postgres/9000_next.sql'), text)
  return {
    version,
    command: [process.execPath, join(folder, 'src/main.ts')],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
