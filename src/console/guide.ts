import {
  formerNames,
  guidePages,
  type GuideGroup,
  type GuideLanguage,
  type GuidePage,
} from '../guide/pages'
import { escapeHtml } from '../gateway/http/escape-html'
import { markOf, type ShownBrand } from './brand'
import {
  exampleRoot,
  languageOf,
  renderPage,
  sectionsOf,
  titleOf,
  type RenderedPage,
} from './guide-render'
import {
  openReferencePage,
  referenceName,
  referenceSections,
  type DescribeInterface,
} from './guide-reference'
import { formerGuideRoot, guideRoot, searchName } from './guide-path'
import { openGuideSearch, type GuideHit, type GuideSearch } from './guide-search'
import { guideStyle } from './guide-style'
import type { DescribeCommands } from './guide-tables'
import { pageHeaders, visitOf } from './page-head'
import { frameOf } from './plain-frame'

interface GuideParts {
  brand(): ShownBrand
  readonly isSecure: boolean
  /** Where clients reach the service, without a path. */
  shownRoot(): string
  readonly describeCommands: DescribeCommands
  readonly describeInterface: DescribeInterface
}

/** @returns a page, the results of a search, where a former address leads, or that there is none */
type Guide = (request: Request, path: string) => Promise<Response>

/** Page, language and address that a reader asked for. */
interface Reading {
  readonly language: GuideLanguage
  /** Beginning of links: the language is in it where the reader chose it by the address. */
  readonly base: string
  /** Last part of the address. */
  readonly name: string
}

/** The guide: pages for people who run or use the service, rendered once each. */
export function openGuide(parts: GuideParts): Guide {
  const rendered = new Map<string, RenderedPage>()
  const searches = new Map<GuideLanguage, Promise<GuideSearch>>()
  let commands: string | null = null
  const describeCommands = () => (commands ??= parts.describeCommands())
  const reference = openReferencePage(parts.describeInterface)
  const referenceIn = (language: GuideLanguage) => reference(language, parts.brand().name)

  const pageIn = (page: GuidePage, { language, base }: Reading): RenderedPage => {
    const key = `${base} ${languageOf(page, language)} ${page.name}`
    let known = rendered.get(key)
    if (known === undefined)
      rendered.set(key, (known = renderPage(page, language, { base, describeCommands })))
    return known
  }
  const searchIn = (language: GuideLanguage): Promise<GuideSearch> => {
    let known = searches.get(language)
    if (known === undefined) {
      known = openGuideSearch(everything(language, words[language].reference))
      searches.set(language, known)
    }
    return known
  }

  function* everything(language: GuideLanguage, title: string) {
    yield* sectionsOf(language, describeCommands)
    yield* referenceSections(referenceIn(language), language, title)
  }

  const contentOf = async (request: Request, reading: Reading): Promise<Content> => {
    if (reading.name === referenceName) {
      const { language } = reading
      const { title, html } = referenceIn(language)
      return { status: 200, language, title, html: html.html, query: '' }
    }
    if (reading.name === searchName) {
      const query = new URL(request.url).searchParams.get('q')?.trim() ?? ''
      const hits = query === '' ? [] : (await searchIn(reading.language)).find(query)
      return resultsOf(query, hits, reading)
    }
    const page = guidePages.find(({ name }) => name === reading.name)
    if (page === undefined) return nothingThere(reading)
    const { html, language, title } = pageIn(page, reading)
    // Configurations of operators have names of hosts that are not this one's.
    const root = page.group === 'customers' ? escapeHtml(parts.shownRoot()) : exampleRoot
    return { status: 200, language, title, html: html.replaceAll(exampleRoot, root), query: '' }
  }

  return async (request, path) => {
    if (path !== guideRoot && !path.startsWith(`${guideRoot}/`)) return moved(path)
    const visit = visitOf(request.headers)
    const reading = readingOf(path, visit.language)
    const former = formerNames.get(reading.name)
    if (former !== undefined) return redirect(`${reading.base}/${former}`)
    return framed(parts, visit, reading, await contentOf(request, reading))
  }
}

/** A page in the frame of the guide, as this visit wants it. */
function framed(
  { brand: brandOf, isSecure }: GuideParts,
  { scheme, nonce }: ReturnType<typeof visitOf>,
  reading: Reading,
  content: Content,
): Response {
  const brand = brandOf()
  const html = frameOf({
    language: reading.language,
    scheme,
    nonce,
    brand,
    title: `${content.title} · ${brand.name}`,
    style: guideStyle,
    body: bodyOf(content, reading, brand),
  })
  return new Response(html, { status: content.status, headers: pageHeaders(nonce, isSecure) })
}

/** Middle of a page. */
interface Content {
  readonly status: 200 | 404
  readonly language: GuideLanguage
  readonly title: string
  readonly html: string
  /** Words searched for; '' elsewhere. */
  readonly query: string
}

function readingOf(path: string, visits: GuideLanguage): Reading {
  if (path === guideRoot) return { language: visits, base: guideRoot, name: referenceName }
  const [, language, rest] = /^\/docs\/(en|fa)(?:\/(.*))?$/.exec(path) ?? []
  if (language === 'en' || language === 'fa')
    return { language, base: `${guideRoot}/${language}`, name: rest || firstPage }
  return { language: visits, base: guideRoot, name: path.slice(guideRoot.length + 1) || firstPage }
}

const firstPage = 'start'

const moved = (path: string): Response => {
  const name = path.slice(formerGuideRoot.length + 1)
  return redirect(`${guideRoot}/${name === '' ? firstPage : (formerNames.get(name) ?? name)}`)
}

const redirect = (location: string): Response =>
  new Response(null, { status: 301, headers: { location, 'cache-control': 'no-cache' } })

const words = {
  en: {
    guide: 'Guide',
    search: 'Search the guide',
    go: 'Search',
    reference: 'Reference',
    other: 'فارسی',
    nothing: 'No such page',
    results: 'Search',
    nothingFound: 'Nothing was found.',
    groups: { customers: 'Using it', interface: 'The interface', operators: 'Running it' },
  },
  fa: {
    guide: 'راهنما',
    search: 'جست‌وجو در راهنما',
    go: 'جست‌وجو',
    reference: 'مرجع',
    other: 'English',
    nothing: 'چنین صفحه‌ای نیست',
    results: 'جست‌وجو',
    nothingFound: 'چیزی پیدا نشد.',
    groups: { customers: 'استفاده', interface: 'رابط برنامه‌نویسی', operators: 'گرداندن سرویس' },
  },
} as const

const nothingThere = ({ language }: Reading): Content => {
  const title = words[language].nothing
  return { status: 404, language, title, html: `<h1>${title}</h1>`, query: '' }
}

function resultsOf(query: string, hits: readonly GuideHit[], { language, base }: Reading): Content {
  const told = words[language]
  const rows = hits.map(
    ({ page, anchor, pageTitle, heading, excerpt, ...hit }) =>
      `<li ${directionOf(hit.language)}><a href="${base}/${page}${anchor === null ? '' : `#${anchor}`}">${escapeHtml(heading)}</a>
      <span class="soft">${heading === pageTitle ? '' : escapeHtml(pageTitle)}</span><p>${escapeHtml(excerpt)}</p></li>`,
  )
  const html = `<h1>${told.results}</h1><p role="status">${query !== '' && hits.length === 0 ? told.nothingFound : ''}</p><ol class="hits">${rows.join('')}</ol>`
  return { status: 200, language, title: told.results, html, query }
}

const directionOf = (language: GuideLanguage): string =>
  language === 'fa' ? 'lang="fa" dir="rtl"' : 'lang="en" dir="ltr"'

function bodyOf(content: Content, reading: Reading, brand: ShownBrand): string {
  const told = words[reading.language]
  const other = reading.language === 'fa' ? 'en' : 'fa'
  const query = content.query === '' ? '' : `?q=${encodeURIComponent(content.query)}`
  const name = content.status === 404 ? firstPage : reading.name
  return `<header>
      <a class="home" href="/">${markOf(brand)}<span>${escapeHtml(brand.name)}</span></a>
      <form action="${reading.base}/${searchName}" role="search">
        <input type="search" name="q" aria-label="${told.search}" placeholder="${told.search}" value="${escapeHtml(content.query)}" />
        <button>${told.go}</button>
      </form>
      <nav aria-label="${told.other}"><a href="${reading.base}/${referenceName}">${told.reference}</a><a href="${guideRoot}/${other}/${name}${query}" hreflang="${other}" lang="${other}">${told.other}</a></nav>
    </header>
    <div class="columns">
      <nav class="contents" aria-label="${told.guide}">${contentsOf(reading)}</nav>
      <main ${directionOf(content.language)}>${content.html}</main>
    </div>`
}

const contentsOf = (reading: Reading): string =>
  (['customers', 'interface', 'operators'] as const)
    .map((group) => `<h2>${words[reading.language].groups[group]}</h2>${linksOf(group, reading)}`)
    .join('')

function linksOf(group: GuideGroup, { language, base, name }: Reading): string {
  const link = (page: string, title: string, written: GuideLanguage) => {
    const here = page === name ? ' aria-current="page"' : ''
    return `<a href="${base}/${page}"${here} ${directionOf(written)}>${escapeHtml(title)}</a>`
  }
  const links = guidePages
    .filter((page) => page.group === group)
    .map((page) => link(page.name, titleOf(page, language), languageOf(page, language)))
  if (group === 'interface') links.unshift(link(referenceName, words[language].reference, language))
  return links.join('')
}
