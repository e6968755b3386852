import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { arrivingBodies, sweepBodies } from '../../src/gateway/http/slow-body-guard'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openRawClient, requestText } from '../support/raw-client'
import { openVisitor } from './visitor'

let chapar: TestGateway
let origin = ''
beforeAll(async () => {
  chapar = await openTestGateway({ web: true })
  ;({ origin } = new URL(chapar.url))
})
afterAll(() => chapar.close())

/** Where strangers send bodies: nobody is known before they are read. */
const doors = ['/app/api/sign-in', '/app/api/sign-in/check', '/app/api/operator/sign-in']

async function post(path: string, body: string, type = 'application/json'): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  })
  return { status: response.status, body: await response.json() }
}

const invalid = { error: { code: 'invalid' } }
const noObject = {
  status: 400,
  body: { error: { code: 'input_invalid', field: '', rule: 'wrong_type', wanted: ['object'] } },
}

describe.each(doors)('a body for %s', (path) => {
  test('that is too large is refused as its length is told', async () => {
    const head = { 'content-type': 'application/json', 'content-length': '2000000000' }
    const client = openRawClient(chapar.url, requestText(`POST ${path}`, head, '{"phone":"'))
    expect(await client.until('"invalid"')).toContain('HTTP/1.1 413')
    client.leave()
  })

  test('that takes long to parse is refused before', async () => {
    const names = Array.from({ length: 20_000 }, (_, at) => `"k${at}":{"n${at}":0}`)
    for (const heavy of ['['.repeat(200_000), `{${names.join()}}`.slice(0, 262_144)])
      expect(await post(path, heavy)).toEqual({ status: 400, body: invalid })
  })

  test('is JSON alone', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/octet-stream',
    ])
      expect(await post(path, '{"phone":"x"}', type)).toMatchObject(noObject)
    const form = new FormData()
    form.set('phone', 'x')
    const response = await fetch(`${origin}${path}`, { method: 'POST', body: form })
    expect({ status: response.status, body: await response.json() }).toMatchObject(noObject)
  })

  test('that does not come is not waited for', async () => {
    const head = { 'content-type': 'application/json', 'content-length': '1000' }
    const client = openRawClient(chapar.url, requestText(`POST ${path}`, head, '{"phone":"'))
    while (arrivingBodies() < 1) await Bun.sleep(1)
    const now = performance.now()
    sweepBodies(now)
    sweepBodies(now + 21_000)
    expect(await client.until('"invalid"')).toContain('HTTP/1.1 408')
    client.leave()
    expect(arrivingBodies()).toBe(0)
  })
})

test('a host of one letter is answered as any other', async () => {
  for (const path of ['/app/api/service', '/app/api/operator/status', '/admin/v1/openapi.json']) {
    const client = openRawClient(chapar.url, requestText(`GET ${path}`, { connection: 'close' }))
    expect(await client.until('\r\n')).toContain('HTTP/1.1 200')
    await client.closed
  }
})

test('a host that is none is a bad request', async () => {
  for (const host of ['[::1', 'a:99999'])
    for (const path of ['/app/api/service', '/app/api/operator/status']) {
      const client = openRawClient(chapar.url, requestText(`GET ${path}`, { host }))
      expect(await client.until('"invalid"')).toContain('HTTP/1.1 400')
      client.leave()
    }
})

test('a name is one line of something to read', async () => {
  const visitor = openVisitor(chapar)
  await visitor.signIn('09123456789')
  const made = async (name: string) => (await visitor.send('POST', '/projects', { name })).status
  for (const name of ['a\r\nb', 'a\u0000', '\u001b[31mred', 'a\u009b', '  '])
    expect(await made(name)).toBe(400)
  expect(await made('پروژه\u200cی من')).toBe(200)
})
