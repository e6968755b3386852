import {
  isPassingStatus,
  jsonHeaders,
  type SmsDialect,
  type SmsFault,
  type SmsReceiver,
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
export const webhook = (parts: SmsWebhookParts): SmsDialect => ({
  request: (message) => requestFor(parts, message, '{code}', message.code),
  fault,
})

/** Same as `webhook`, with `{text}` in the body: its quotes and lines as JSON has them. */
export const webhookText = (parts: SmsWebhookParts): SmsTextDialect => ({
  request: (message) =>
    requestFor(parts, message, '{text}', JSON.stringify(message.text).slice(1, -1)),
  fault,
})

const requestFor = (
  { url, authorization, template }: SmsWebhookParts,
  { local, international }: SmsReceiver,
  slot: '{code}' | '{text}',
  value: string,
) => ({
  url,
  headers: { ...jsonHeaders, ...(authorization === null ? {} : { authorization }) },
  body: template
    .replaceAll('{phone}', international)
    .replaceAll('{local}', local)
    .replaceAll(slot, () => value),
})

const fault = ({ status }: SmsReply): SmsFault | null =>
  status >= 200 && status < 300
    ? null
    : { code: String(status), isPassing: isPassingStatus(status) }
