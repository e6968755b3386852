import { GatewayError } from '../../../errors/gateway-error'
import { VendorFailure } from '../../../errors/vendor-failure'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { readReportedError } from '../error-body'
import { vendorFailure, vendorWords } from '../failure'

/**
 * A failed answer of Google in our codes. Its words for a quota and for a rate are the same: only the
 * details tell them apart, and how long to wait.
 * @see googleapis/googleapis `google/rpc/error_details.proto` (`RetryInfo`, `QuotaFailure`, `ErrorInfo`)
 */
export function googleFailure(
  status: number,
  headers: Headers,
  body: string,
  model: string,
): GatewayError {
  const error = errorOf(body)
  const details = listOf(error['details']).map(fieldsOf)
  const cause = new VendorFailure(status, vendorWords(readReportedError({ error })), null)
  const wait = retryDelay(details) ?? retryAfter(headers)
  const retry = wait === null ? { cause } : { cause, retryAfterSeconds: wait }
  if (status === 429 && isDaily(details))
    return new GatewayError(
      'upstream_capacity_full',
      { model },
      { ...retry, cause: allowance(cause) },
    )
  if (status === 429) return new GatewayError('upstream_rate_limited', { model }, retry)
  if (isOurFault(error, details))
    return vendorFailure(401, headers, JSON.stringify({ error }), model)
  return vendorFailure(status, headers, body, model)
}

/** An error inside a success; null when there is none. */
export function googleEmbeddedFailure(
  reply: Readonly<Record<string, unknown>>,
  model: string,
): GatewayError | null {
  const { error } = reply
  if (!isFields(error)) return null
  const { code } = error
  const status = typeof code === 'number' ? code : 502
  return googleFailure(status, new Headers(), JSON.stringify({ error }), model)
}

const allowance = ({ status, words }: VendorFailure) =>
  new VendorFailure(status, words, 'allowance')

/** Sometimes wrapped in an array. */
function errorOf(body: string): Fields {
  try {
    const parsed: unknown = JSON.parse(body)
    return fieldsOf(fieldsOf(Array.isArray(parsed) ? parsed[0] : parsed)['error'])
  } catch {
    return {}
  }
}

/**
 * A bad key is a 400 there (reason `API_KEY_INVALID`), and so is a place from which the vendor does not
 * serve.
 */
const isOurFault = ({ message }: Fields, details: readonly Fields[]): boolean =>
  details.some(({ reason }) => reason === 'API_KEY_INVALID') ||
  (typeof message === 'string' && /^(?:API key|User location is not supported)/i.test(message))

const isDaily = (details: readonly Fields[]): boolean =>
  details.some((detail) =>
    listOf(detail['violations']).some((each) => {
      const { quotaId } = fieldsOf(each)
      return typeof quotaId === 'string' && /PerDay/i.test(quotaId)
    }),
  )

/** The router looks again after a minute, whatever the vendor says. */
const maxSeconds = 60
const seconds = (text: string): number => Math.min(maxSeconds, Math.max(1, Math.ceil(Number(text))))

/** `34.4s` of the detail that says so. */
function retryDelay(details: readonly Fields[]): number | null {
  for (const { retryDelay: reported } of details) {
    const found =
      typeof reported === 'string' ? /^(\d{1,9}(?:\.\d+)?)s$/.exec(reported)?.[1] : undefined
    if (found !== undefined) return seconds(found)
  }
  return null
}

function retryAfter(headers: Headers): number | null {
  const reported = headers.get('retry-after')
  return reported !== null && /^\d{1,9}$/.test(reported) ? seconds(reported) : null
}
