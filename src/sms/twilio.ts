import { codeIn, formHeaders, isPassingStatus, membersOf, type SmsDialect } from './dialect'

export interface TwilioParts {
  /** Of Twilio, or of a service that copies it. */
  readonly base: string
  readonly account: string
  readonly token: string
  readonly from: string
  /** What the SMS says. */
  text(code: string): string
}

/** Twilio's Messages resource: Basic, a form, 201 (twilio.com/docs/messaging/api/message-resource). */
export const twilio = ({ base, account, token, from, text }: TwilioParts): SmsDialect => ({
  request: ({ international, code }) => ({
    url: `${base}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`,
    headers: {
      ...formHeaders,
      authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
    },
    body: new URLSearchParams({ To: international, From: from, Body: text(code) }).toString(),
  }),
  fault({ status, text: body }) {
    if (status === 201) return null
    return { code: codeIn(membersOf(body)['code'], status), isPassing: isPassingStatus(status) }
  },
})
