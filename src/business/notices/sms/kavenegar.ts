import {
  codeIn,
  formHeaders,
  isPassingStatus,
  membersOf,
  type SmsDialect,
  type SmsFault,
  type SmsReply,
  type SmsTextDialect,
} from './dialect'

/** 402: the operation failed; 409: the server cannot answer now (kavenegar.com/rest.html). */
const passing: ReadonlySet<unknown> = new Set([402, 409])

/**
 * Kavenegar's `verify/lookup`: a form, and the key in the path, so that no address of it is ever
 * logged (kavenegar-node and kavenegar-java-sdk).
 */
export const kavenegar = (base: string, key: string, template: string): SmsDialect => ({
  request: ({ local, code }) => ({
    url: `${base}/v1/${encodeURIComponent(key)}/verify/lookup.json`,
    headers: formHeaders,
    body: new URLSearchParams({ receptor: local, token: code, template }).toString(),
  }),
  fault,
})

/** Kavenegar's `sms/send`: a form with the line that sends (kavenegar.com/rest.html#sms-Send). */
export const kavenegarText = (base: string, key: string, sender: string): SmsTextDialect => ({
  request: ({ local, text }) => ({
    url: `${base}/v1/${encodeURIComponent(key)}/sms/send.json`,
    headers: formHeaders,
    body: new URLSearchParams({ receptor: local, sender, message: text }).toString(),
  }),
  fault,
})

function fault({ status, text }: SmsReply): SmsFault | null {
  const told = membersOf(text)['return']
  const code = typeof told === 'object' && told !== null && 'status' in told ? told.status : null
  if (status === 200 && code === 200) return null
  const isPassing = isPassingStatus(status) || passing.has(code)
  return { code: codeIn(code, status), isPassing }
}
