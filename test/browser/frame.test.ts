import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import {
  accessibilityFaults,
  closeBrowser,
  scrollsSideways,
  visit,
  type Looks,
} from '../support/browser'
import { serve, type Serving } from '../support/executable'

/** Pictures of the pages, where somebody wants to look at them. */
const shots = process.env['CHAPAR_SHOTS'] ?? null

let serving: Serving
let origin = ''

beforeAll(async () => {
  serving = await serve(['--ephemeral'])
  origin = new URL(serving.url).origin
  if (shots !== null) mkdirSync(shots, { recursive: true })
}, 60_000)

afterAll(async () => {
  await closeBrowser()
  serving.kill('SIGTERM')
  await serving.exited
}, 30_000)

const looks: readonly Looks[] = (['fa', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([390, 1280] as const).map((width) => ({ language, scheme, width })),
  ),
)

const pages = [
  ['the small page', '/'],
  ['a page of the guide in both languages', '/docs/errors'],
  ['a page of the guide in English', '/docs/operate'],
  ['a search in the guide', '/docs/search?q=API'],
  ['the entrance', '/app'],
] as const

describe.each([...pages])('%s', (name, path) => {
  test.each([...looks])(
    'is whole in $language, $scheme, $width',
    async (each) => {
      const { page, faults, close } = await visit(origin, each)
      await page.goto(origin + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      const root = page.locator('html')
      expect(await root.getAttribute('lang')).toBe(each.language)
      expect(await root.getAttribute('dir')).toBe(each.language === 'fa' ? 'rtl' : 'ltr')
      expect(await scrollsSideways(page)).toBe(false)
      if (shots !== null) {
        const file = `${path === '/' ? 'landing' : path.slice(1).replaceAll(/\W/g, '-')}-${each.language}-${each.scheme}-${each.width}`
        await page.screenshot({ path: `${shots}/${file}.png` })
      }
      expect(await accessibilityFaults(page)).toEqual([])
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )
})
