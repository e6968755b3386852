import { GatewayError, type ErrorOptions } from '../../errors/gateway-error'
import { VendorFailure, type Alert, type VendorWords } from '../../errors/vendor-failure'
import { saysTooLong } from '../formats/context-length'
import { jsonOr, readReportedError, type ReportedError } from './error-body'
import { scrub } from './scrub'
import type { HeaderReader } from './vendor'

type Fields = Readonly<Record<string, unknown>>

const maxRetrySeconds = 60
const noHeaders = new Headers()

/** A vendor's failed answer in our codes. @param model as the client named it */
export function vendorFailure(
  status: number,
  headers: HeaderReader,
  body: string,
  model: string,
): GatewayError {
  return refusalFor(status, readReportedError(jsonOr(body)), model, retryAfter(headers))
}

/**
 * A failure inside a success or a stream event: `error` as an object or a text, or a flat error
 * object. Null when there is none.
 */
export function embeddedFailure(reply: Fields, model: string): GatewayError | null {
  const { error, choices } = reply
  const isError =
    (error !== undefined && error !== null && error !== false && error !== '') ||
    reply['object'] === 'error' ||
    reply['type'] === 'error' ||
    (choices === undefined && ['detail', 'message'].some((name) => typeof reply[name] === 'string'))
  if (!isError) return null
  const said = readReportedError(reply)
  return refusalFor(said.status ?? statusOf(said), said, model, retryAfter(noHeaders))
}

/** Throws the failure that a reply or a stream event holds, if any. */
export function refuseEmbedded(reply: Fields, model: string): void {
  const failure = embeddedFailure(reply, model)
  if (failure !== null) throw failure
}

/** Words of a vendor's failure, for the log. */
export const vendorWords = ({ message, type, code, param }: ReportedError): VendorWords => ({
  message: scrub(message),
  type,
  code,
  param,
})

/** Every row of the table of vendor failures. */
function refusalFor(
  status: number,
  said: ReportedError,
  model: string,
  retryAfterSeconds: number | null,
): GatewayError {
  const words = vendorWords(said)
  const options = (alert: Alert | null = null): ErrorOptions => ({
    cause: new VendorFailure(status, words, alert),
  })
  const wait = retryAfterSeconds === null ? {} : { retryAfterSeconds }
  const full = (alert: Alert | null) =>
    new GatewayError('upstream_capacity_full', { model }, { ...options(alert), ...wait })
  const rejected = () => {
    // A name that the scrubber would touch is no name of a field.
    const param = said.param !== null && scrub(said.param) === said.param ? said.param : null
    const more = param === null ? {} : { param }
    const contextTooLong = status === 413 || saysTooLong(said.codes) || saysTooLong(said.message)
    const facts = { said: words.message }
    const sealRejected = saysSealRejected(said)
    const kind = { contextTooLong, sealRejected }
    return new GatewayError('upstream_rejected', facts, { ...options(), ...more, ...kind })
  }

  if (isOurQuota(status, said)) return full('quota')
  if (isPolicy(status, said)) return rejected()
  if (status === 429 || isRateCode(status, said))
    return new GatewayError('upstream_rate_limited', { model }, { ...options(), ...wait })
  switch (status) {
    case 401:
    case 403:
      return new GatewayError('upstream_error', { model }, options('credential'))
    case 404:
      return isOfModel(said)
        ? new GatewayError(
            'model_temporarily_unavailable',
            { model },
            { ...options('model'), ...wait },
          )
        : rejected()
    case 408:
    case 504:
      return new GatewayError('upstream_unreachable', { model }, options())
    case 503:
    case 529:
      return full(null)
  }
  if (status >= 400 && status < 500) return rejected()
  return new GatewayError('upstream_error', { model }, options())
}

/**
 * Codes of an empty account: OpenAI's, DeepSeek's, Alibaba's (`Arrearage`), Moonshot's, and 1113 of Zhipu.
 * This table and those below hold what vendors document and what replies were seen to say; none of it is a
 * standard.
 */
const quotaCodes =
  /insufficient_quota|insufficient_balance|arrearage|billing_hard_limit|billing_not_active|exceeded_current_quota|\b1113\b/
const quotaWords =
  /insufficient (?:account )?balance|exceeded your current quota|available credits|any credits|spending limit|credit balance/

/**
 * Our account at the vendor is empty: no fault of the client, and no use in telling it to pay. A
 * 400 is believed by its code alone, since its text may repeat what the client wrote.
 */
const isOurQuota = (status: number, { codes, message }: ReportedError): boolean =>
  status === 402 ||
  ((status === 429 || status === 403 || status === 400) && quotaCodes.test(codes)) ||
  ((status === 429 || status === 403) && quotaWords.test(message.toLowerCase())) ||
  (status === 400 && /^your credit balance is too low/i.test(message))

/** Codes of a refused prompt: OpenAI's, Azure's, Alibaba's (`DataInspectionFailed`), and 1301 of Zhipu. */
const policyCodes =
  /content_?policy|content_?filter|moderation|data_?inspection_?failed|responsibleaipolicy|safety|unsafe|\b1301\b/
const policyWords =
  /content (?:management )?policy|usage (?:guidelines|policies)|safety (?:system|check)|safety_check|flagged|moderation/

const isPolicy = (status: number, { codes, message }: ReportedError): boolean =>
  (status === 400 || status === 403) &&
  (policyCodes.test(codes) || policyWords.test(message.toLowerCase()))

/** Vendors that number their refusals (Zhipu: 1302, 1303, 1305), or say `Throttling` with a 400 (Alibaba). */
const isRateCode = (status: number, { codes }: ReportedError): boolean =>
  status === 400 && /^throttling\b|\b130[235]\b/.test(codes)

/** A 404 that says nothing of its own is a wrong address or model of ours, not the client's fault. */
const isOfModel = ({ param, codes, message }: ReportedError): boolean => {
  if (param !== null) return param === 'model'
  if (/model|deployment/.test(codes)) return true
  return /^\W*$|model|deployment|endpoint|\burl\b|route|path|^(?:resource )?not found/i.test(
    message,
  )
}

/** For errors that come without a status. */
function statusOf({ codes }: ReportedError): number {
  if (quotaCodes.test(codes)) return 429
  if (/billing_error/.test(codes)) return 402
  if (/rate_?limit|throttling|too_many_requests|resource_exhausted|\b130[235]\b/.test(codes))
    return 429
  if (/overloaded|capacity|unavailable/.test(codes)) return 503
  if (/authentication|invalid_api_key|permission/.test(codes)) return 401
  if (/not_found/.test(codes)) return 404
  if (/timeout|deadline/.test(codes)) return 504
  if (policyCodes.test(codes)) return 400
  return /invalid|unsupported|tool_use_failed|context_length|too_large/.test(codes) ? 400 : 502
}

/**
 * Whole seconds, from `retry-after-ms` (OpenAI, Azure) or `Retry-After` (RFC 9110, 10.2.3); capped. A date
 * counts from the answer's own.
 */
function retryAfter(headers: HeaderReader): number | null {
  const inMs = headers.get('retry-after-ms')
  if (inMs !== null && isNumber.test(inMs)) return capped(Number(inMs) / 1000)
  const reported = headers.get('retry-after')
  if (reported === null) return null
  if (isNumber.test(reported)) return capped(Number(reported))
  const sent = Date.parse(headers.get('date') ?? '')
  const at = Date.parse(reported)
  return Number.isNaN(at) || Number.isNaN(sent) ? null : capped((at - sent) / 1000)
}

const isNumber = /^\d{1,12}(?:\.\d+)?$/

const capped = (seconds: number): number =>
  Math.min(maxRetrySeconds, Math.max(1, Math.ceil(seconds)))

/** OpenAI's, Azure's too. */
const rejectionCode = /\binvalid_encrypted_content\b/

/**
 * Words of vendors that cannot read, or no longer believe, sealed reasoning of a request: OpenAI's
 * (`encrypted_content` of another organisation), Anthropic's and Google's, as they were seen to say.
 */
const rejectionWords: readonly RegExp[] = [
  /encrypted content\b.{0,200}\b(?:could not be|did not match)/is,
  /invalid `?(?:signature|data)`? in `?(?:redacted_)?thinking/i,
  /thinking\.signature: field required/i,
  /`?thinking`? (?:or `?redacted_thinking`? )?blocks in the latest assistant message cannot be modified/i,
  // Of a turn that another model began, which has no thinking of this one.
  /expected `?thinking`?.{0,40}, but found/i,
  /(?:invalid|corrupted) thought[ _]?signature/i,
  /thought[ _]?signature is not valid/i,
]

/** Whether a vendor rejects a request for sealed reasoning in it: without that it may take it. */
const saysSealRejected = ({ codes, message }: ReportedError): boolean =>
  rejectionCode.test(codes) || rejectionWords.some((words) => words.test(message))
