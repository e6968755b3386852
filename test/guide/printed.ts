import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')

/** A block of code as a page prints it. */
export interface PrintedBlock {
  readonly file: string
  readonly language: 'sh' | 'python' | 'js'
  readonly text: string
}

const files = [
  'README.md',
  ...['src/guide/en', 'src/guide/fa'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .sort()
      .map((name) => `${folder}/${name}`),
  ),
]

const isRun = (language: string): language is PrintedBlock['language'] =>
  language === 'sh' || language === 'python' || language === 'js'

/** Pages with code that can be run, each with its blocks in order. */
export const printedPages: readonly (readonly [string, readonly PrintedBlock[]])[] = files
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const blocks = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].flatMap(
      ([, language = '', code = '']): readonly PrintedBlock[] =>
        isRun(language) ? [{ file, language, text: code }] : [],
    )
    return [file, blocks] as const
  })
  .filter(([, blocks]) => blocks.length > 0)

/** Commands that are not run as they are printed, and why; a pattern is of a whole command. */
export const notRun: readonly (readonly [RegExp, string])[] = [
  [/^\.\/scripts\//, 'the suite itself is started by them, or starts them elsewhere'],
  [/^chapar quickstart/, 'it serves until it is stopped: test/cli/quickstart.test.ts'],
  [
    /^(?:CHAPAR_METRICS_TOKEN=\S+ \S+ \S+ \S+ )?chapar serve (?!--ephemeral)|^CHAPAR_METRICS_TOKEN/,
    'it serves until it is stopped: test/executable',
  ],
  [
    /^(?:claude|codex|aider|echo \S+ \| codex) /,
    'the coding CLIs have tests of their own: test/coding-clis, test/conversations',
  ],
  [/^(?:useradd|systemctl|journalctl|sudo|install|cp) /, 'it takes root'],
  [/^17 3 \* \* \*/, 'a line of cron'],
  [
    /^chapar secret rotate --finish/,
    'it revokes keys that other pages use: test/executable/key-rotation.test.ts',
  ],
  [/^chapar bill check/, 'it takes a bill: test/guide/bills.test.ts'],
  [/^chapar (?:prices|price rules|profit)/, 'it takes public prices: test/guide/prices.test.ts'],
  [
    /^chapar verification (?:show|approve|reject)/,
    'it takes a form: test/console/verification.test.ts',
  ],
  [
    /^(?:printf .*\| )?chapar gateway/,
    'it takes a gateway of somebody else: test/cli/money-in.test.ts',
  ],
  [
    /^chapar (?:migrate|backup --database|restore --force --data)/,
    'it takes a server of PostgreSQL: test/storage/postgres/move.test.ts',
  ],
  [/^chapar payments (?:show|settle)/, 'it takes a payment by card: test/cli/money-in.test.ts'],
  [/^chapar (?:mail|verification (?:set|unset))/, 'it takes a server of somebody else'],
  [/^curl .*\/audio\/speech|^chapar vendor add --name eleven/, 'it takes a key of a vendor'],
]

/** Whole commands of a block of shell: what a backslash goes on with is one. */
export const commandsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
