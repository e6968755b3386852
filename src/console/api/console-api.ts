import { Elysia } from 'elysia'
import { isAdminError, type AdminCode } from '../../business/operations/admin-error'
import { addressBucket } from '../../gateway/net/address'
import { EmailRefusal, type EmailRefusalCode } from '../../business/notices/recipients/email-codes'
import { isPaymentRefusal, type PaymentCode } from '../../business/payments/payment-refusal'
import {
  VerificationRefusal,
  type VerificationRefusalCode,
} from '../../business/verification/submit'
import { isProven } from '../../business/users/sessions'
import { Refusal } from '../refusal'
import { lookTokenOf } from '../look-cookie'
import { tokenOf } from '../session-cookie'
import { accountApi } from './account'
import { capsApi } from './caps'
import { catalogueApi } from './catalogue'
import { invitationsApi } from './invitations'
import { keysApi } from './keys'
import { lookPath, looksApi } from './looks'
import { meApi } from './me'
import { membersApi } from './members'
import { modelsApi } from './models'
import { noticeWaysApi } from './notice-ways'
import { noticesApi } from './notices'
import { parsePageBody } from './page-body'
import { refusePage, type RefusalBody } from './page-refusal'
import type { ConsoleParts } from './parts'
import { passkeysApi } from './passkeys'
import { phoneApi } from './phone'
import { proofApi } from './proof'
import { projectsApi } from './projects'
import { redeemCodesApi } from './redeem-codes'
import { requestsApi } from './requests'
import { needsProof } from './session-needs'
import { serviceApi } from './service-facts'
import { sessionsApi } from './sessions'
import { signInApi } from './sign-in'
import { sisterApi } from './sister'
import { statementApi } from './statement'
import { topUpsApi } from './top-ups'
import { usageApi } from './usage'
import { verificationApi } from './verification'

/**
 * The API of the web app's pages: sessions, not keys; never an interface for programs. Its type is
 * what the pages are checked against.
 */
export const openConsoleApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/app/api', normalize: false, handler: { standardHostname: false } })
    .onRequest(async ({ request }) => {
      const { headers, method, url } = request
      const look = lookTokenOf(headers, parts.isSecure)
      const bucket = addressBucket(parts.addressOf(request))
      const isChange = method !== 'GET' && method !== 'HEAD'
      // Strangers; whoever has a cookie that is none is counted where it is looked up.
      if (look === null && tokenOf(headers, parts.isSecure) === null)
        await parts.limits.takeAddress(bucket)
      // Each change is kept, as is its line of the trail. Calls from there count by themselves.
      else if (isChange) await parts.limits.takeAddress(`changes ${bucket}`)
      if (look === null || !isChange) return
      // An operator who looks as somebody does changes nothing of theirs, whatever the route.
      if (new URL(url).pathname !== lookPath && (await parts.looks.find(look)) !== null)
        throw new Refusal(403, 'look_only')
    })
    .onParse(parsePageBody)
    .onTransform(async ({ request, route, body }) => {
      if (!needsProof(request.method, route, body)) return
      if (!isProven(await parts.customer(request), parts.clock.now()))
        throw new Refusal(403, 'proof_required')
    })
    .onAfterHandle(({ set }) => void (set.headers['cache-control'] = 'no-store'))
    .onError((failed) => refusePage(failed, ownRefusal, parts.onFault))
    .use(serviceApi(parts))
    .use(signInApi(parts))
    .use(meApi(parts))
    .use(sessionsApi(parts))
    .use(looksApi(parts))
    .use(proofApi(parts))
    .use(phoneApi(parts))
    .use(passkeysApi(parts))
    .use(sisterApi(parts))
    .use(membersApi(parts))
    .use(invitationsApi(parts))
    .use(capsApi(parts))
    .use(keysApi(parts))
    .use(projectsApi(parts))
    .use(usageApi(parts))
    .use(requestsApi(parts))
    .use(statementApi(parts))
    .use(topUpsApi(parts))
    .use(redeemCodesApi(parts))
    .use(modelsApi(parts))
    .use(catalogueApi(parts))
    .use(verificationApi(parts))
    .use(noticesApi(parts))
    .use(noticeWaysApi(parts))
    .use(accountApi(parts))

export type ConsoleApi = ReturnType<typeof openConsoleApi>

export const paymentStatus: Readonly<Record<PaymentCode, number>> = {
  top_up_off: 409,
  public_url_missing: 409,
  rate_missing: 409,
  rate_too_old: 409,
  rate_changed: 409,
  coins_out_of_range: 400,
  usd_out_of_range: 400,
  top_up_too_often: 429,
  account_suspended: 403,
  gateway_unknown: 404,
  gateway_refused: 503,
  payment_not_found: 404,
  redeem_code_invalid: 400,
  redeem_code_unknown: 400,
  redeem_code_used: 409,
  redeem_code_yours: 409,
  redeem_code_over: 409,
  redeem_locked: 429,
}

/** Those that a page can meet; each has a text. */
const adminCodes: ReadonlySet<AdminCode> = new Set([
  'key_rpm_above_account',
  'key_revoked',
  'key_expiry_past',
  'model_pattern_invalid',
  'address_range_invalid',
  'account_busy',
  'payment_waits',
  'account_owes',
  'balance_left',
  'account_name_differs',
])

export const holderStatus: Readonly<Record<EmailRefusalCode | VerificationRefusalCode, number>> = {
  email_invalid: 400,
  email_code_too_soon: 429,
  email_code_too_often: 429,
  email_code_wrong: 400,
  email_code_expired: 400,
  email_not_sent: 503,
  mail_off: 503,
  name_invalid: 400,
  national_code_invalid: 400,
  birth_date_invalid: 400,
  verified_already: 409,
  verification_waits: 409,
  national_code_taken: 409,
  verification_too_often: 429,
}

function ownRefusal(error: unknown): RefusalBody | null {
  if (error instanceof EmailRefusal)
    return { ...error.facts, status: holderStatus[error.code], code: error.code }
  if (error instanceof VerificationRefusal)
    return { status: holderStatus[error.code], code: error.code }
  if (isPaymentRefusal(error))
    return { ...error.facts, status: paymentStatus[error.code], code: error.code }
  if (isAdminError(error) && adminCodes.has(error.code))
    return { ...error.facts, status: 400, code: error.code }
  return null
}
