import type { Fields } from '../../gateway/json/fields'
import { GatewayFault, noAnswer, rialsIn, type CardGateway, type Verdict } from './card-gateway'
import { codeOf, postJson, shownText, type GatewayAnswer, type SendToGateway } from './gateway-wire'

interface ZibalParts {
  readonly base: string
  /** `zibal` is for trying. */
  readonly merchant: string
  readonly send: SendToGateway
}

const [taken, verifiedBefore, notPaid, noSuchTrack] = [100, 201, 202, 203]

/** `status` of an inquiry: −1 waits, 1 paid and verified, 2 paid, 15, 16 and 18 went back, the rest failed. */
const [internalError, waits, verified, paid] = [-2, -1, 1, 2]

/**
 * Zibal, version 1 (help.zibal.ir/IPG/API, as zibal-java-sdk and shetabit/multipay speak it, read
 * 2026-11).
 */
export function zibal({ base, merchant, send }: ZibalParts): CardGateway {
  const call = async (verb: string, body: object): Promise<GatewayAnswer> =>
    await postJson(send, `${base}/v1/${verb}`, { merchant, ...body })
  return {
    async begin({ payment, charge, description, mobile, returnTo }) {
      const answer = await call('request', {
        amount: rialsIn(charge),
        callbackUrl: returnTo,
        orderId: payment,
        description,
        ...(mobile === null ? {} : { mobile }),
      })
      const track = codeOf(answer.success['trackId'])
      if (codeOf(answer.success['result']) !== taken || track === null)
        throw new GatewayFault(faultIn(answer))
      return { reference: String(track), page: `${base}/start/${track}` }
    },
    async verify(reference, charge): Promise<Verdict> {
      const trackId = Number(reference)
      const answer = await call('verify', { trackId })
      const result = codeOf(answer.success['result'])
      if (result === taken) return paidBy(answer.success, rialsIn(charge))
      // Of how much and by which card only the inquiry tells.
      if (result === verifiedBefore) {
        const details = await call('inquiry', { trackId })
        return codeOf(details.success['status']) === verified
          ? paidBy(details.success, rialsIn(charge))
          : { state: 'unknown', code: faultIn(details) }
      }
      if (result === noSuchTrack) return { state: 'refused', code: String(result) }
      // Not paid yet, or failed.
      if (result === notPaid)
        return {
          state: stateOf((await call('inquiry', { trackId })).success['status']),
          code: String(result),
        }
      return { state: 'unknown', code: faultIn(answer) }
    },
  }
}

/** Another amount than ours is not our payment, whatever else it says. */
function paidBy(details: Fields, rials: number): Verdict {
  if (codeOf(details['amount']) !== rials) return { state: 'refused', code: 'amount' }
  const receipt = shownText(details['refNumber']) ?? shownText(details['trackId']) ?? '–'
  return { state: 'paid', receipt, card: shownText(details['cardNumber']) }
}

function stateOf(told: unknown): 'open' | 'refused' | 'unknown' {
  const status = codeOf(told)
  if (status === null || status === internalError) return 'unknown'
  // Paid since the verification of a moment ago: that is asked again.
  return status === waits || status === paid || status === verified ? 'open' : 'refused'
}

/** A success that came with an error status is none of its codes. */
function faultIn({ success, said }: GatewayAnswer): string {
  const result = codeOf(said['result'])
  return result === null || (said !== success && result === taken) ? noAnswer : String(result)
}
