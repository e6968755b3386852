import {
  isPassingStatus,
  jsonHeaders,
  type SmsDialect,
  type SmsFault,
  type SmsReply,
  type SmsTextDialect,
} from './dialect'

interface SmsWebhookParts {
  readonly url: string
  /** Sent as it is in `Authorization`; null sends none. */
  readonly authorization: string | null
  /** With `{phone}`, `{local}` and `{code}` in it. */
  readonly template: string
}

/** Any other provider: an address and a body. 2xx took it. */
export const webhook = ({ url, authorization, template }: SmsWebhookParts): SmsDialect => ({
  request: ({ local, international, code }) => ({
    url,
    headers: { ...jsonHeaders, ...(authorization === null ? {} : { authorization }) },
    body: template
      .replaceAll('{phone}', international)
      .replaceAll('{local}', local)
      .replaceAll('{code}', code),
  }),
  fault,
})

/** Same as `webhook`, with `{text}` in the body: its quotes and lines as JSON has them. */
export const webhookText = ({ url, authorization, template }: SmsWebhookParts): SmsTextDialect => ({
  request: ({ local, international, text }) => ({
    url,
    headers: { ...jsonHeaders, ...(authorization === null ? {} : { authorization }) },
    body: template
      .replaceAll('{phone}', international)
      .replaceAll('{local}', local)
      .replaceAll('{text}', () => JSON.stringify(text).slice(1, -1)),
  }),
  fault,
})

const fault = ({ status }: SmsReply): SmsFault | null =>
  status >= 200 && status < 300
    ? null
    : { code: String(status), isPassing: isPassingStatus(status) }
