import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { systemNoticeId } from '../../src/domain/ids'
import { webhookChannel } from '../../src/business/notices/channels/webhook'
import { sampleNotice } from '../../src/business/notices/sample'
import { temporaryFolder } from '../support/executable'

type Verified = (headers: Headers, body: string, secret: string) => boolean

const readme = readFileSync(join(import.meta.dir, '../../src/guide/en/notices.md'), 'utf8')
const secret = 'shared with the receiver'
let folder: string
let sent: { headers: Headers; body: string }

/** The one block of this language that verifies. */
function block(language: string): string {
  const found = [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))]
    .map(([, code]) => code ?? '')
    .filter((code) => code.includes('verified'))
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

beforeAll(async () => {
  folder = temporaryFolder()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      sent = { headers: request.headers, body: await request.text() }
      return new Response()
    },
  })
  const url = `http://127.0.0.1:${server.port}/`
  const channel = webhookChannel({ url, secret, timeoutMs: 2000, clock: systemClock })
  const sample = sampleNotice(systemNoticeId(), systemClock.now())
  await channel.deliver(sample, new AbortController().signal)
  await server.stop(true)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the TypeScript of the README tells real notices from forged ones', async () => {
  const file = join(folder, 'verified.ts')
  writeFileSync(file, block('ts'))
  const { verified } = (await import(file)) as { verified: Verified }
  const { headers, body } = sent
  const changed = (name: string, value: string) => {
    const copy = new Headers(headers)
    copy.set(name, value)
    return copy
  }
  expect(verified(headers, body, secret)).toBe(true)
  expect(verified(headers, `${body} `, secret)).toBe(false)
  expect(verified(headers, body, 'another secret')).toBe(false)
  expect(verified(changed('webhook-id', 'ntc_0'), body, secret)).toBe(false)
  expect(verified(changed('webhook-timestamp', '1'), body, secret)).toBe(false)
  expect(verified(changed('webhook-signature', 'v1,x'), body, secret)).toBe(false)
})

const python = Bun.which('python3')

test.skipIf(python === null)('and so does its Python', () => {
  const file = join(folder, 'verified.py')
  const ask = `
import json, sys
asked = json.load(sys.stdin)
print([verified(asked["headers"], body.encode(), secret) for body, secret in asked["tries"]])
`
  writeFileSync(file, block('python') + ask)
  const headers = Object.fromEntries(sent.headers)
  const tries = [
    [sent.body, secret],
    [`${sent.body} `, secret],
    [sent.body, 'another secret'],
  ]
  const ran = Bun.spawnSync([python ?? 'python3', file], {
    stdin: new TextEncoder().encode(JSON.stringify({ headers, tries })),
  })
  expect(ran.stdout.toString()).toBe('[True, False, False]\n')
})
