import { Marked, type Token, type Tokens } from 'marked'
import { guidePages, type GuideLanguage, type GuidePage } from '../guide/pages'
import type { GuideSection } from './guide-search'
import { withTables, type DescribeCommands } from './guide-tables'

/** A page as it is shown in one language. */
export interface RenderedPage {
  readonly page: GuidePage
  /** That it is written in: not the reader's where there is no other. */
  readonly language: GuideLanguage
  readonly title: string
  readonly html: string
}

const marked = new Marked({ gfm: true })

/** Base address in examples: pages for customers are shown with the service's own address. */
export const exampleRoot = 'https://ai.example.com'

export const languageOf = (page: GuidePage, wanted: GuideLanguage): GuideLanguage =>
  wanted === 'fa' && page.fa !== undefined ? 'fa' : 'en'

export const titleOf = (page: GuidePage, language: GuideLanguage): string =>
  /^# (.+)$/m.exec(textOf(page, language))?.[1] ?? page.name

const textOf = (page: GuidePage, language: GuideLanguage): string =>
  languageOf(page, language) === 'fa' ? (page.fa ?? page.en) : page.en

/**
 * Renders a page of the guide.
 * @param base what links to other pages begin with: `/docs`, or that of a language
 */
export function renderPage(
  page: GuidePage,
  wanted: GuideLanguage,
  {
    base,
    describeCommands,
  }: { readonly base: string; readonly describeCommands: DescribeCommands },
): RenderedPage {
  const language = languageOf(page, wanted)
  const text = withTables(textOf(page, language), language, describeCommands)
  const html = withLinks(withAnchors(marked.parse(text, { async: false })), base)
  return { page, language, title: titleOf(page, language), html }
}

/** Everything that there is to find in a language, page by page, those in English alone included. */
export function* sectionsOf(
  wanted: GuideLanguage,
  describeCommands: DescribeCommands,
): Generator<readonly GuideSection[]> {
  for (const page of guidePages) {
    const language = languageOf(page, wanted)
    const text = withTables(textOf(page, language), language, describeCommands)
    const about = { page: page.name, language, pageTitle: titleOf(page, language) }
    yield* sectionsIn(text, about)
  }
}

/** Sections one by one: a long page is read in slices too. */
function* sectionsIn(
  text: string,
  about: Pick<GuideSection, 'page' | 'language' | 'pageTitle'>,
): Generator<readonly GuideSection[]> {
  let open: { heading: string; anchor: string | null; texts: string[] } | null = null
  const closed = (): readonly GuideSection[] => {
    if (open === null) return []
    const { texts, ...place } = open
    return [{ ...about, ...place, text: texts.join(' ').replaceAll(/\s+/g, ' ').trim() }]
  }
  for (const token of marked.lexer(text)) {
    if (!isHeading(token)) {
      open?.texts.push(plain(token))
      continue
    }
    yield closed()
    const heading = plain(token)
    open = { heading, anchor: token.depth === 1 ? null : anchorOf(heading), texts: [] }
  }
  yield closed()
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading'

/** Visible text of a token, without any mark. */
const plain = (token: Token): string =>
  marked
    .parser([token])
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? entity)
    .trim()

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Headings by their text, so that they can be linked to. Tables scroll by themselves. */
const withAnchors = (html: string): string =>
  html
    .replaceAll(
      /<h([23])>(.*?)<\/h\1>/g,
      (_, level: string, text: string) =>
        `<h${level} id="${anchorOf(text)}"><a href="#${anchorOf(text)}">${text}</a></h${level}>`,
    )
    .replaceAll('<pre>', '<pre tabindex="0" dir="ltr">')
    .replaceAll('<code>', '<code dir="ltr">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')

/** Pages link to each other's files, as the repository shows them. */
const withLinks = (html: string, base: string): string =>
  html.replaceAll(
    /href="(?:\.\.\/(?:en|fa)\/)?([\w-]+)\.md(#[^"]*)?"/g,
    (_, name: string, anchor = '') => `href="${base}/${name}${anchor}"`,
  )

/** Letters and digits of any script, lines between them. */
export const anchorOf = (text: string): string =>
  text
    .replaceAll(/<[^>]+>|&[a-z#\d]+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
