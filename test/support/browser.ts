import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

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
  const stamp = join(folder, '.unpacked')
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true })
    const packages = join(tools, '@sparticuz/chromium')
    const { inflate } = (await import(join(packages, 'build/index.js'))) as {
      inflate(file: string): Promise<string>
    }
    const before = process.env['TMPDIR']
    process.env['TMPDIR'] = folder
    try {
      for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
        await inflate(join(packages, 'bin', name))
    } finally {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
    }
    // Its own looks in the folders of the machine that the package was made for.
    writeFileSync(join(folder, 'fonts.conf'), fontsIn(folder))
    writeFileSync(stamp, '')
  }
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
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
export const browser = (): Promise<Browser> => (launched ??= launch())

async function launch(): Promise<Browser> {
  const { path, env } = await findChromium()
  return await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    env: { ...process.env, ...env },
  })
}

export async function closeBrowser(): Promise<void> {
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

/** Waits until a page is loaded, has nothing on its way, and is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await quiet.get(page)?.()
  await page.evaluate(
    'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
  )
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

/** @param origin of the service, without a path */
export async function visit(origin: string, looks: Looks): Promise<Visit> {
  const { language, scheme } = looks
  const context = await (
    await browser()
  ).newContext({
    viewport: viewportOf(looks),
    locale: language === 'fa' ? 'fa-IR' : 'en-US',
    colorScheme: scheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  quiet.set(page, watchRequests(page))
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`page: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'))
      faults.push(`another host: ${url}`)
  })
  return { page, context, faults, close: () => context.close() }
}

/** What axe finds wrong with a page, contrast included: rule and place. */
export async function accessibilityFaults(page: Page): Promise<readonly string[]> {
  // The policy of the page lets no foreign script in.
  await page.evaluate(`globalThis.axe ?? (() => { ${axe.source} })()`)
  const found = await page.evaluate(
    async () =>
      await (
        globalThis as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
        }
      ).axe.run(),
  )
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
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
