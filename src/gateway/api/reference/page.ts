import { createHash } from 'node:crypto'
import { contentOf } from './content'
import { html } from './html'
import type { JsonFields } from './json-schema'
import type { ReferenceLanguage } from './words'

/** Style sheet of the reference page, by day and by night, and on a telephone. */
const pageStyle = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--line:#d9d9e0;--page:#fff;--code:#f4f4f6;--mark:#0b68cb}
@media(prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#b0b4ba;--line:#363a3f;--page:#111113;--code:#1c1d20;--mark:#70b8ff}}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--page);font:16px/1.6 Vazirmatn,system-ui,'Segoe UI',Tahoma,sans-serif}
main{max-width:60rem;margin:0 auto;padding:0 1.25rem}
main{padding-bottom:4rem}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
a{color:var(--mark)}
h1{margin:2rem 0 .5rem}h2{margin:3rem 0 .5rem;border-bottom:1px solid var(--line)}h3{margin:2rem 0 .25rem;overflow-wrap:anywhere}[dir=rtl] h3{text-align:right}
h4{margin:1rem 0 .25rem}
code,pre{font:.875em/1.5 ui-monospace,monospace;background:var(--code);border-radius:4px}
code{padding:.1em .3em}pre{padding:.75rem 1rem;overflow-x:auto;text-align:left}pre code{padding:0;font-size:1em}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.925rem}
th,td{text-align:start;vertical-align:top;padding:.4rem 0;padding-inline-end:.75rem;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:600}
.logo{height:48px;max-width:160px;margin-top:2rem;object-fit:contain}
.soft{color:var(--soft)}
.verb{color:var(--mark);font-weight:700}
details{margin:.5rem 0}summary{cursor:pointer}
`

/** A page, and what a browser may do with it. */
export interface Page {
  readonly html: string
  /** Nothing is loaded, run or sent; the one style that the page holds is known by its hash. */
  readonly contentSecurityPolicy: string
}

/** Brand of the reference, where that is not the program's own name and colours. */
export interface PageBrand {
  readonly name: string | null
  /** Of links by day and by night. */
  readonly colours: { readonly byDay: string; readonly atNight: string } | null
  /** A `data:` address: the page loads nothing. */
  readonly logo: string | null
}

/**
 * The document for people, where nothing else is served to them: one page without a script, and
 * without anything from elsewhere.
 */
export function referencePage(
  document: JsonFields,
  brand: PageBrand,
  language: ReferenceLanguage,
): Page {
  const content = contentOf(document, language, brand.name)
  const body = html`<!doctype html>
    <html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${content.title}</title>
        <style>
          ${{ html: pageStyle + markStyle(brand) }}
        </style>
      </head>
      <body>
        <main>
          ${brand.logo === null ? [] : [html`<img class="logo" src="${brand.logo}" alt="" />`]}
          ${content.html}
        </main>
      </body>
    </html> `
  // As it stands in the page, blanks and all: that is what a browser compares.
  const style = body.html.slice(
    body.html.indexOf('<style>') + '<style>'.length,
    body.html.indexOf('</style>'),
  )
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    html: body.html,
    contentSecurityPolicy: [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      ...(brand.logo === null ? [] : ['img-src data:']),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  }
}

const markStyle = ({ colours }: PageBrand): string =>
  colours === null
    ? ''
    : `:root{--mark:${colours.byDay}}@media(prefers-color-scheme:dark){:root{--mark:${colours.atNight}}}`
