import type { Log } from '../observability/log'
import { post } from '../outbound/post'
import { runCommand } from '../outbound/run-program'
import { maskPhone } from '../people/phone'
import type { SmsWays } from '../sms/open-sms'
import type { NoticeConfig } from './config'

const timeoutMs = 10_000

/** How codes leave this process. */
export const openSmsWays = (
  { commandEnvironment: environment }: Pick<NoticeConfig, 'commandEnvironment'>,
  log: Pick<Log, 'info'>,
): SmsWays => ({
  post: (request) => post(request, timeoutMs),
  run: (command, input) => runCommand({ command, environment, timeoutMs }, input),
  log: (phone, code) => log.info('sign-in code', { phone: maskPhone(phone), code }),
  logNotice: (phone, text) => log.info('sms notice', { phone: maskPhone(phone), text }),
})

/** @param host as people type it: browsers fill the code in where the last line names it (WebOTP) */
export const smsText =
  (service: () => string, host: string | null) =>
  (code: string): string =>
    `${service()}: ${code}${host === null ? '' : `\n\n@${host} #${code}`}`
