import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TestOutput } from '../scripts/test-output'
import { temporaryFolder } from './support/executable'

const folder = temporaryFolder()
const files = {
  'plain/sums.test.ts': `test('adds', () => expect(1 + 1).toBe(2))
    test.skip('rests', () => {})`,
  'browser/good.test.ts': "test('loads', () => {})",
  'browser/wrong.test.ts': "test('differs', () => expect(1).toBe(2))",
  'browser/gone.test.ts': "test('dies', () => process.kill(process.pid, 'SIGKILL'))",
  'tools/node_modules/other/theirs.test.ts': "test('is not ours', () => expect(1).toBe(2))",
}

beforeAll(() => {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'test', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `import { expect, test } from 'bun:test'\n${text}\n`)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What is printed besides the output of `bun test`, and the exit code. */
async function runTests(...args: readonly string[]) {
  const script = join(import.meta.dir, '../scripts/run-tests.ts')
  const child = Bun.spawn([process.execPath, script, ...args], {
    cwd: folder,
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const [stdout, code] = await Promise.all([new Response(child.stdout).text(), child.exited])
  const lines = stdout.trimEnd().split('\n')
  return { code, output: stdout, lines: lines.slice(-2), last: lines.at(-1) }
}

describe('the run of all tests', () => {
  test('sums up what ran in one process and in two, a crash as a failure', async () => {
    expect(await runTests()).toMatchObject({ code: 1, last: '2 passed, 2 failed, 1 skipped' })
  })

  test('shows what failed once more, beside its file', async () => {
    const { output } = await runTests('plain', 'browser/good', 'browser/wrong')
    expect(output).toMatch(/\ntest\/browser\/wrong\.test\.ts:\n/)
    expect(output).toContain('(fail) differs')
    expect(output).toContain('Expected: 2\n')
    expect(output).not.toContain('loads')
  })

  test.each([
    ['before it', ['error: one', 'Expected: 2', '(fail) differs']],
    ['behind it', ['(fail) differs', 'error: one', 'Expected: 2']],
    ['behind another result', ['(fail) differs', '(pass) loads', 'error: one', 'Expected: 2']],
  ])('finds the cause of a failure %s', (_, lines) => {
    const output = new TestOutput()
    for (const line of ['a.test.ts:', ...lines, '(pass) other', 'noise']) output.add(line)
    expect(output.failures).toHaveLength(1)
    expect(output.failures[0]).toStartWith('a.test.ts:\n')
    expect(output.failures[0]).toContain('Expected: 2')
    expect(output.failures[0]).not.toContain('noise')
  })

  test('ends well where all is well', async () => {
    expect(await runTests('plain', 'browser/good')).toMatchObject({
      code: 0,
      last: '2 passed, 0 failed, 1 skipped',
    })
  })

  test('takes a name that only some of the files have', async () => {
    const named = await runTests('plain', 'browser/good', '-t', 'loads')
    expect(named).toMatchObject({ code: 0, last: '1 passed, 0 failed' })
    expect((await runTests('plain', '-t', 'nowhere')).code).toBe(1)
  })

  test('says that no file has a word in its path', async () => {
    expect(await runTests('theirs')).toMatchObject({
      code: 1,
      lines: ['no test file has this in its path: theirs', '0 passed, 1 failed'],
    })
  })
})
