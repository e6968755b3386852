import { escapeHtml } from '../gateway/http/escape-html'
import { brandFacts, brandStyle, iconUrl, type ShownBrand } from './brand'
import type { EmbeddedApp, EmbeddedFile } from './embedded'
import { isOfOperators } from './operator-door'
import { pageHeaders, visitOf } from './page-head'

/** Files of the web app by address; every other address below `/app` is the page itself. */
export type Pages = (request: Request, path: string) => Response

interface PagesParts {
  readonly app: EmbeddedApp
  /** Read at each page. */
  brand(): ShownBrand
  /** The service is reached by https. */
  readonly isSecure: boolean
}

/** Below it lie the files of the app. */
export const assetPath = '/app/assets/'
const yearSeconds = 31_536_000

/** A file in one encoding, and the headers that it goes out with. */
interface Sent {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** Nothing is read before the first request. */
export function openPages({ app, brand, isSecure }: PagesParts): Pages {
  const byName = new Map(app.files.map((file) => [file.name, file]))
  return (request, path) => {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
    if (!path.startsWith(assetPath))
      return pageOf(app, request.headers, brand(), { isSecure, soon: chunksOf(path) })
    const file = byName.get(path.slice(assetPath.length))
    // Of another build: a page that is older than the program asks for it, and loads itself anew.
    if (file === undefined)
      return new Response('not found\n', { status: 404, headers: { 'cache-control': 'no-store' } })
    const sent = sentAs(file, request.headers.get('accept-encoding') ?? '')
    return new Response(Bun.file(sent.path), { headers: sent.headers })
  }
}

/** @param accepted as the browser lists its encodings */
function sentAs(file: EmbeddedFile, accepted: string): Sent {
  const headers = {
    'content-type': file.type,
    'cache-control': `public, max-age=${yearSeconds}, immutable`,
    vary: 'accept-encoding',
    'cross-origin-resource-policy': 'same-origin',
  }
  const encoded = (path: string, encoding: string): Sent => ({
    path,
    headers: { ...headers, 'content-encoding': encoding },
  })
  if (file.br !== null && /\bbr\b/.test(accepted)) return encoded(file.br, 'br')
  if (file.gzip !== null && /\bgzip\b/.test(accepted)) return encoded(file.gzip, 'gzip')
  return { path: file.plain, headers }
}

/** Chunks that a page needs first, with a session and without. */
interface Chunks {
  readonly inside: readonly string[]
  readonly outside: readonly string[]
  /** It has texts of its own by this name; null for none. */
  readonly texts: string | null
}

function chunksOf(path: string): Chunks {
  if (isOfOperators(path))
    return { inside: ['operators'], outside: ['operators'], texts: 'operator' }
  if (!/^\/app\/models(?:\/|$)/.test(path))
    return { inside: ['shell', 'home'], outside: ['sign-in'], texts: null }
  const models = /^\/app\/models\/./.test(path) ? 'model' : 'models'
  return { inside: ['shell', models], outside: ['public-shell', models], texts: 'models' }
}

/** The sign that was built into the page. */
const ownIcon = /\/app\/assets\/icon-\w+\.svg/g

const isOwn = ({ colour, logo }: ShownBrand): boolean => colour === null && logo === null

/** The page in the language and colours of this browser: its first byte is right. */
function pageOf(
  app: EmbeddedApp,
  headers: Headers,
  brand: ShownBrand,
  { isSecure, soon }: { readonly isSecure: boolean; readonly soon: Chunks },
): Response {
  const { language, scheme, hasSession, nonce } = visitOf(headers)
  const chunks = [
    language,
    ...(hasSession ? soon.inside : soon.outside),
    ...(soon.texts === null ? [] : [`${language}-${soon.texts}`]),
  ]
  const marks: Readonly<Record<string, string>> = {
    '%lang%': language,
    '%dir%': language === 'fa' ? 'rtl' : 'ltr',
    '%scheme%': scheme,
    '%nonce%': nonce,
    '%session%': hasSession ? 'some' : 'none',
    '%name%': escapeHtml(brand.name),
    '%brand%': escapeHtml(JSON.stringify(brandFacts(brand))),
    '<meta name="brand-style" />': `<style nonce="${nonce}">${brandStyle(brand, 'data-mantine-color-scheme')}</style>`,
    '<meta name="preload" content="%preload%" />': preloads(app, chunks),
  }
  const html = app.page
    .replace(
      /<meta name="(?:preload" content="%preload%|brand-style)" \/>|%[a-z]+%/g,
      (mark) => marks[mark] ?? mark,
    )
    .replaceAll(ownIcon, (url) => (isOwn(brand) ? url : escapeHtml(iconUrl(brand))))
  return new Response(html, { headers: pageHeaders(nonce, isSecure) })
}

/** What this visit needs next: the browser fetches it while it still reads the rest. */
const preloads = ({ files }: EmbeddedApp, chunks: readonly string[]): string =>
  chunks
    .flatMap((chunk) =>
      // Its name, then a hash: names may begin alike.
      files.filter(({ name }) => name.replace(/-[^-]+\.js$/, '') === chunk),
    )
    .map(({ name }) => `<link rel="modulepreload" href="${assetPath}${name}">`)
    .join('')
