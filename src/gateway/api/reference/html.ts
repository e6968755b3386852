import { escapeHtml } from '../../http/escape-html'

/** Text that is HTML already. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | readonly Html[]

/** HTML with everything put into it escaped, but for what is HTML already. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: texts.map((text, at) => text + shown(parts[at])).join(''),
})

function shown(part: Part | undefined): string {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return isMany(part) ? part.map((each) => each.html).join('') : part.html
}

const isMany = (part: Html | readonly Html[]): part is readonly Html[] => Array.isArray(part)

/** Prose with `code` between backquotes, and paragraphs between empty lines. */
export const prose = (text: string): readonly Html[] =>
  text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph)}</p>`)

/** One line of it. */
export const inline = (text: string): readonly Html[] =>
  text
    .split('`')
    .map((piece, at) => (at % 2 === 0 ? html`${piece}` : html`<code dir="ltr">${piece}</code>`))
