import {
  codeIn,
  isPassingStatus,
  jsonHeaders,
  membersOf,
  type SmsDialect,
  type SmsFault,
  type SmsReply,
  type SmsTextDialect,
} from './dialect'

/** 0: an error on their side; 20: too many requests (SMS.ir, error codes of API v1). */
const passing: ReadonlySet<unknown> = new Set([0, 20])

/** SMS.ir's `send/verify`: JSON, key in `X-API-KEY`. @param parameter the template's name for the code */
export const smsIr = (
  base: string,
  key: string,
  template: number,
  parameter: string,
): SmsDialect => ({
  request: ({ local, code }) => ({
    url: `${base}/v1/send/verify`,
    headers: { ...jsonHeaders, 'x-api-key': key },
    body: JSON.stringify({
      mobile: local,
      templateId: template,
      parameters: [{ name: parameter, value: code }],
    }),
  }),
  fault,
})

/** SMS.ir's `send/bulk`, to one number: the text goes out by a line of ours. */
export const smsIrText = (base: string, key: string, line: string): SmsTextDialect => ({
  request: ({ local, text }) => ({
    url: `${base}/v1/send/bulk`,
    headers: { ...jsonHeaders, 'x-api-key': key },
    body: JSON.stringify({ lineNumber: Number(line), messageText: text, mobiles: [local] }),
  }),
  fault,
})

function fault({ status, text }: SmsReply): SmsFault | null {
  const code = membersOf(text)['status']
  if (status === 200 && code === 1) return null
  return {
    code: codeIn(code, status),
    isPassing: isPassingStatus(status) || passing.has(code),
  }
}
