/**
 * Runs tests by `bun test`, in one process or two, and ends with what failed and one plain line of how many
 * passed and failed.
 *
 *     bun scripts/run-tests.ts [WORD …] [OPTION of `bun test` …]
 */
import { sep } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

/**
 * Folders whose files may run two at a time: they drive other programs, or reckon, and end by progress. What
 * measures pauses, or kills programs under load that must serve on, stays alone on the machine.
 */
const sharing = new Set([
  'admin',
  'api',
  'bills',
  'browser',
  'catalogue',
  'cli',
  'clients',
  'coding-clis',
  'console',
  'decoder',
  'domain',
  'endpoints',
  'errors',
  'executable',
  'formats',
  'guide',
  'identity',
  'json',
  'ledger',
  'matrix',
  'media',
  'members',
  'metering',
  'money',
  'notices',
  'operators',
  'payments',
  'people',
  'pricing',
  'settings',
  'sms',
  'trail',
  'vendors',
  'verification',
  'web',
])

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface Ran extends Counts {
  /** Output of each failure, its file first: thousands of lines later nobody finds it again. */
  readonly failures: readonly string[]
}

const none: Ran = { passed: 0, failed: 0, skipped: 0, failures: [] }

/** Escape sequences that terminals take for colours. */
const colour = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
/** Lines of output in which a summary is looked for: it comes last. */
const summaryLines = 200
/** Lines kept of what was printed before a test failed. */
const toldLines = 60

/** Picks the failures out of the output of `bun test` as it comes, and keeps its last lines. */
class Output {
  readonly failures: string[] = []
  readonly #last: string[] = []
  /** Since the last test ended. */
  #told: string[] = []
  #file = ''
  /** At the end the failures are named once more. */
  #isEnding = false

  add(line: string): void {
    const plain = line.replaceAll(colour, '')
    this.#last.push(plain)
    if (this.#last.length > summaryLines) this.#last.shift()
    const file = /^(\S+\.test\.ts):$/.exec(plain)?.[1]
    if (/^\d+ tests? failed:$/.test(plain)) this.#isEnding = true
    if (this.#isEnding) return
    if (file !== undefined) this.#file = file
    else if (plain.startsWith('(fail) '))
      this.failures.push([`${this.#file}:`, ...this.#told.slice(-toldLines), plain].join('\n'))
    else if (!/^\((pass|skip|todo)\) /.test(plain)) {
      this.#told.push(plain)
      return
    }
    this.#told = []
  }

  get summary(): string {
    return this.#last.join('\n')
  }
}

/** Runs files to their end. A process that crashed leaves no summary, and counts as a failure. */
async function runFiles(files: readonly string[], options: readonly string[]): Promise<Ran> {
  if (files.length === 0) return none
  const paths = files.map((file) => `./test/${file}`)
  const run = Bun.spawn([process.execPath, 'test', ...options, ...paths], {
    env: process.env,
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const output = new Output()
  for await (const line of createInterface({ input: Readable.fromWeb(run.stderr) })) {
    process.stderr.write(`${line}\n`)
    output.add(line)
  }
  const code = await run.exited
  const { summary } = output
  const count = (word: string): number =>
    Number(new RegExp(`^\\s*(\\d+) ${word}s?$`, 'm').exec(summary)?.[1] ?? 0)
  // A name that no test of these files has: others may have one.
  if (/^error: regex .* matched 0 tests/m.test(summary)) return none
  const failed = count('fail')
  const crashed = code !== 0 && failed === 0
  return {
    passed: count('pass'),
    failed: crashed ? 1 : failed,
    skipped: count('skip') + count('todo'),
    failures: crashed ? [...output.failures, `ended with ${code}:\n${summary}`] : output.failures,
  }
}

const args = process.argv.slice(2)
const firstOption = args.findIndex((arg) => arg.startsWith('-'))
const words = (firstOption < 0 ? args : args.slice(0, firstOption)).map((word) =>
  word.replace(/^\.\//, ''),
)
const options = firstOption < 0 ? [] : args.slice(firstOption)

/** Ends with the line that others read. */
function end({ passed, failed, skipped }: Counts): never {
  console.log(`${passed} passed, ${failed} failed` + (skipped > 0 ? `, ${skipped} skipped` : ''))
  process.exit(failed > 0 ? 1 : 0)
}

const all = [...new Bun.Glob('**/*.test.ts').scanSync('test')]
  .filter((file) => !file.split(sep).includes('node_modules'))
  .toSorted()
const chosen = all.filter(
  (file) => words.length === 0 || words.some((word) => `test/${file}`.includes(word)),
)
if (chosen.length === 0) {
  console.log(`no test file has this in its path: ${words.join(' ')}`)
  end({ ...none, failed: 1 })
}

/** Pauses of the event loop mean something on a quiet machine alone. */
const measuresPauses = (file: string): boolean => file.endsWith('pauses.test.ts')
const mayShare = (file: string): boolean =>
  sharing.has(file.split(sep)[0] ?? '') && !measuresPauses(file)
const alone = chosen.filter((file) => !mayShare(file))
const beside = chosen.filter(mayShare)
const inTwo = beside.length > 1 ? ['--parallel=2', '--no-isolate'] : []
const first = await runFiles(alone, options)
const second = await runFiles(beside, [...inTwo, ...options])
const passed = first.passed + second.passed
const skipped = first.skipped + second.skipped
const failed = first.failed + second.failed
for (const failure of [...first.failures, ...second.failures]) console.log(`\n${failure}`)
// No test at all is no success.
end({ passed, skipped, failed: passed + skipped + failed === 0 ? 1 : failed })
