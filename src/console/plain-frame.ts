import { escapeHtml } from '../gateway/http/escape-html'
import { brandStyle, iconUrl, type ShownBrand } from './brand'
import type { Visit } from './page-head'

/** A page without a script: what stands around its body. */
interface PlainPage extends Pick<Visit, 'language' | 'scheme' | 'nonce'> {
  readonly brand: ShownBrand
  readonly title: string
  /** Besides the colours and letters that all pages have. */
  readonly style: string
  /** HTML. */
  readonly body: string
}

export const frameOf = ({
  language,
  scheme,
  nonce,
  brand,
  title,
  style,
  body,
}: PlainPage): string =>
  `<!doctype html>
<html lang="${language}" dir="${language === 'fa' ? 'rtl' : 'ltr'}" data-scheme="${scheme}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="${escapeHtml(iconUrl(brand))}" />
    <style nonce="${nonce}">${colours}${brandStyle(brand, 'data-scheme')}${style}</style>
  </head>
  <body>
    ${body}
  </body>
</html>
`

const night = `--page:#101413;--card:#191e1c;--line:#2c3331;--ink:#e7eae8;--soft:#a3aba7;--act:#48b0a8;--fill:#0f827b`
const colours = `
:root{--page:#f7f7f4;--card:#fff;--line:#e3e3de;--ink:#191b19;--soft:#5d5f59;--act:#0b6b66;--fill:#0b6b66;color-scheme:light dark}
:root[data-scheme=light]{color-scheme:light}
:root[data-scheme=dark]{${night};color-scheme:dark}
@media(prefers-color-scheme:dark){:root[data-scheme=auto]{${night}}}
body{background:var(--page);color:var(--ink);font:16px/1.7 Vazirmatn,system-ui,'Segoe UI',Tahoma,sans-serif}
img.logo{max-width:160px;object-fit:contain}
a:focus-visible{outline:2px solid var(--act);outline-offset:2px}
`
