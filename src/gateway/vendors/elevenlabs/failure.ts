import type { GatewayError } from '../../../errors/gateway-error'
import { fieldsOf } from '../../json/fields'
import { vendorFailure } from '../failure'
import type { HeaderReader } from '../vendor'

/** Codes for our own lack of credit or of a plan, sent with the status of a wrong key (as observed). */
const ofOurAccount = new Set(['quota_exceeded', 'subscription_required', 'payment_required'])
/** Busy, with the status of a caller who asks too often. */
const busy = 'system_busy'

/**
 * A failed answer in our codes: `{detail: {status, message}}`, where the status tells more than HTTP's.
 * @see vercel/ai `packages/elevenlabs` of 2026-08-22
 */
export function elevenLabsFailure(
  status: number,
  headers: HeaderReader,
  body: string,
  model: string,
): GatewayError {
  const said = statusIn(body)
  if (ofOurAccount.has(said)) return vendorFailure(402, headers, body, model)
  if (said === busy) return vendorFailure(503, headers, body, model)
  return vendorFailure(status, headers, body, model)
}

function statusIn(body: string): string {
  try {
    const { status, code } = fieldsOf(fieldsOf(JSON.parse(body))['detail'])
    const said = status ?? code
    return typeof said === 'string' ? said : ''
  } catch {
    return ''
  }
}
