import { createHash } from 'node:crypto'
import { contentOf } from './content'
import { html } from './html'
import type { JsonFields } from './json-schema'
import { pageStyle } from './page-style'
import type { ReferenceLanguage } from './words'

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
