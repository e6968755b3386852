import { fieldsOf, isFields, isText, listOf, type Fields } from '../../gateway/json/fields'
import { BillFault } from './fault'

/** An answer of a vendor's report API, read whole. */
interface ReportReply {
  readonly status: number
  readonly text: string
  /** When it wants to be asked again. */
  readonly retryAfterMs: number | null
}

/** One GET. @throws Error where there is no answer in time, or one that is too long */
export type GetReport = (
  url: string,
  headers: Readonly<Record<string, string>>,
) => Promise<ReportReply>

/** Context for fetching a report. */
export interface ReportParts {
  readonly get: GetReport
  readonly wait: (ms: number) => Promise<void>
  /** Up to and with the version. */
  readonly baseUrl: string
  /** Used and forgotten. */
  readonly key: string
}

/** Vendor of a report, for messages. */
export interface Reporter {
  readonly title: string
  /** Kind of key needed, and where it is made. */
  readonly keyHint: string
  headers(key: string): Readonly<Record<string, string>>
}

const maxTries = 4
const maxWaitMs = 60_000
const maxPages = 500

/**
 * Results of a report, page after page, with retries where the vendor limits the rate.
 * @throws BillFault key_refused | vendor_unreachable | vendor_failed | odd_report
 */
export async function* reportPages(
  reporter: Reporter,
  parts: ReportParts,
  path: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<readonly Fields[]> {
  const asked = new Set<string>()
  for (let page: string | null = ''; page !== null;) {
    if (asked.has(page) || asked.size >= maxPages) throw odd(reporter, 'its pages never end')
    asked.add(page)
    const search = new URLSearchParams({ ...query, ...(page === '' ? {} : { page }) })
    const body = await ask(reporter, parts, `${parts.baseUrl}${path}?${search.toString()}`)
    if (!Array.isArray(body['data'])) throw odd(reporter, 'there is no list of data in it')
    yield listOf(body['data']).map(fieldsOf)
    const next = body['next_page']
    if (body['has_more'] === true && !isText(next)) throw odd(reporter, 'a page names no next one')
    page = body['has_more'] === true && isText(next) ? next : null
  }
}

const odd = ({ title }: Reporter, why: string): BillFault =>
  new BillFault('odd_report', `${title} answered with no report that is known: ${why}`)

async function ask(reporter: Reporter, parts: ReportParts, url: string): Promise<Fields> {
  for (let tries = 1; ; tries++) {
    const reply = await answer(reporter, parts, url)
    if (reply.status === 200) return parsed(reporter, reply.text)
    const passing = reply.status === 429 || reply.status >= 500
    const waitMs = reply.retryAfterMs ?? 1000 * 2 ** tries
    if (!passing || tries === maxTries || waitMs > maxWaitMs) throw refused(reporter, reply.status)
    await parts.wait(waitMs)
  }
}

async function answer(
  { title, headers }: Reporter,
  { get, key, baseUrl }: ReportParts,
  url: string,
): Promise<ReportReply> {
  try {
    return await get(url, headers(key))
  } catch (cause) {
    const why = cause instanceof RangeError ? cause.message : 'it does not answer'
    throw new BillFault('vendor_unreachable', `${title} cannot be asked at ${baseUrl}: ${why}`)
  }
}

/** Refusal of a report, without the vendor's own text, which may repeat the key. */
function refused({ title, keyHint }: Reporter, status: number): BillFault {
  if (status === 401 || status === 403)
    return new BillFault(
      'key_refused',
      `${title} refuses this key (${status}): it wants ${keyHint}`,
    )
  if (status === 429)
    return new BillFault(
      'vendor_failed',
      `${title} is asked too often (429): try again in a few minutes`,
    )
  const why = status >= 500 ? 'it has a fault of its own, try again later' : 'is its address right?'
  return new BillFault('vendor_failed', `${title} answered ${status}: ${why}`)
}

function parsed(reporter: Reporter, text: string): Fields {
  try {
    const body: unknown = JSON.parse(text)
    if (isFields(body)) return body
  } catch {
    // Said below.
  }
  throw odd(reporter, 'it is not JSON')
}
