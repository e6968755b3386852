import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { certificate, certificateKey } from '../support/certificate'

/** What a process says that trusts the certificate or not, asking by this name, and what the server got. */
async function asking(name: string, trusted: boolean): Promise<{ said: string; seen: number }> {
  let seen = 0
  const server = Bun.serve({
    port: 0,
    hostname: 'localhost',
    tls: { cert: certificate, key: certificateKey },
    fetch() {
      seen++
      return new Response('hello')
    },
  })
  const folder = mkdtempSync(join(tmpdir(), 'chapar-tls-'))
  const file = join(folder, 'roots.pem')
  writeFileSync(file, certificate)
  try {
    const program = join(import.meta.dir, 'ask-tls.ts')
    const child = Bun.spawn([process.execPath, program, `https://${name}:${server.port}`], {
      env: { PATH: process.env['PATH'], ...(trusted ? { NODE_EXTRA_CA_CERTS: file } : {}) },
      stdout: 'pipe',
    })
    const said = await new Response(child.stdout).text()
    await child.exited
    return { said, seen }
  } finally {
    rmSync(folder, { recursive: true })
    await server.stop(true)
  }
}

describe('a server with a certificate', () => {
  test('that is trusted and of its name is spoken with', async () => {
    expect(await asking('localhost', true)).toEqual({ said: 'hello', seen: 1 })
  })

  test('that nobody vouches for is told nothing', async () => {
    const { said, seen } = await asking('localhost', false)
    expect(said).toContain('self')
    expect(seen).toBe(0)
  })

  test('of another name is told nothing', async () => {
    const { said, seen } = await asking('127.0.0.1', true)
    expect(said).toMatch(/IP|altname/i)
    expect(seen).toBe(0)
  })
})
