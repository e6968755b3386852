import { GatewayError, type ErrorOptions } from '../errors/gateway-error'
import { scrub } from './scrub'

/** What a vendor said of its failure: for the log, and for the operator when it is ours to mend. */
export class VendorFailure extends Error {
  constructor(
    readonly status: number,
    said: string,
    /** What the operator should look at; null when nothing is wrong on our side. */
    readonly alert: 'credential' | 'quota' | 'model' | null,
  ) {
    super(`${status}${said === '' ? '' : ` ${said}`}${alert === null ? '' : ` [check: ${alert}]`}`)
    this.name = 'VendorFailure'
  }
}

type Fields = Readonly<Record<string, unknown>>

/** The parts of an error body that decide, from any of the shapes vendors use. */
interface Said {
  readonly message: string
  readonly code: string
  readonly type: string
  readonly param: string | null
}

const longestRetrySeconds = 60

/** A vendor's failed answer in our codes. @param model as the client named it */
export function vendorFailure(
  status: number,
  headers: Headers,
  body: string,
  model: string,
): GatewayError {
  const said = saidBy(parsed(body))
  const words = `${said.code} ${said.type} ${said.message}`.toLowerCase()
  const retryAfterSeconds = retryAfter(headers)
  const message = scrub(said.message)
  const options = (alert: VendorFailure['alert'] = null): ErrorOptions => ({
    cause: new VendorFailure(status, message, alert),
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
  })
  const rejected = () =>
    new GatewayError(
      'upstream_rejected',
      { said: message },
      { ...options(), ...(said.param === null ? {} : { param: said.param }) },
    )

  if (isOurQuota(status, words))
    return new GatewayError('upstream_capacity_full', { model }, options('quota'))
  if (isPolicy(status, words)) return rejected()
  switch (status) {
    case 401:
    case 403:
      return new GatewayError('upstream_error', { model }, options('credential'))
    case 404:
      return said.param !== null && said.param !== 'model'
        ? rejected()
        : new GatewayError('model_temporarily_unavailable', { model }, options('model'))
    case 408:
    case 504:
      return new GatewayError('upstream_unreachable', { model }, options())
    case 429:
      return new GatewayError('upstream_rate_limited', { model }, options())
    case 503:
    case 529:
      return new GatewayError('upstream_capacity_full', { model }, options())
  }
  if (status >= 400 && status < 500) return rejected()
  return new GatewayError('upstream_error', { model }, options())
}

/** Our account at the vendor is empty: no fault of the client, and no use in telling it to pay. */
const isOurQuota = (status: number, words: string): boolean =>
  status === 402 ||
  ((status === 429 || status === 400 || status === 403) &&
    /insufficient_quota|insufficient balance|insufficient_balance|arrearage|billing_hard_limit|credit balance|exceeded_current_quota/.test(
      words,
    ))

const isPolicy = (status: number, words: string): boolean =>
  (status === 400 || status === 403) &&
  /content_policy|content_filter|moderation_blocked|data_inspection_failed|responsibleaipolicy|safety system|flagged/.test(
    words,
  )

/**
 * A failure inside a success or a stream event: `error` as an object or a text, or a flat error
 * object. Null when there is none.
 */
export function embeddedFailure(reply: Fields, model: string): GatewayError | null {
  const { error } = reply
  const isError =
    (error !== undefined && error !== null && error !== false) ||
    reply['object'] === 'error' ||
    (reply['choices'] === undefined && typeof reply['detail'] === 'string')
  if (!isError) return null
  const inner = isFields(error) ? error : reply
  const told = Number(inner['status'] ?? inner['code'] ?? reply['status'])
  const status = Number.isInteger(told) && told >= 400 && told < 600 ? told : statusOf(inner)
  return vendorFailure(status, new Headers(), JSON.stringify(reply), model)
}

/** For errors that come without a status. */
function statusOf(error: Fields): number {
  const words = `${String(error['type'])} ${String(error['code'])}`
  if (/rate_limit/.test(words)) return 429
  if (/overloaded|capacity|unavailable/.test(words)) return 503
  return /invalid_request|content_filter|content_policy/.test(words) ? 400 : 502
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function saidBy(body: unknown): Said {
  const first: unknown = Array.isArray(body) ? body[0] : body
  if (typeof first === 'string')
    return { message: looksLikeHtml(first) ? '' : first, code: '', type: '', param: null }
  if (!isFields(first)) return { message: '', code: '', type: '', param: null }
  const error = first['error']
  if (typeof error === 'string') return { ...flat(first), message: error }
  if (isFields(error)) return flat(error)
  const { detail } = first
  if (typeof detail === 'string') return { ...flat(first), message: detail }
  if (Array.isArray(detail) && isFields(detail[0]))
    return { ...flat(first), message: text(detail[0]['msg']) }
  return flat(first)
}

function flat(error: Fields): Said {
  const { message, code, type, param, innererror } = error
  const inner = isFields(innererror) ? text(innererror['code']) : ''
  return {
    message: isFields(message) ? JSON.stringify(message) : text(message),
    code: `${text(code)} ${inner}`.trim(),
    type: text(type),
    param: typeof param === 'string' && param !== '' && param.length <= 128 ? param : null,
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

const looksLikeHtml = (body: string): boolean => /^\s*</.test(body)

/** Whole seconds, from any of the ways vendors say it; capped. */
function retryAfter(headers: Headers): number | null {
  const inMs = Number(headers.get('retry-after-ms') ?? Number.NaN)
  if (inMs >= 0) return capped(inMs / 1000)
  const told = headers.get('retry-after')
  if (told === null) return null
  const seconds = Number(told)
  if (seconds >= 0) return capped(seconds)
  const sent = Date.parse(headers.get('date') ?? '')
  const at = Date.parse(told)
  return Number.isNaN(at) || Number.isNaN(sent) ? null : capped((at - sent) / 1000)
}

const capped = (seconds: number): number =>
  Math.min(longestRetrySeconds, Math.max(1, Math.ceil(seconds)))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
