import type { Log } from '../../gateway/observability/log'
import { post } from '../../gateway/outbound/post'
import { runWithInput } from '../../gateway/outbound/run-program'
import { maskPhone, type Phone } from '../../domain/phone'
import type { SmsWays } from '../../business/notices/sms/open-sms'
import type { Config } from '../config'

const timeoutMs = 10_000

/** Opens the ways in which codes leave this process; the terminal is one in demo mode alone. */
export const openSmsWays = (
  { notices: { commandEnvironment: environment }, demo }: Pick<Config, 'notices' | 'demo'>,
  { print }: Pick<Log, 'print'>,
): SmsWays => ({
  post: (request) => post(request, timeoutMs),
  run: (command, input) => runWithInput({ command, environment, timeoutMs }, input),
  terminal: demo
    ? {
        code: (phone, code) => print(`Sign-in code for ${maskPhone(phone)}: ${code}`),
        notice: (phone, text) => print(`SMS to ${maskPhone(phone)}: ${text}`),
      }
    : null,
})

/**
 * An invitation, in Persian to numbers of Iran and in English to others.
 * @param root where the service is reached; null where nobody said
 */
export const invitationText =
  (service: () => string, root: string | null) =>
  (phone: Phone): string => {
    const link = root === null ? '' : `\n${root}/app`
    return phone.startsWith('+98')
      ? `${service()}: شما را به حسابی دعوت کرده‌اند. با همین شماره وارد شوید و پاسخ دهید.${link}`
      : `${service()}: you are invited to an account. Sign in with this number to answer.${link}`
  }

/**
 * Text of a sign-in SMS.
 * @param host as people type it: browsers fill the code in where the last line names it (WebOTP)
 */
export const smsText =
  (service: () => string, host: string | null) =>
  (code: string): string =>
    `${service()}: ${code}${host === null ? '' : `\n\n@${host} #${code}`}`
