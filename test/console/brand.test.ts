import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openPages } from '../../src/console/pages'
import { brandColour } from '../../src/gateway/settings/brand-colour'
import { brandLogo } from '../../src/gateway/settings/brand-logo'
import { openTestGateway, type TestGateway } from '../support/gateway'

const drawing = new TextEncoder().encode(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>',
)
const logoText = brandLogo.fromFile?.(drawing) ?? ''

let gateway: TestGateway
let origin = ''

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  ;({ origin } = new URL(gateway.url))
})
afterAll(() => gateway.close())

const page = async (path: string): Promise<string> => await (await fetch(origin + path)).text()

async function setBrand(): Promise<void> {
  const { settings } = gateway.storage
  await settings.set('brand-name', 'کاروان <سرا>')
  await settings.set('brand-colour', '#7a1fa2')
  await settings.set('brand-logo', logoText)
  await gateway.gateway.reloadSettings()
}

test('name, colour and logo stand on the small page, in the guide and in the reference', async () => {
  for (const path of ['/', '/guide', '/docs']) expect(await page(path)).not.toContain('#7a1fa2')
  await setBrand()
  for (const path of ['/', '/guide', '/docs']) {
    const html = await page(path)
    expect(html).toContain('کاروان &lt;سرا&gt;')
    expect(html).toContain('#7a1fa2')
    expect(html).toMatch(/<img class="logo" src="\/brand\/[\da-f]{16}\.svg"/)
  }
  expect(await (await fetch(`${origin}/app/api/service`)).json()).toMatchObject({
    name: 'کاروان <سرا>',
  })
})

test('the reference has them too where no other page is served', async () => {
  const alone = await openTestGateway()
  const { settings } = alone.storage
  await settings.set('brand-name', 'کاروان')
  await settings.set('brand-colour', '#7a1fa2')
  await settings.set('brand-logo', logoText)
  await alone.gateway.reloadSettings()
  const response = await fetch(`${new URL(alone.url).origin}/docs`)
  const html = await response.text()
  expect(html).toContain('کاروان')
  expect(html).toContain('#7a1fa2')
  expect(html).toMatch(/<img class="logo" src="data:image\/svg\+xml;base64,/)
  expect(response.headers.get('content-security-policy')).toContain('img-src data:')
  await alone.close()
})

test('the logo is served for good at its hash, and runs nothing by itself', async () => {
  await setBrand()
  const [, path = ''] = /src="(\/brand\/[^"]+)"/.exec(await page('/')) ?? []
  const logo = await fetch(origin + path)
  expect(new Uint8Array(await logo.arrayBuffer())).toEqual(drawing)
  const told = Object.fromEntries(logo.headers)
  expect(told).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  for (const other of ['/brand/', `/brand/${'0'.repeat(16)}.svg`, path.replace('.svg', '.png')])
    expect((await fetch(origin + other)).status).toBe(404)
})

test('the page of the app carries the brand, and its own sign without one', async () => {
  const html = `<link rel="icon" href="/app/assets/icon-ab12.svg"><meta name="brand" content="%brand%" /><meta name="brand-style" /><title>%name%</title>`
  const app = { page: html, files: [] }
  const pageFor = async (brand: { colour: string; logo: string }): Promise<string> => {
    const [colour, logo] = [brandColour.parse(brand.colour), brandLogo.parse(brand.logo)]
    const pages = openPages({ app, brand: () => ({ name: 'A&B', colour, logo }), isSecure: false })
    return await pages(new Request(`${origin}/app`), '/app').text()
  }
  const own = await pageFor({ colour: 'none', logo: 'none' })
  expect(own).toContain('href="/app/assets/icon-ab12.svg"')
  expect(own).toContain('content="{&quot;shades&quot;:null,&quot;logo&quot;:null}"')
  const colour = await pageFor({ colour: '#7a1fa2', logo: 'none' })
  expect(colour).toContain('href="data:image/svg+xml,')
  expect(colour).toMatch(/<style nonce="[^"]+">html:root\{--act:#7a1fa2;/)
  const both = await pageFor({ colour: '#7a1fa2', logo: logoText })
  expect(both).toMatch(/href="\/brand\/[\da-f]{16}\.svg"/)
  expect(both).toContain('<title>A&amp;B</title>')
})

test('a change of the logo leaves its hash in the trail, not the picture', async () => {
  const storage = gateway.storage.by('command:test')
  await storage.settings.set('brand-logo', 'none')
  await storage.settings.set('brand-logo', logoText)
  const lines = await gateway.storage.trail.list({
    subject: 'setting:brand-logo',
    before: null,
    max: 1,
  })
  expect(JSON.stringify(lines)).toContain('sha256')
  expect(JSON.stringify(lines)).not.toContain('base64')
})
