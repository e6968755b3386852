import { afterAll, beforeAll, expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import {
  accessibilityFaults,
  atRest,
  closeBrowser,
  scrollsSideways,
  settled,
  lookAs,
  type Looks,
} from './browser'
import { printedCode } from '../console/visitor'
import { firstSeed, isLong } from './campaigns'
import { serve, type Serving } from './executable'

/** A folder for pictures of the pages, where somebody wants to look at them; else null. */
export const shots = process.env['CHAPAR_SHOTS'] ?? null

const eightLooks: readonly Looks[] = (['fa', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) =>
    ([390, 1280] as const).map((width) => ({ language, scheme, width })),
  ),
)

const hasAllLooks = isLong || shots !== null
/** Of the first half: its opposite stands in the other one, as far from the end. */
const drawnLooks = firstSeed % (eightLooks.length / 2)

/**
 * The ways in which pages are looked at: all of them in a long run and where pictures are made, else two that have
 * nothing in common, as the seed draws them.
 */
export const allLooks = eightLooks.filter(
  (_, at) => hasAllLooks || at === drawnLooks || at === eightLooks.length - 1 - drawnLooks,
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
  })
  afterAll(async () => {
    await closeBrowser()
    serving?.kill('SIGTERM')
    await serving?.exited
    clean?.()
  })
  return {
    get serving() {
      return begun()
    },
    get origin() {
      return new URL(begun().url).origin
    },
  }
}

/**
 * Has a sign-in code sent, and reads it where the gateway prints it.
 * @param send presses the button
 * @returns once the page asks for the code
 */
export async function codeSent(
  page: Page,
  { logs }: Pick<Serving, 'logs'>,
  send: () => Promise<void>,
): Promise<string> {
  const before = logs().length
  await send()
  await page.locator('.in-terminal').waitFor()
  return await printedCode(() => logs().slice(before))
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
  await (streams ? atRest(page) : settled(page))
  await page.evaluate('scrollTo(0, 0)')
  if (shots !== null)
    await page.screenshot({
      path: `${shots}/${name}-${language}-${scheme}-${width}.png`,
      fullPage: true,
    })
  expect(await scrollsSideways(page)).toBe(false)
  expect(await accessibilityFaults(page)).toEqual([])
}

/** Same, in each of several looks of one language: the page is loaded once. Ends as it began. */
export async function lookInAll(
  page: Page,
  name: string,
  all: readonly Looks[],
  options: Parameters<typeof look>[3] = {},
): Promise<void> {
  const [first] = all
  for (const looks of all) {
    await lookAs(page, looks)
    await look(page, name, looks, options)
  }
  if (first !== undefined) await lookAs(page, first)
}

/** These looks, and where all are wanted also those with the other scheme and width. */
export const bothWays = (looks: Looks): readonly Looks[] => [
  looks,
  ...eightLooks.filter(
    ({ language, scheme, width }) =>
      hasAllLooks &&
      language === looks.language &&
      scheme !== looks.scheme &&
      width !== looks.width,
  ),
]

/** Looks by their language, in which a page is loaded. */
export const byLanguage = (all: readonly Looks[]) =>
  [...Map.groupBy(all, ({ language }) => language)].map(([language, looks]) => ({
    language,
    looks,
  }))

/** A test of looks, in both languages at once: one page for each core of a small machine. */
export const inEachLanguage =
  (
    all: readonly Looks[],
    run: (looks: readonly Looks[], language: Looks['language']) => Promise<void>,
  ) =>
  async (): Promise<void> =>
    void (await Promise.all(
      byLanguage(all).map(async ({ language, looks }) => await run(looks, language)),
    ))
