import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run, temporaryFolder } from '../support/executable'

const secret = 'a secret of thirty-two characters or more'
const url = 'https://ai.example.ir'
const env = { CHAPAR_URL: url }
const guide = readFileSync(join(import.meta.dir, '../../src/guide/en/sign-in.md'), 'utf8')

let data = ''
beforeAll(async () => {
  data = temporaryFolder()
  await run(['account', 'create', '--name', 'shop'], { data })
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

const sister = (words: readonly string[], stdin = '', more: Record<string, string> = env) =>
  run(['sister', ...words], { data, stdin, env: more })
const set = ['set', '--sign-in-url', 'https://barid.example/chapar']

/** A ticket as the guide's Python makes it. */
async function pythonTicket(signedWith: string): Promise<string> {
  const [, sample = ''] = /```python\n([\s\S]*?)```/.exec(guide) ?? []
  const file = join(data, 'ticket.py')
  const call = `print(ticket_for("09123456789", "nonce", "${url}", "${signedWith}"))`
  writeFileSync(file, `${sample}\n${call}\n`)
  const child = Bun.spawn(['python3', file], { stdout: 'pipe' })
  return (await new Response(child.stdout).text()).trim()
}

test('is set up with its secret by stdin, shown without it, and removed', async () => {
  const missing = await sister(['show'])
  expect([missing.code, missing.stderr]).toEqual([
    1,
    'chapar: no sister service is set up; see chapar sister set --help\n',
  ])
  expect((await sister([...set, '--secret-stdin'], 'short\n')).stderr).toContain(
    'fewer than 32 characters',
  )
  const made = await sister([...set, '--name', 'Barid', '--secret-stdin'], `${secret}\n`)
  expect(made.stdout).toBe(
    [
      'Barid: https://barid.example/chapar',
      'secret: •••',
      `audience of its tickets: ${url}`,
      `where it sends browsers back: ${url}/app/sister#ticket=…`,
      '',
    ].join('\n'),
  )
  const moved = await sister(['set', '--sign-in-url', 'https://barid.example/in', '--json'])
  expect(moved.json<object>()).toMatchObject({
    object: 'sister_service',
    name: 'Barid',
    sign_in_url: 'https://barid.example/in',
    secret: '•••',
    audience: url,
    return_to: `${url}/app/sister`,
  })
  expect((await sister(['show'], '', { CHAPAR_URL: '' })).stderr).toContain('CHAPAR_URL is not set')
  const trail = await run(['trail', 'list', '--json'], { data })
  expect(trail.stdout).toContain('sister.set')
  expect(trail.stdout).not.toContain(secret)
  expect((await sister(['remove'])).code).toBe(0)
  expect((await sister(['remove'])).code).toBe(1)
})

test('says which rule a ticket breaks; the guide’s Python breaks none', async () => {
  await sister([...set, '--secret-stdin'], secret)
  const good = await sister(['check'], await pythonTicket(secret))
  expect(good.stderr).toBe('')
  expect(good.stdout).toContain('✓ signs in 0912 ··· 6789')
  const wrong = await sister(['check'], await pythonTicket(`${secret}!`))
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    'chapar: signed with another secret, or changed since\n',
  ])
  expect((await sister(['check'], 'x')).stderr).toContain('not a JSON Web Token')
})
