import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { paced } from './pace'

const tools = join(import.meta.dir, '../tools/node_modules')

/** A Chromium, and what it needs around it. */
interface Found {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

/** `CHROMIUM`, else one in the path, else the package among the tools of the tests: never none. */
async function findChromium(): Promise<Found> {
  const named = process.env['CHROMIUM'] ?? Bun.which('chromium') ?? Bun.which('chromium-browser')
  return named ? { path: named, env: {} } : await unpackChromium()
}

/** Packed with the libraries and fonts that a bare machine lacks. Unpacked once. */
async function unpackChromium(): Promise<Found> {
  const folder = join(import.meta.dir, '../../.chapar/chromium')
  const fonts = join(folder, 'fonts.conf')
  if (!existsSync(fonts)) await unpackInto(folder)
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: fonts,
    },
  }
}

/** Unpacks beside it, and moves there what is whole: another process of tests may do the same. */
async function unpackInto(folder: string): Promise<void> {
  const own = `${folder}-${process.pid}`
  mkdirSync(own, { recursive: true })
  const packages = join(tools, '@sparticuz/chromium')
  const { inflate } = (await import(join(packages, 'build/index.js'))) as {
    inflate(file: string): Promise<string>
  }
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = own
  try {
    for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
      await inflate(join(packages, 'bin', name))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  // Its own looks in the folders of the machine that the package was made for.
  writeFileSync(join(own, 'fonts.conf'), fontsIn(folder))
  try {
    renameSync(own, folder)
  } catch (thrown) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(join(folder, 'fonts.conf'))) throw thrown
  }
}

const fontsIn = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`

let launched: Promise<Browser> | null = null

/** One browser for all tests of a process. */
export async function browser(): Promise<Browser> {
  // A test that came to its limit takes its browser along.
  if ((await launched)?.isConnected() === false) await closeBrowser()
  return await (launched ??= launch())
}

async function launch(): Promise<Browser> {
  const { path, env } = await findChromium()
  return await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    env: { ...process.env, ...env },
  })
}

export async function closeBrowser(): Promise<void> {
  unused.clear()
  await (await launched)?.close()
  launched = null
}

/** How somebody looks at the pages. */
export interface Looks {
  readonly language: 'fa' | 'en'
  readonly scheme: 'light' | 'dark'
  readonly width: 390 | 1280
}

/** How long a page that waits for nothing more must stay so: a chunk that is there asks for its data. */
const quietMs = 50

const quiet = new WeakMap<Page, () => Promise<void>>()

/** Follows the requests of a page. */
function watchRequests(page: Page): () => Promise<void> {
  let open = 0
  let told: (() => void) | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const look = () => {
    if (timer !== null) clearTimeout(timer)
    timer = open > 0 || told === null ? null : setTimeout(() => told?.(), quietMs)
  }
  const ended = () => {
    open--
    look()
  }
  page.on('request', () => {
    open++
    look()
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return async () => {
    await new Promise<void>((resolve) => {
      told = resolve
      look()
    })
    told = null
  }
}

/** Longest wait for what never comes to rest. */
const maxMovingMs = paced(2000)

/** Done once two frames went by in which nothing changed in the document, and nothing moves any longer. */
const untilAtRest = `(async () => {
  const frame = () => new Promise((next) => requestAnimationFrame(next))
  const latest = performance.now() + ${maxMovingMs}
  let hasChanged = true
  const changes = new MutationObserver(() => (hasChanged = true))
  const options = { subtree: true, childList: true, attributes: true, characterData: true }
  changes.observe(document, options)
  while (hasChanged && performance.now() < latest) {
    hasChanged = false
    await frame()
    await frame()
    const isMoving = ({ playState, effect }) =>
      playState === 'running' && effect !== null && effect.getComputedTiming().endTime < ${maxMovingMs}
    const moving = document.getAnimations().filter(isMoving)
    await Promise.allSettled(moving.map(({ finished }) => finished))
    hasChanged ||= moving.length > 0
  }
  changes.disconnect()
})()`

/** Waits until a page is drawn, and stands still. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(untilAtRest)
}

/** Waits until a page is loaded, has nothing on its way, and is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await quiet.get(page)?.()
  await atRest(page)
}

/** What Playwright waits with, beneath its interface. */
interface Frames {
  retryWithProgressAndBackoff?(progress: unknown, action: unknown): Promise<unknown>
  retryWithProgressAndTimeouts?(progress: unknown, waits: number[], action: unknown): unknown
}

/**
 * Has Playwright look for what it waits for each 25 ms. By itself it looks each 500 ms after the first third of
 * a second (`retryWithProgressAndBackoff`, playwright-core 1.65), which comes to minutes over all tests, and has no
 * option for it. Without these functions tests are only slower.
 */
function lookOften(page: Page): void {
  const { _connection: connection } = page as unknown as {
    readonly _connection?: { toImpl?(page: Page): { mainFrame(): object } | undefined }
  }
  const frame = connection?.toImpl?.(page)?.mainFrame()
  const frames = frame && (Object.getPrototypeOf(frame) as Frames)
  if (frames?.retryWithProgressAndBackoff && frames.retryWithProgressAndTimeouts)
    frames.retryWithProgressAndBackoff = async function (this: Frames, progress, action) {
      return await this.retryWithProgressAndTimeouts?.(progress, [10, 25], action)
    }
}

const viewportOf = ({ width }: Looks) => ({ width, height: width === 390 ? 844 : 900 })

/** Looks at a page that is open otherwise, in its language. */
export async function lookAs(page: Page, looks: Looks): Promise<void> {
  await page.emulateMedia({ colorScheme: looks.scheme })
  await page.setViewportSize(viewportOf(looks))
}

/** A page, and all that went wrong on it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors in the console and of the page, and requests to other hosts. */
  readonly faults: string[]
  close(): Promise<void>
}

/** Contexts without a page, by language and origin. What they have in their cache halves the work of loading. */
const unused = new Map<string, BrowserContext[]>()

const axeSource = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

async function newContext(language: Looks['language']): Promise<BrowserContext> {
  const context = await (
    await browser()
  ).newContext({ locale: language === 'fa' ? 'fa-IR' : 'en-US', reducedMotion: 'reduce' })
  // Compiled where it is asked for. The policy of the pages lets no foreign script in later on.
  await context.addInitScript(`globalThis.bringAxe = function () { ${axeSource} }`)
  return context
}

/** Closes its pages and forgets all but its cache. */
async function leave(context: BrowserContext, page: Page, origin: string): Promise<void> {
  const devtools = await context.newCDPSession(page)
  const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers'
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes })
  await context.clearCookies()
  await context.clearPermissions()
  await Promise.all(context.pages().map((each) => each.close()))
}

interface VisitOptions {
  /** Of somebody who was here before; false where it counts what comes over the wire. */
  readonly mayBeCached?: boolean
}

/** @param origin of the service, without a path */
export async function visit(
  origin: string,
  looks: Looks,
  { mayBeCached = true }: VisitOptions = {},
): Promise<Visit> {
  const key = `${looks.language} ${origin}`
  const context =
    (mayBeCached ? unused.get(key)?.pop() : undefined) ?? (await newContext(looks.language))
  const page = await context.newPage()
  await lookAs(page, looks)
  page.setDefaultTimeout(paced(30_000))
  lookOften(page)
  quiet.set(page, watchRequests(page))
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error')
      faults.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      faults.push(`another host: ${url}`)
  })
  const close = async () => {
    await leave(context, page, origin)
    unused.set(key, [...(unused.get(key) ?? []), context])
  }
  return { page, context, faults, close }
}

/** What axe finds wrong with a page, contrast included: rule and place. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // All that is right is told too unless it stays there, and takes longer to tell than to find. Style sheets would be
  // parsed anew for a single rule, which is experimental and off (`css-orientation-lock`): a third of each look.
  return await page.evaluate<readonly string[]>(`(async () => {
    if (globalThis.axe === undefined) bringAxe()
    const { violations } = await axe.run({
      resultTypes: ['violations'],
      selectors: false,
      preload: { assets: ['media'] },
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html))
  })()`)
}

/** Whether anything sticks out sideways. */
export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; clientWidth: number } }
    }
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth
  })
