import { expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A hundred with CHAPAR_TEST_UPLOADS=100: the bound is the same. */
const uploads = Number(process.env['CHAPAR_TEST_UPLOADS'] ?? 24)
const fileBytes = 25 * 1024 * 1024
const maxGrowth = 150_000_000

/** A WAV file of minutes, of noise that nothing makes smaller. */
function noise(): Buffer {
  const wav = Buffer.alloc(fileBytes)
  for (let at = 0; at < wav.length; at += 65_536)
    crypto.getRandomValues(wav.subarray(at, Math.min(wav.length, at + 65_536)))
  wav.write('RIFF____WAVEfmt ', 0, 'latin1')
  wav.set([16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3e, 0, 0, 0, 0x7d, 0, 0, 2, 0, 16, 0], 16)
  wav.write('data', 36, 'latin1')
  wav.writeUInt32LE(fileBytes - 44, 40)
  return wav
}

test(`${uploads} uploads of 25 MB at once pass through in little memory, and leave nothing`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chapar-uploads-'))
  const received: number[] = []
  const ears = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    idleTimeout: 255,
    async fetch(request) {
      let bytes = 0
      const body: ReadableStream<Uint8Array> | null = request.body
      for await (const piece of body ?? []) bytes += piece.byteLength
      received.push(bytes)
      return Response.json({ text: 'Noise.', duration: 819.2, language: 'en', segments: [] })
    },
  })
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, 'audio-child.ts'),
      `http://127.0.0.1:${ears.port}/v1`,
      folder,
    ],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  )
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const told = async () => JSON.parse((await lines.read()).value ?? '') as Record<string, unknown>
  const say = async (word: string): Promise<number> => {
    void child.stdin.write(`${word}\n`)
    await child.stdin.flush()
    return Number((await told())['peak'])
  }
  try {
    const { url, key } = await told()
    const file = new Blob([new Uint8Array(noise())])
    const send = async () => {
      const body = new FormData()
      body.append('model', 'whisper')
      body.append('file', file, 'noise.wav')
      const headers = { authorization: `Bearer ${String(key)}` }
      const answer = await fetch(`${String(url)}/audio/transcriptions`, {
        method: 'POST',
        headers,
        body,
      })
      return { status: answer.status, text: await answer.text() }
    }
    // What is loaded once is not counted.
    expect(await send()).toMatchObject({ status: 200 })
    const idle = await say('reset')
    const answers = await Promise.all(Array.from({ length: uploads }, send))
    const peak = await say('peak')
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses]).toEqual([200])
    expect(received.length).toBe(uploads + 1)
    expect(Math.min(...received)).toBeGreaterThan(fileBytes)
    expect(peak - idle).toBeLessThan(maxGrowth)
    expect(readdirSync(folder).filter((name) => name.startsWith('.upload'))).toEqual([])
  } finally {
    child.kill()
    await child.exited
    await ears.stop(true)
    rmSync(folder, { recursive: true })
  }
})
