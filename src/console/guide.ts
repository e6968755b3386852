import { Marked } from 'marked'
import { guidePages, type GuidePage } from '../guide/pages'
import { escapeHtml } from '../http/escape-html'
import { pageHeaders, visitOf } from './page-head'
import { frameOf, markSvg } from './plain-frame'

export interface GuideParts {
  serviceName(): string
  readonly isSecure: boolean
}

const guidePath = '/guide'
const marked = new Marked({ gfm: true })

/** @returns the page at a path of the guide, or one that says that there is none */
export type Guide = (headers: Headers, path: string) => Response

/** The guide: pages for people who run or use the service, rendered once each. */
export function openGuide({ serviceName, isSecure }: GuideParts): Guide {
  const rendered = new Map<string, string>()
  const contentOf = (page: GuidePage): string => {
    const known = rendered.get(page.name)
    if (known !== undefined) return known
    const html = withAnchors(marked.parse(page.text, { async: false }))
    rendered.set(page.name, html)
    return html
  }
  return (headers, path) => {
    const name = path.slice(guidePath.length).replace(/^\//, '')
    const page = name === '' ? guidePages[0] : guidePages.find((each) => each.name === name)
    const title = page === undefined ? 'No such page' : titleOf(page)
    const { scheme, nonce } = visitOf(headers)
    const service = serviceName()
    const html = frameOf({
      language: 'en',
      scheme,
      nonce,
      title: `${title} · ${service}`,
      style,
      body: `<header><a class="home" href="/">${markSvg}<span>${escapeHtml(service)}</span></a></header>
    <div class="columns">
      <nav aria-label="Guide">${contents(page)}</nav>
      <main>${page === undefined ? `<h1>${title}</h1>` : contentOf(page)}</main>
    </div>`,
    })
    const status = page === undefined ? 404 : 200
    return new Response(html, { status, headers: pageHeaders(nonce, isSecure) })
  }
}

const titleOf = ({ text }: GuidePage): string => /^# (.+)$/m.exec(text)?.[1] ?? ''

const contents = (current: GuidePage | undefined): string =>
  guidePages
    .map((page) => {
      const here = page === current ? ' aria-current="page"' : ''
      return `<a href="${guidePath}/${page.name}"${here}>${escapeHtml(titleOf(page))}</a>`
    })
    .join('')

/** Headings by their text, so that they can be linked to. Tables scroll by themselves. */
const withAnchors = (html: string): string =>
  html
    .replaceAll(
      /<h([23])>(.*?)<\/h\1>/g,
      (_, level: string, text: string) =>
        `<h${level} id="${anchorOf(text)}"><a href="#${anchorOf(text)}">${text}</a></h${level}>`,
    )
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')

const anchorOf = (text: string): string =>
  text
    .replaceAll(/<[^>]+>|&[a-z#\d]+;/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')

const style = `
body{max-width:1080px;margin:0 auto;padding:0 16px}
header{padding:12px 0;border-bottom:1px solid var(--line)}
.home{display:inline-flex;align-items:center;gap:10px;color:var(--ink);font-weight:650;text-decoration:none}
.home svg{width:28px;height:28px}
.columns{display:grid;grid-template-columns:210px minmax(0,1fr);gap:40px;padding:24px 0 64px}
nav{position:sticky;top:16px;align-self:start;display:grid;gap:2px;max-height:calc(100vh - 32px);overflow:auto}
nav a{padding:6px 12px;border-radius:10px;color:var(--soft);text-decoration:none;font-size:14px}
nav a[aria-current]{background:color-mix(in srgb,var(--act) 12%,var(--page));color:var(--act)}
h1{margin:0 0 8px;font-size:28px;line-height:1.3;font-weight:650}
h2{margin:36px 0 8px;font-size:20px;font-weight:650}
h3{margin:24px 0 4px;font-size:16px;font-weight:650}
h2 a,h3 a{color:inherit;text-decoration:none}
main a{color:var(--act)}
pre{overflow:auto;padding:12px 16px;background:var(--card);border:1px solid var(--line);border-radius:10px}
code{font:13px/1.6 ui-monospace,'SF Mono','DejaVu Sans Mono',monospace}
:not(pre)>code{padding:1px 5px;background:color-mix(in srgb,var(--ink) 7%,var(--page));border-radius:5px;overflow-wrap:anywhere}
.wide{overflow:auto}
table{border-collapse:collapse;font-size:14px}
th,td{padding:6px 12px 6px 0;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--soft);font-weight:550}
@media(max-width:760px){.columns{grid-template-columns:minmax(0,1fr);gap:16px}nav{position:static;display:flex;flex-wrap:nowrap;overflow:auto}nav a{white-space:nowrap}}
`
