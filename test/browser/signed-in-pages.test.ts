import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { openVisitor } from '../console/visitor'
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
let session = ''

beforeAll(async () => {
  serving = await serve(['--ephemeral'])
  origin = new URL(serving.url).origin
  const visitor = openVisitor(serving)
  await visitor.signIn('09123456789')
  session = visitor.cookie().replace('chapar=', '')
  if (shots !== null) mkdirSync(shots, { recursive: true })
}, 60_000)

afterAll(async () => {
  await closeBrowser()
  serving.kill('SIGTERM')
  await serving.exited
}, 30_000)

/** All looks but those of the journeys. */
const looks = (['fa', 'en'] as const)
  .flatMap((language): readonly Looks[] =>
    (['light', 'dark'] as const).flatMap((scheme) =>
      ([390, 1280] as const).map((width) => ({ language, scheme, width })),
    ),
  )
  .filter(({ language, scheme, width }) =>
    language === 'fa' ? scheme !== 'dark' || width !== 390 : scheme !== 'light' || width !== 1280,
  )

/** Pages of whoever is signed in; another one is another row. */
const pages = [
  ['home', '/app'],
  ['settings', '/app/settings'],
] as const

describe('pages of whoever is signed in', () => {
  test.each([...looks])(
    'are whole in $language, $scheme, $width',
    async (each) => {
      const { page, context, faults, close } = await visit(origin, each)
      await context.addCookies([{ name: 'chapar', value: session, url: origin }])
      for (const [name, path] of pages) {
        await page.goto(origin + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.waitForLoadState('networkidle')
        expect(await scrollsSideways(page)).toBe(false)
        if (shots !== null) {
          const file = `${name}-${each.language}-${each.scheme}-${each.width}`
          await page.screenshot({ path: `${shots}/${file}.png` })
        }
        expect(await accessibilityFaults(page)).toEqual([])
      }
      expect(faults).toEqual([])
      await close()
    },
    60_000,
  )
})
