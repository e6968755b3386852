import { pdfPages } from './pdf-pages'

/**
 * Tokens of a page: Claude reads 1,500 to 3,000 of text and a picture of it besides
 * (platform.claude.com/docs, PDF support), Gemini 258, or 560 from 3.0 on (ai.google.dev, document
 * understanding).
 */
const pageTokens = 3000
/** Tokens of a file that is no PDF, or cannot be read. */
const otherPageTokens = 2000
const otherPageBytes = 50_000

/** Tokens of a file in a prompt. @param data base64, maybe as a `data:` URL; or an address */
export async function fileTokens(data: unknown): Promise<number> {
  if (typeof data !== 'string') return otherPageTokens
  const comma = /^data:/i.test(data.slice(0, 5)) ? data.indexOf(',') : -1
  const bytes = Buffer.from(comma < 0 ? data : data.slice(comma + 1), 'base64')
  const pages = await pdfPages(bytes)
  return pages === null
    ? otherPageTokens * Math.max(1, Math.ceil(bytes.length / otherPageBytes))
    : pageTokens * pages
}
