import { afterAll, beforeAll, expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { accessibilityFaults, closeBrowser, scrollsSideways, type Looks } from './browser'
import { serve, type Serving } from './executable'

/** A folder for pictures of the pages, where somebody wants to look at them; else null. */
export const shots = process.env['CHAPAR_SHOTS'] ?? null

/** Every way in which somebody may look at a page. */
export const allLooks: readonly Looks[] = (['fa', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([390, 1280] as const).map((width) => ({ language, scheme, width })),
  ),
)

/** The program that a file of browser tests looks at, from before its first test to behind its last. */
interface BrowserSuite {
  readonly serving: Serving
  /** Of the service, without a path. */
  readonly origin: string
}

interface SuiteOptions {
  readonly args?: readonly string[]
  /** Once it serves. */
  prepare?(serving: Serving): Promise<void>
  /** Once it has ended. */
  clean?(): void
}

/** Serves the program for the tests of a file, an ephemeral one unless told otherwise. */
export function browserSuite(options: SuiteOptions = {}): BrowserSuite {
  const { args = ['--ephemeral'], prepare, clean } = options
  let serving: Serving | null = null
  const begun = (): Serving => {
    if (serving === null) throw new Error('nothing is served before the first test')
    return serving
  }
  beforeAll(async () => {
    if (shots !== null) mkdirSync(shots, { recursive: true })
    serving = await serve([...args])
    await prepare?.(serving)
  }, 60_000)
  afterAll(async () => {
    await closeBrowser()
    serving?.kill('SIGTERM')
    await serving?.exited
    clean?.()
  }, 30_000)
  return {
    get serving() {
      return begun()
    },
    get origin() {
      return new URL(begun().url).origin
    },
  }
}

/** What a page must be, whichever it is; and its picture, where those are wanted. */
export async function look(
  page: Page,
  name: string,
  looks: Looks,
  /** Of a page that never stops reading. */
  { streams = false } = {},
): Promise<void> {
  const { language, scheme, width } = looks
  if (!streams) await page.waitForLoadState('networkidle')
  await page.evaluate('scrollTo(0, 0)')
  if (shots !== null)
    await page.screenshot({
      path: `${shots}/${name}-${language}-${scheme}-${width}.png`,
      fullPage: true,
    })
  expect(await scrollsSideways(page)).toBe(false)
  expect(await accessibilityFaults(page)).toEqual([])
}
