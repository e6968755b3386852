import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type Server } from 'node:tls'
import type { AddressInfo } from 'node:net'
import { openConversing, turnNanos, type Conversing } from '../endpoints/realtime/conversation'
import { nanos, settled } from '../endpoints/realtime/desk'
import { certificate, certificateKey } from '../support/certificate'
import { answers } from '../support/realtime-stand-in'
import type { Talk } from './realtime-talk'

const root = join(import.meta.dir, '../..')
let it: Conversing
/** The official client speaks to nobody without TLS. */
let front: Server
let baseUrl: string
let folder: string
let program: string
beforeAll(async () => {
  it = await openConversing()
  it.vendor.play((socket, event) => {
    if (event['type'] === 'session.update') socket.send({ type: 'session.updated', session: {} })
    answers(socket, event)
  })
  const { port } = new URL(it.chapar.url)
  front = createServer({ cert: certificate, key: certificateKey }, (socket) => {
    const behind = connect(Number(port), '127.0.0.1')
    socket.on('error', () => behind.destroy())
    behind.on('error', () => socket.destroy())
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  baseUrl = `https://localhost:${(front.address() as AddressInfo).port}/v1`
  folder = mkdtempSync(join(tmpdir(), 'chapar-talk-'))
  writeFileSync(join(folder, 'ca.pem'), certificate)
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'realtime-talk.ts')],
    target: 'node',
    packages: 'external',
  })
  program = (await outputs[0]?.text()) ?? ''
})
afterAll(async () => {
  front.close()
  await it.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Both take a program from their input, and find packages from where they stand. */
const bun = [process.execPath, 'run', '-']
const node = Bun.which('node')
const runtimes = {
  bun,
  // A machine with Bun alone has a `ws` too: its own.
  node: node === null ? bun : [node, '--input-type=module', '-'],
} as const

interface Way {
  readonly runtime: keyof typeof runtimes
  readonly kind: 'ws' | 'native'
  readonly major: 6 | 7
}

async function talk({ runtime, kind, major }: Way, key: string, model: string): Promise<Talk> {
  const child = Bun.spawn([...runtimes[runtime], kind, String(major), baseUrl, key, model], {
    cwd: root,
    stdin: new TextEncoder().encode(program),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    },
    stderr: 'pipe',
  })
  const [said, wrong] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if (said === '') throw new Error(wrong)
  return JSON.parse(said) as Talk
}

const ways: readonly Way[] = [
  { runtime: 'node', kind: 'ws', major: 7 },
  { runtime: 'node', kind: 'ws', major: 6 },
  { runtime: 'bun', kind: 'native', major: 7 },
  { runtime: 'bun', kind: 'native', major: 6 },
]

describe.each(ways)('the official client, version $major on $runtime ($kind)', (way) => {
  test('talks with a vendor’s model', async () => {
    const said = await talk(way, it.chapar.key, 'voice')
    expect(said.errors).toEqual([])
    expect(said).toMatchObject({
      types: [
        'session.created',
        'session.updated',
        'response.created',
        'response.output_audio_transcript.delta',
        'response.output_audio.delta',
        'response.done',
      ],
      transcript: 'سلام',
      heard: 1200,
      usage: { input_tokens: 132, output_tokens: 121 },
      closed: { code: 1000 },
    })
    expect(await settled(it)).toMatchObject({ status: 'success', cost: nanos(turnNanos) })
  })

  test('talks with the sandbox', async () => {
    const said = await talk(way, it.chapar.key, 'sandbox/realtime')
    expect(said).toMatchObject({
      transcript: 'سلام بر همه',
      heard: 3 * 9600,
      usage: { input_tokens: 6, output_tokens: 3 + 12 },
      errors: [],
      closed: { code: 1000 },
    })
    await settled(it)
  })
})

test('a wrong key is told to who can read it only in a socket', async () => {
  const way = { runtime: 'bun', kind: 'native', major: 7 } as const
  const said = await talk(way, 'sk-chapar-v1-wrong', 'voice')
  expect(said).toMatchObject({
    types: ['error'],
    errors: ['invalid_api_key'],
    closed: { code: 4401, reason: 'invalid_api_key' },
  })
})
