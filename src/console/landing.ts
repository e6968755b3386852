import { escaped, pageHeaders, visitOf } from './page-head'

/** What the small page at `/` names. */
export interface Landing {
  readonly name: string
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
    reference: 'مستندات',
    models: 'مدل‌ها',
  },
  en: {
    lead: 'One address and one key for every model.',
    address: 'Address for your programs',
    app: 'Sign in and make a key',
    reference: 'Reference',
    models: 'Models',
  },
} as const

/** The small page at `/`: whose service this is, and where to go. */
export function landingPage(headers: Headers, landing: Landing): Response {
  const { language, scheme, nonce } = visitOf(headers)
  const told = texts[language]
  const direction = language === 'fa' ? 'rtl' : 'ltr'
  const name = escaped(landing.name)
  const html = `<!doctype html>
<html lang="${language}" dir="${direction}" data-scheme="${scheme}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${name}</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(mark)}" />
    <style nonce="${nonce}">${style}</style>
  </head>
  <body>
    <main>
      ${mark}
      <h1>${name}</h1>
      <p>${told.lead}</p>
      <p class="soft">${told.address}</p>
      <p><code dir="ltr" lang="en">${escaped(landing.baseUrl)}</code></p>
      <nav>
        ${landing.hasApp ? `<a class="act" href="/app">${told.app}</a>` : ''}
        <a href="/docs">${told.reference}</a>
        <a href="/v1/models">${told.models}</a>
      </nav>
    </main>
  </body>
</html>
`
  return new Response(html, { headers: pageHeaders(nonce, landing.isSecure) })
}

const mark = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="48" height="48" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b6b66"/><g fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"><rect x="8.5" y="8.5" width="15" height="15"/><rect x="8.5" y="8.5" width="15" height="15" transform="rotate(45 16 16)"/></g><circle cx="16" cy="16" r="2.6" fill="#f2b544"/></svg>`

const night = `--page:#101413;--card:#191e1c;--line:#2c3331;--ink:#e7eae8;--soft:#a3aba7;--act:#48b0a8;--fill:#0f827b`
const style = `
:root{--page:#f7f7f4;--card:#fff;--line:#e3e3de;--ink:#191b19;--soft:#5d5f59;--act:#0b6b66;--fill:#0b6b66;color-scheme:light dark}
:root[data-scheme=dark]{${night}}
@media(prefers-color-scheme:dark){:root[data-scheme=auto]{${night}}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--page);color:var(--ink);font:16px/1.7 Vazirmatn,system-ui,'Segoe UI',Tahoma,sans-serif}
main{box-sizing:border-box;width:min(440px,calc(100vw - 32px));margin:24px 0;padding:32px 28px;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:12px 0 0;font-size:24px;font-weight:650}
p{margin:4px 0}
.soft{margin-top:20px;color:var(--soft);font-size:13px}
code{font:13px/1.6 ui-monospace,'SF Mono','DejaVu Sans Mono',monospace;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:8px;margin-top:24px}
a{padding:10px 16px;border:1px solid var(--line);border-radius:10px;color:var(--act);text-decoration:none}
a.act{background:var(--fill);border-color:var(--fill);color:#fff}
a:focus-visible{outline:2px solid var(--act);outline-offset:2px}
`
