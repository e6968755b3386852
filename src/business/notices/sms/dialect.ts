import { localPhone, type Phone } from '../../../domain/phone'

/** HTTP request to a provider. */
export interface SmsRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface SmsReply {
  readonly status: number
  readonly text: string
}

/** Refusal by a provider, in its own code. */
export interface SmsFault {
  readonly code: string
  /** Another provider, or a later moment, may do better. */
  readonly isPassing: boolean
}

/** A phone in the spellings that providers take. */
export interface SmsReceiver {
  /** `09123456789` */
  readonly local: string
  /** `+989123456789` */
  readonly international: string
}

interface SmsMessage extends SmsReceiver {
  readonly code: string
}

/** A notice to a person. */
interface SmsNotice extends SmsReceiver {
  readonly text: string
}

/** Dialect of a provider's texts of one's own, beside codes by template. */
export interface SmsTextDialect {
  request(notice: SmsNotice): SmsRequest
  /** Null: it was taken. */
  fault(reply: SmsReply): SmsFault | null
}

/** A provider as data: what is sent, and how its answer reads. */
export interface SmsDialect {
  request(message: SmsMessage): SmsRequest
  /** Null: it was taken. */
  fault(reply: SmsReply): SmsFault | null
}

export const messageTo = (phone: Phone, code: string): SmsMessage => ({
  local: localPhone(phone),
  international: phone,
  code,
})

export const noticeTo = (phone: Phone, text: string): SmsNotice => ({
  local: localPhone(phone),
  international: phone,
  text,
})

export const formHeaders = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
export const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' }

/** Whether a status alone says that another moment may do better. */
export const isPassingStatus = (status: number): boolean => status >= 500 || status === 429

/** Members of a JSON object; none of anything else. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** A code as a provider writes it: a number or a word. */
export const codeIn = (value: unknown, status: number): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : String(status)
