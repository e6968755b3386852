import { findChecker } from '../../business/verification/rules'
import type { ConsoleParts } from '../../console/api/parts'
import type { Clock } from '../../domain/clock'
import { layOut } from '../../business/notices/mail/letter'
import { mailOf, parseEmail } from '../../business/notices/mail/server'
import { MailError, sendBySmtp } from '../../business/notices/mail/smtp'
import { EmailRefusal, openEmailCodes } from '../../business/notices/recipients/email-codes'
import type { Log } from '../../gateway/observability/log'
import { post } from '../../gateway/outbound/post'
import type { Storage } from '../../business/data/storage'
import { openVerifying } from '../../business/verification/submit'
import type { Config } from '../config'
import type { Gateway } from '../gateway'

/** A person waits at the page, and the service is asked once. */
const checkTimeoutMs = 10_000

interface HolderPagesParts {
  readonly config: Pick<Config, 'services' | 'notices'>
  readonly storage: Storage
  readonly gateway: Pick<Gateway, 'parts' | 'changed'>
  readonly clock: Clock
  readonly log: Log
}

/** Dependencies of pages of account holders: verification, notices, the account as a whole. */
export function holderParts({
  config,
  storage,
  gateway,
  clock,
  log,
}: HolderPagesParts): Pick<
  ConsoleParts,
  | 'verifying'
  | 'verifications'
  | 'holderNotices'
  | 'holderSettings'
  | 'accountWebhooks'
  | 'emailCodes'
  | 'hasMail'
  | 'closings'
  | 'payments'
  | 'noticeFloor'
> {
  const { holderNotices, holderSettings, accountWebhooks, connections, pepper } = storage
  const { settings } = gateway.parts
  return {
    verifying: openVerifying({
      submissions: (person) => storage.by(`person:${person}`).verifications,
      decisions: storage.by('service').verifications,
      people: storage.people,
      clock,
      checker: () => findChecker(connections),
      post: (request) => post(request, checkTimeoutMs),
      personAccounts: () => settings.personAccounts,
      onDecided: gateway.changed,
    }),
    verifications: storage.verifications,
    holderNotices,
    holderSettings,
    accountWebhooks,
    emailCodes: openEmailCodes({
      store: holderSettings,
      clock,
      pepper,
      parse: parseEmail,
      send: (email, code, language) => sendCode(email, code, language),
    }),
    hasMail: async () => (await connections.find('mail')) !== null,
    closings: ({ person }) => storage.by(`person:${person}`).closings,
    payments: storage.payments,
    noticeFloor: config.notices.floor,
  }

  async function sendCode(email: string, code: string, language: 'fa' | 'en'): Promise<void> {
    const connected = await connections.find('mail')
    if (connected === null) throw new EmailRefusal('mail_off')
    const letter = layOut({
      ...codeLetter[language],
      language,
      service: settings.brandName ?? config.services[0],
      code,
      link: null,
    })
    try {
      await sendBySmtp(mailOf(connected), email, letter, null)
    } catch (thrown) {
      if (!(thrown instanceof MailError)) throw thrown
      log.warn('e-mail code not sent', { code: thrown.code })
      throw new EmailRefusal('email_not_sent')
    }
  }
}

const codeLetter = {
  fa: {
    title: 'کد تأیید نشانی',
    paragraphs: ['این کد را در صفحهٔ اعلان‌ها وارد کنید. تا ۱۵ دقیقه درست است.'],
    foot: 'اگر شما نخواسته‌اید، کاری نکنید؛ بی این کد نشانی شما به کار نمی‌رود.',
  },
  en: {
    title: 'Code for your address',
    paragraphs: ['Enter this code on the page of notices. It holds for 15 minutes.'],
    foot: 'If you did not ask for it, do nothing: without the code your address is not used.',
  },
}
