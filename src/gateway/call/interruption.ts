import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { VendorFailure } from '../../errors/vendor-failure'

/**
 * The error that ends an answer in the middle. A vendor that says why it stops is passed on as it is for a whole
 * answer: its refusal, its rate limit, its lack of capacity; a failure of its own has the code of any interruption.
 * Each says that what was sent is charged. Words about our account with the vendor are not for clients.
 */
export function interruption(thrown: unknown): GatewayError {
  const cause = { cause: thrown }
  if (!isGatewayError(thrown) || !(thrown.cause instanceof VendorFailure))
    return new GatewayError('stream_interrupted', { said: '' }, cause)
  const { words, alert } = thrown.cause
  const said = alert === null ? words.message : ''
  if (thrown.code === 'upstream_rejected') {
    const param = thrown.param === null ? {} : { param: thrown.param }
    return new GatewayError('upstream_rejected', { said, isPartial: true }, { ...cause, ...param })
  }
  const { facts } = thrown
  if (
    (thrown.code === 'upstream_rate_limited' || thrown.code === 'upstream_capacity_full') &&
    'model' in facts
  )
    return new GatewayError(thrown.code, { model: facts.model, said, isPartial: true }, cause)
  return new GatewayError('stream_interrupted', { said }, cause)
}

/**
 * The error of a call that is stopped before its answer began. Its vendor may have made one, and clients would repeat
 * a 502 by themselves.
 */
export const stopped = (why: StoppedBy): GatewayError =>
  new GatewayError(
    'stream_interrupted',
    {},
    { fateUnknown: true, headers: { 'x-should-retry': 'false' }, cause: new Error(reasons[why]) },
  )

/** Who stops calls: an operator, or the gateway as it ends. */
export type StoppedBy = 'operator' | 'gateway'

/** Reasons for the log. */
export const reasons: Readonly<Record<StoppedBy, string>> = {
  operator: 'an operator stopped it',
  gateway: 'the gateway is stopping',
}

/** Whether an error ends an answer in the middle. */
export const isInterruption = ({ code, facts }: GatewayError): boolean =>
  code === 'stream_interrupted' || ('isPartial' in facts && facts.isPartial)
