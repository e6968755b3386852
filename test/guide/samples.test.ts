import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from '../../src/storage/sqlite/connect'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { openStandIn, replies, usage, type StandIn } from '../support/stand-in'
import { commandsOf, notRun, printedPages, type PrintedBlock } from './printed'

const root = join(import.meta.dir, '../..')
const venv = join(root, 'test/tools/.venv/bin/python')
const python = existsSync(venv) ? venv : null

/** A folder that somebody follows the pages in, beside a gateway that serves. */
const folder = temporaryFolder()
const data = join(folder, 'data')
const bin = join(folder, 'bin')
const variables = join(folder, 'variables')

let serving: Serving
let vendor: StandIn
let key = ''
let request = ''

beforeAll(async () => {
  vendor = openStandIn((seen, asked) =>
    seen.method === 'GET'
      ? Response.json({ object: 'list', data: [{ id: 'gpt-5' }] })
      : replies('hello', { ...usage, prompt_tokens: 16_000, total_tokens: 16_050 })(seen, asked),
  )
  mkdirSync(bin)
  key = await setUp(data, vendor.url)
  addPerson()
  // Account 7, which the page on verification closes.
  for (let id = 2; id <= 7; id++) await chapar('account', 'create', '--name', 'Sara')
  for (const [name, dialect] of vendorsAtHand)
    await chapar(
      ...`vendor add --name ${name} --kind openai --dialect ${dialect}`.split(' '),
      ...atStandIn(),
    )
  await chapar(...'vendor add --name eleven --kind elevenlabs'.split(' '), ...atStandIn())
  serving = await serve(['--data', data])
  request = await charged()
  writePrograms()
  for (const [name, text] of Object.entries(filesAtHand)) writeFileSync(join(folder, name), text)
  await chapar('backup', join(folder, '2026-11-22.backup'))
})

afterAll(async () => {
  serving.kill('SIGTERM')
  await serving.exited
  await vendor.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Vendors that pages add models of, or whose models they name. */
const vendorsAtHand = [
  ['main', 'openai'],
  ['alibaba', 'alibaba'],
  ['xai', 'xai'],
] as const

const atStandIn = () => ['--base-url', vendor.url, '--api-key', 'sk-vendor', '--no-test']

async function chapar(...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await run(args, { data })
  expect({ args, code, stdout, stderr }).toMatchObject({ code: 0 })
}

const filesAtHand = {
  'new.key': 'sk-new-key-of-the-vendor\n',
  'second.key': 'sk-second-key-of-the-vendor\n',
  'another.key': 'sk-another-key-of-the-vendor\n',
  key: 'a-key-of-the-sms-provider\n',
}

/** Person 7, whom the page on sign-in speaks of. */
function addPerson(): void {
  const { raw } = connect(join(data, 'chapar.db'))
  raw.run(`INSERT INTO people (id, phone, created) VALUES (7, '+989123456789', 0)`)
  raw.close(true)
}

/** A call that cost more than the page on payments gives back. @returns its id */
async function charged(): Promise<string> {
  const response = await fetch(`${serving.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'priced',
      messages: [{ role: 'user', content: 'hello '.repeat(16_000) }],
    }),
  })
  await response.text()
  expect(Number(response.headers.get('x-cost-usd'))).toBeGreaterThan(0.02)
  return response.headers.get('x-request-id') ?? ''
}

/** `chapar`, and `npm test` as somebody's own tests: they need what the gateway told. */
function writePrograms(): void {
  const program = process.env['CHAPAR_EXECUTABLE'] ?? `${process.execPath} ${root}/src/main.ts`
  for (const [name, text] of [
    ['chapar', `exec ${program} "$@"`],
    ['npm', 'curl -sf "$OPENAI_BASE_URL/me" -H "authorization: Bearer $OPENAI_API_KEY"'],
    ['openssl', 'echo a-secret-of-the-sister-that-is-long-enough-for-it'],
  ] as const) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** What stands in pages for what everybody has of their own. */
const filledIn = (text: string): string =>
  [
    ['https://ai.example.com/v1', serving.url],
    ['http://127.0.0.1:8080/v1', serving.url],
    ['https://ai.example.com', new URL(serving.url).origin],
    ['https://api.openai.com/v1', vendor.url],
    ['/var/lib/chapar', data],
    ['/tmp/try', join(folder, 'tried')],
    ['sk-chapar-v1-…', key],
    ['sk-…', key],
    ['req_…', request],
    ['MODEL', 'sandbox/echo'],
  ].reduce((all, [printed = '', own = '']) => all.replaceAll(printed, own), text)

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs in the shell of the page: what a block exports, the next ones have. */
async function inShell(script: string): Promise<Ran> {
  const child = Bun.spawn(['bash', '-euc', `. ${variables}\n${script}\nexport -p > ${variables}`], {
    cwd: folder,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      HOME: folder,
      CHAPAR_DATA: data,
      CHAPAR_DETECT: '0',
      CHAPAR_LOG: 'warn',
    },
    stdin: new TextEncoder().encode('sk-key-of-the-vendor\n'),
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: 30_000,
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

const left: string[] = []

/** Commands of a block that are run here. */
function runnable(block: PrintedBlock): readonly string[] {
  return commandsOf(block.text).filter((command) => {
    const isLeft = notRun.some(([form]) => form.test(command))
    if (isLeft) left.push(command)
    return !isLeft
  })
}

async function follow({ language, text }: PrintedBlock): Promise<Ran | null> {
  const code = filledIn(text)
  if (language === 'python') {
    if (python === null) return null
    writeFileSync(join(folder, 'sample.py'), code)
    return await inShell(`${python} sample.py`)
  }
  writeFileSync(join(folder, 'sample.mjs'), code)
  return await inShell(`${process.execPath} sample.mjs`)
}

/** Programs that go on, or of which only parts are shown, have tests of their own. */
const ownTests: ReadonlySet<string> = new Set([
  'src/guide/en/sign-in.md js',
  'src/guide/en/sign-in.md python',
  'src/guide/en/notices.md python',
  'src/guide/en/realtime.md js',
])

describe.each(printedPages)('%s', (file, blocks) => {
  test('does as it is printed', async () => {
    writeFileSync(variables, '')
    for (const block of blocks) {
      // A reader adds it once, wherever they begin.
      if (block.text.includes('vendor add --name openai'))
        await run(['vendor', 'remove', 'openai'], { data })
      if (block.language === 'sh') {
        const commands = runnable(block)
        if (commands.length === 0) continue
        const { code, stdout, stderr } = await inShell(filledIn(commands.join('\n')))
        expect({ commands, code, stdout, stderr }).toMatchObject({ code: 0 })
        // What curl brings is an answer, not an error.
        expect(stdout).not.toContain('"error":{')
      } else if (!ownTests.has(`${file} ${block.language}`)) {
        const ran = await follow(block)
        if (ran === null) continue
        expect(ran).toMatchObject({ code: 0, stderr: '' })
        expect(ran.stdout).toMatch(/hello|سلام|choices/)
      }
    }
  })
})

test('few commands are not run as they are printed, and none is excused for nothing', () => {
  for (const [form, why] of notRun)
    expect({ why, is: left.some((command) => form.test(command)) }).toEqual({ why, is: true })
  const vendors = left.filter((command) => command.startsWith('curl '))
  expect(vendors).toHaveLength(1)
})
