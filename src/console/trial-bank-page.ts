import { escapeHtml } from '../gateway/http/escape-html'
import type { Rial } from '../domain/payment'
import type { ShownBrand } from './brand'
import { pageHeaders, visitOf } from './page-head'
import { frameOf } from './plain-frame'

interface TrialBankVisit {
  readonly rials: Rial
  readonly brand: ShownBrand
  readonly isSecure: boolean
  /** Somebody paid with another word. */
  readonly isWordWrong: boolean
}

const texts = {
  fa: {
    title: 'بانک آزمایشی',
    lead: 'این پول واقعی نیست. این صفحه فقط برای آزمودن سرویس است و کارتی نمی‌خواهد.',
    word: 'کلمهٔ یک‌بارمصرف',
    wordHint: 'در ترمینال یا گزارش سرویس نوشته شده است.',
    wordWrong: 'این کلمه درست نیست.',
    amount: 'مبلغ',
    rials: 'ریال',
    pay: 'پرداخت می‌کنم',
    leave: 'انصراف',
  },
  en: {
    title: 'Test bank',
    lead: 'This is no money. The page is for trying the service, and asks for no card.',
    word: 'One-time word',
    wordHint: 'It stands on the terminal of the service, or in its log.',
    wordWrong: 'That is not the word.',
    amount: 'Amount',
    rials: 'rials',
    pay: 'Pay',
    leave: 'Cancel',
  },
} as const

/** The page of the test bank: without a script, and unlike any real bank's. */
export function trialBankPage(
  headers: Headers,
  { rials, brand, isSecure, isWordWrong }: TrialBankVisit,
): Response {
  const { language, scheme, nonce } = visitOf(headers)
  const told = texts[language]
  const amount = new Intl.NumberFormat(language === 'fa' ? 'fa-IR' : 'en').format(rials)
  const html = frameOf({
    language,
    scheme,
    nonce,
    brand,
    title: told.title,
    style,
    body: `<main>
      <p class="soft">${escapeHtml(brand.name)}</p>
      <h1>${told.title}</h1>
      <p>${told.lead}</p>
      <dl><dt>${told.amount}</dt><dd>${amount} ${told.rials}</dd></dl>
      <form method="post">
        <label for="word">${told.word}</label>
        <input id="word" name="word" dir="ltr" lang="en" required autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" aria-describedby="hint"${isWordWrong ? ' aria-invalid="true"' : ''} />
        <p class="soft" id="hint">${isWordWrong ? `<strong role="alert">${told.wordWrong}</strong> ` : ''}${told.wordHint}</p>
        <button class="pay" name="do" value="pay">${told.pay}</button>
        <button name="do" value="leave" formnovalidate>${told.leave}</button>
      </form>
    </main>`,
  })
  return new Response(html, {
    status: isWordWrong ? 403 : 200,
    headers: {
      ...pageHeaders(nonce, isSecure),
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
    },
  })
}

/** Its own: nothing but its style, its icon, and its two buttons. */
const policy = (nonce: string): string =>
  [
    `default-src 'none'`,
    `style-src 'nonce-${nonce}'`,
    `img-src 'self' data:`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ')

const style = `
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:16px;box-sizing:border-box}
main{box-sizing:border-box;width:min(400px,100%);padding:28px 24px;background:var(--card);border:2px dashed #dc9722;border-radius:14px}
h1{margin:4px 0 8px;font-size:1.375rem}
p{margin:0}
.soft{color:var(--soft);font-size:.875rem}
dl{margin:20px 0;padding:14px 16px;display:flex;justify-content:space-between;gap:12px;border:1px solid var(--line);border-radius:10px}
dt{color:var(--soft)}
dd{margin:0;font-weight:650}
form{display:grid;gap:10px}
label{font-weight:600}
input{box-sizing:border-box;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:10px;background:none;color:var(--ink);font:inherit;text-transform:uppercase;letter-spacing:.08em}
input:focus-visible{outline:2px solid var(--act);outline-offset:2px}
button{min-height:44px;padding:10px 20px;border:1px solid var(--line);border-radius:10px;background:none;color:var(--ink);font:inherit;cursor:pointer}
.pay{background:var(--fill);border-color:var(--fill);color:#fff;font-weight:600}
button:focus-visible{outline:2px solid var(--act);outline-offset:2px}
`
