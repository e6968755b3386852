/** A letter before it is laid out. */
interface Letter {
  readonly language: 'fa' | 'en'
  readonly service: string
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Shown large, from left to right. */
  readonly code?: string
  /** Where to go on; null where nobody said where the service is reached. */
  readonly link: { readonly url: string; readonly label: string } | null
  /** Why it came, in small. */
  readonly foot: string
}

export interface LaidOut {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ')

/** A letter as text and as simple HTML, in the direction of its language. Nothing is loaded from anywhere. */
export function layOut(letter: Letter): LaidOut {
  const { service, title, paragraphs, code, link, foot } = letter
  const text = [
    title,
    ...paragraphs,
    ...(code === undefined ? [] : [code]),
    ...(link === null ? [] : [`${link.label}: ${link.url}`]),
    `— ${service}`,
    foot,
  ]
  return {
    subject: oneLine(`${service}: ${title}`),
    text: `${text.join('\n\n')}\n`,
    html: htmlOf(letter),
  }
}

function htmlOf({ language, service, title, paragraphs, code, link, foot }: Letter): string {
  const [direction, align] = language === 'fa' ? ['rtl', 'right'] : ['ltr', 'left']
  const font = 'Vazirmatn, Tahoma, Arial, sans-serif'
  const shownCode =
    code === undefined
      ? ''
      : `<p dir="ltr" style="font:700 28px ui-monospace,monospace;letter-spacing:4px;text-align:${align}">${escaped(code)}</p>`
  const button =
    link === null
      ? ''
      : `<p><a href="${escaped(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:10px;background:#0b6b66;color:#ffffff;text-decoration:none">${escaped(link.label)}</a></p>`
  return `<!doctype html><html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title></head>
<body style="margin:0;padding:24px 12px;background:#f7f7f4;color:#191b19;font:16px/1.8 ${font}">
<div dir="${direction}" style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #e3e3de;border-radius:14px;text-align:${align}">
<p style="margin:0;color:#5d5f59;font-size:13px">${escaped(service)}</p>
<h1 style="margin:4px 0 12px;font-size:20px">${escaped(title)}</h1>
${paragraphs.map((each) => `<p>${escaped(each)}</p>`).join('\n')}
${shownCode}${button}
<p style="margin:20px 0 0;color:#5d5f59;font-size:12px">${escaped(foot)}</p>
</div></body></html>
`
}
