/**
 * Runs tests by `bun test`, in one process or two, and ends with what failed and one plain line of how many
 * passed and failed.
 *
 *     bun scripts/run-tests.ts [WORD …] [OPTION of `bun test` …]
 */
import { sep } from 'node:path'
import { isLong } from '../test/support/campaigns'
import { measureSlowness } from './machine-pace'
import { TestOutput } from './test-output'

/**
 * Folders that wait for clocks, databases and connections more than they reckon, and bound how long: their files run
 * together, but not beside a browser.
 */
const waiting = new Set([
  'call',
  'cluster',
  'http',
  'limits',
  'net',
  'observability',
  'outbound',
  'storage',
  'support',
])

/** Pauses of the event loop mean something on a quiet machine alone. */
const measuresPauses = (file: string): boolean => file.endsWith('pauses.test.ts')

/** Files that may run beside one: none, those that wait, or any. */
type Company = 'none' | 'waiting' | 'any'

function companyOf(file: string): Company {
  const folder = file.split(sep)[0] ?? ''
  if (measuresPauses(file)) return 'none'
  return waiting.has(folder) ? 'waiting' : 'any'
}

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

const slowness = await measureSlowness()
const isSlow = slowness >= 2
/**
 * A machine with one core, or with other work, runs one file at a time. Two files that mostly wait leave a core of two
 * idle.
 */
const filesAtOnce = {
  none: 1,
  waiting: isSlow ? 1 : 3,
  any: isSlow ? 1 : 2,
} as const satisfies Record<Company, number>
/** Ends a test that hangs; others end by what they do, campaigns with all their rounds after an hour at most. */
const hungMs = isLong ? 3_600_000 : 180_000
const maxTestMs = Math.ceil(hungMs * slowness)

/** Runs files to their end. A process that crashed leaves no summary, and counts as a failure. */
async function runFiles(files: readonly string[], options: readonly string[]): Promise<Ran> {
  if (files.length === 0) return none
  const paths = files.map((file) => `./test/${file}`)
  const limit = `--timeout=${maxTestMs}`
  const run = Bun.spawn([process.execPath, 'test', limit, ...options, ...paths], {
    env: { ...process.env, CHAPAR_TEST_SLOWNESS: String(slowness) },
    stdout: 'inherit',
    stderr: 'pipe',
  })
  const output = new TestOutput()
  await output.read(run.stderr, (line) => process.stderr.write(`${line}\n`))
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

console.log(
  `this machine takes ${slowness} times as long as two idle cores: ${filesAtOnce.any} files at a time`,
)
const total = { ...none, failures: [] as string[] }
for (const company of ['none', 'waiting', 'any'] as const) {
  const files = chosen.filter((file) => companyOf(file) === company)
  const atOnce = filesAtOnce[company]
  const together =
    company !== 'none' && files.length > 1 ? [`--parallel=${atOnce}`, '--no-isolate'] : []
  const ran = await runFiles(files, [...together, ...options])
  total.passed += ran.passed
  total.failed += ran.failed
  total.skipped += ran.skipped
  total.failures.push(...ran.failures)
}
for (const failure of total.failures) console.log(`\n${failure}`)
// No test at all is no success.
const { passed, failed, skipped } = total
end({ passed, skipped, failed: passed + skipped + failed === 0 ? 1 : failed })
