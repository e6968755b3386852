import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { inlinePictures } from '../../src/gateway/endpoints/text/inline-pictures'
import { openPictures, type FetchPicture } from '../../src/gateway/outbound/fetch-picture'
import type { InternetParts } from '../../src/gateway/outbound/public-fetch'
import { isGatewayError } from '../../src/errors/gateway-error'
import { certificate, privateKey } from '../support/picture-certificate'

let host: ReturnType<typeof Bun.serve>
const hosts: string[] = []
const png = new Uint8Array([137, 80, 78, 71])

beforeAll(() => {
  host = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: { cert: certificate, key: privateKey },
    fetch(request) {
      const { pathname } = new URL(request.url)
      hosts.push(request.headers.get('host') ?? '')
      switch (pathname) {
        case '/a.png':
          return new Response(png, { headers: { 'content-type': 'image/png; q=1' } })
        case '/moved':
          return Response.redirect('/a.png', 302)
        case '/inside':
          return Response.redirect('https://10.0.0.1/a.png', 302)
        case '/around':
          return Response.redirect('/around', 302)
        case '/page':
          return new Response('<html>', { headers: { 'content-type': 'text/html' } })
        case '/large':
          return new Response(new Uint8Array(200), { headers: { 'content-type': 'image/png' } })
      }
      return new Response('', { status: 404 })
    },
  })
})
afterAll(() => host.stop(true))

const name = 'pics.example.test'
const parts: InternetParts = {
  resolve: (asked) => Promise.resolve(asked === name ? ['127.0.0.1'] : []),
  isPublic: (address) => address === '127.0.0.1',
  ca: certificate,
}
const { signal } = new AbortController()
const at = (path: string) => `https://${name}:${host.port}${path}`
const body = (...urls: string[]) => ({
  model: 'm',
  messages: [
    {
      role: 'user' as const,
      content: urls.map((url) => ({ type: 'image_url', image_url: { url, detail: 'low' } })),
    },
  ],
})

async function refusalOf(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (thrown) {
    if (isGatewayError(thrown)) return `${thrown.param} ${thrown.body('en').error.message}`
    return thrown instanceof Error ? thrown.message : 'odd'
  }
  return 'not refused'
}

describe('pictures that a client only names', () => {
  test('are fetched by their host’s name from the address that was looked at', async () => {
    const inlined = await inlinePictures(
      body(at('/a.png'), at('/moved'), 'data:image/gif;base64,AA'),
      openPictures(parts),
      signal,
    )
    const url = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
    expect(inlined.messages[0]?.content).toEqual(
      [url, url, 'data:image/gif;base64,AA'].map((each) => ({
        type: 'image_url',
        image_url: { url: each, detail: 'low' },
      })),
    )
    expect(new Set(hosts)).toEqual(new Set([`${name}:${host.port}`]))
  })

  test.each([
    ['/missing', 'its host answered 404'],
    ['/page', 'it is no picture'],
    ['/inside', 'its address is not public'],
    ['/around', 'leads on and on'],
    ['/large', 'too large'],
  ])('are refused: %s, %s', async (path, why) => {
    const fetchPicture = openPictures(parts)
    const small: FetchPicture = (url, _, by) => fetchPicture(url, 100, by)
    const said = await refusalOf(inlinePictures(body(at(path)), small, signal))
    expect(said).toStartWith('messages[0].content[0].image_url.url ')
    expect(said).toContain(why)
  })

  test.each([
    'https://127.0.0.1/a.png',
    'https://localhost/a.png',
    'https://10.1.2.3/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/a.png',
    'https://[::ffff:127.0.0.1]/a.png',
    'https://[fd00::1]/a.png',
    'https://[64:ff9b::7f00:1]/a.png',
    'https://100.64.0.1/a.png',
    'https://0.0.0.0/a.png',
    'https://2130706433/a.png',
    'https://0x7f.1/a.png',
  ])('are never fetched from inside: %s', async (url) => {
    expect(await refusalOf(openPictures()(url, 100, signal))).toBe('its address is not public')
  })

  test('are never fetched without a certificate of their host', async () => {
    const { ca: _, ...untrusting } = parts
    expect(await refusalOf(openPictures(untrusting)(at('/a.png'), 100, signal))).toContain(
      'does not answer',
    )
    expect(await refusalOf(openPictures(parts)('http://host.example/a', 1, signal))).toContain(
      'not https',
    )
  })
})
