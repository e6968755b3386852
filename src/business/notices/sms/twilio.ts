import {
  codeIn,
  formHeaders,
  isPassingStatus,
  membersOf,
  type SmsDialect,
  type SmsFault,
  type SmsReply,
  type SmsRequest,
  type SmsTextDialect,
} from './dialect'

interface TwilioParts {
  /** Of Twilio, or of a service that copies it. */
  readonly base: string
  readonly account: string
  readonly token: string
  readonly from: string
  /** Text of the SMS. */
  text(code: string): string
}

/** Twilio's Messages resource: Basic, a form, 201 (twilio.com/docs/messaging/api/message-resource). */
export const twilio = (parts: TwilioParts): SmsDialect => ({
  request: ({ international, code }) => message(parts, international, parts.text(code)),
  fault,
})

export const twilioText = (parts: Omit<TwilioParts, 'text'>): SmsTextDialect => ({
  request: ({ international, text }) => message(parts, international, text),
  fault,
})

const message = (
  { base, account, token, from }: Omit<TwilioParts, 'text'>,
  to: string,
  body: string,
): SmsRequest => ({
  url: `${base}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
  headers: {
    ...formHeaders,
    authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
  },
  body: new URLSearchParams({ To: to, From: from, Body: body }).toString(),
})

function fault({ status, text }: SmsReply): SmsFault | null {
  if (status === 201) return null
  return { code: codeIn(membersOf(text)['code'], status), isPassing: isPassingStatus(status) }
}
