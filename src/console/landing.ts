import { escapeHtml } from '../gateway/http/escape-html'
import { markOf, type ShownBrand } from './brand'
import { pageHeaders, visitOf } from './page-head'
import { frameOf } from './plain-frame'

/** Facts on the small page at `/`. */
interface Landing {
  readonly brand: ShownBrand
  /** Where clients point to, `/v1` included. */
  readonly baseUrl: string
  /** The web app is served below `/app`. */
  readonly hasApp: boolean
  readonly isSecure: boolean
}

const texts = {
  fa: {
    lead: 'یک نشانی و یک کلید برای همهٔ مدل‌ها.',
    address: 'نشانی برای برنامه‌ها',
    app: 'ورود و ساختن کلید',
    guide: 'راهنما',
    reference: 'مرجع',
    models: 'مدل‌ها',
  },
  en: {
    lead: 'One address and one key for every model.',
    address: 'Address for your programs',
    app: 'Sign in and make a key',
    guide: 'Guide',
    reference: 'Reference',
    models: 'Models',
  },
} as const

/** The small page at `/`: whose service this is, and where to go. */
export function landingPage(headers: Headers, landing: Landing): Response {
  const { language, scheme, nonce } = visitOf(headers)
  const told = texts[language]
  const html = frameOf({
    language,
    scheme,
    nonce,
    brand: landing.brand,
    title: landing.brand.name,
    style,
    body: `<main>
      ${markOf(landing.brand)}
      <h1 dir="auto">${escapeHtml(landing.brand.name)}</h1>
      <p>${told.lead}</p>
      <p class="soft">${told.address}</p>
      <p><code dir="ltr" lang="en">${escapeHtml(landing.baseUrl)}</code></p>
      <nav>
        ${landing.hasApp ? `<a class="act" href="/app">${told.app}</a>` : ''}
        <a href="/docs/start">${told.guide}</a>
        <a href="/docs">${told.reference}</a>
        <a href="${landing.hasApp ? '/app/models' : '/v1/models'}">${told.models}</a>
      </nav>
    </main>`,
  })
  return new Response(html, { headers: pageHeaders(nonce, landing.isSecure) })
}

const style = `
body{margin:0;min-height:100vh;display:grid;place-items:center}
main{box-sizing:border-box;width:min(440px,calc(100vw - 32px));margin:24px 0;padding:32px 28px;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:12px 0 0;font-size:24px;font-weight:650}
p{margin:4px 0}
.soft{margin-top:20px;color:var(--soft);font-size:13px}
code{font:13px/1.6 ui-monospace,'SF Mono','DejaVu Sans Mono',monospace;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:8px;margin-top:24px}
a{padding:10px 16px;border:1px solid var(--line);border-radius:10px;color:var(--act);text-decoration:none}
a.act{background:var(--fill);border-color:var(--fill);color:#fff}
`
