import { fieldsOf, isText, listOf, type Fields } from '../../gateway/json/fields'
import {
  chargeInRials,
  GatewayFault,
  noAnswer,
  rialsIn,
  type CardGateway,
  type Verdict,
} from './card-gateway'
import type { Rial } from '../../domain/payment'
import { codeOf, postJson, shownText, type GatewayAnswer, type SendToGateway } from './gateway-wire'
import { returnedPayment } from './return-address'

interface ZarinpalParts {
  readonly base: string
  /** 36 characters. */
  readonly merchant: string
  readonly send: SendToGateway
}

const maxDescription = 500
const [paid, paidBefore, noPaidTry] = [100, 101, -51]

/**
 * Amount differs, not this merchant's, no such authority, not found: a later try says the same.
 * Everything else but −51 may be a fault of ours or theirs that is mended meanwhile.
 */
const refusals: ReadonlySet<number | null> = new Set([-50, -53, -54, -55])

const inquired = new Map<unknown, Exclude<Verdict['state'], 'paid'>>([
  ['IN_BANK', 'open'],
  // Paid, but the verification of a moment ago did not find it so: asked again.
  ['PAID', 'open'],
  ['VERIFIED', 'open'],
  ['FAILED', 'refused'],
  ['REVERSED', 'refused'],
])

/**
 * ZarinPal, version 4 (zarinpal.com/docs/paymentGateway/connectToGateway and next.zarinpal.com/
 * paymentGateway/other, read 2026-11). `data` and `errors` take turns in being an empty array; codes
 * are numbers, and texts in some samples.
 */
export function zarinpal({ base, merchant, send }: ZarinpalParts): CardGateway {
  const call = async (verb: string, body: object) =>
    await postJson(send, `${base}/pg/v4/payment/${verb}.json`, { merchant_id: merchant, ...body })
  const inquire = async (authority: string) =>
    inquired.get(dataOf((await call('inquiry', { authority })).success)['status']) ?? 'unknown'
  return {
    async begin({ payment, charge, description, mobile, returnTo }) {
      const answer = await call('request', {
        amount: rialsIn(charge),
        currency: 'IRR',
        description: description.slice(0, maxDescription),
        callback_url: returnTo,
        metadata: { order_id: payment, ...(mobile === null ? {} : { mobile }) },
      })
      const { code, authority } = dataOf(answer.success)
      if (codeOf(code) !== paid || !isText(authority)) throw new GatewayFault(faultIn(answer))
      return { reference: authority, page: `${base}/pg/StartPay/${encodeURIComponent(authority)}` }
    },
    async verify(authority, charge) {
      const answer = await call('verify', { amount: rialsIn(charge), authority })
      const { code, ref_id, card_pan } = dataOf(answer.success)
      const told = codeOf(code)
      // 101: an earlier verification was heard, and its answer lost.
      if (told === paid || told === paidBefore)
        return { state: 'paid', receipt: shownText(ref_id) ?? authority, card: shownText(card_pan) }
      const fault = faultIn(answer)
      const number = codeOf(fault)
      // “Session is not an active paid try” is also said of one who is still typing at the bank.
      if (number === noPaidTry) return { state: await inquire(authority), code: fault }
      return { state: refusals.has(number) ? 'refused' : 'unknown', code: fault }
    },
    async unverified() {
      const answer = await call('unVerified', {})
      const { code, authorities } = dataOf(answer.success)
      if (codeOf(code) !== paid) throw new GatewayFault(faultIn(answer))
      return listOf(authorities)
        .map(fieldsOf)
        .filter(({ authority, amount }) => isText(authority) && codeOf(amount) !== null)
        .map(({ authority, amount, callback_url }) => ({
          reference: String(authority),
          charge: chargeInRials((codeOf(amount) ?? 0) as Rial),
          payment: returnedPayment(callback_url),
        }))
    },
  }
}

const dataOf = (answer: Fields): Fields => fieldsOf(answer['data'])

function faultIn({ success, said }: GatewayAnswer): string {
  const code = codeOf(fieldsOf(said['errors'])['code']) ?? codeOf(dataOf(success)['code'])
  return code === null ? noAnswer : String(code)
}
