import { AdminError } from '../../business/operations/admin-error'
import { tryGateway } from '../../business/payments/gateways'
import { findMailServer } from '../../business/notices/mail-server'
import type { ConnectionTrials, LiveService } from '../../business/operations/parts'
import { findSmsProvider } from '../../business/notices/sms-providers'
import { layOut } from '../../business/notices/mail/letter'
import { MailError, sendBySmtp } from '../../business/notices/mail/smtp'
import { openSms, SmsError } from '../../business/notices/sms/open-sms'
import type { Log } from '../../gateway/observability/log'
import type { Storage } from '../../business/data/storage'
import type { Config } from '../config'
import { sendToGateway } from './payment-service'
import { openSmsWays, smsText } from './sms-service'

interface TrialServiceParts extends Pick<LiveService, 'clock' | 'settings' | 'operatorUrl'> {
  readonly config: Config
  readonly storage: Pick<Storage, 'cardGateways' | 'smsProviders' | 'connections'>
  readonly log: Log
  serviceName(): string
}

/** Nobody signs in by it. */
const trialCode = '123456'

/** Sends what is for trying by gateways, providers and servers as an operator set them up. */
export function openConnectionTrials(parts: TrialServiceParts): ConnectionTrials {
  const { config, storage, clock, settings, log, serviceName } = parts
  const [publicUrl] = config.baseUrls
  return {
    async gateway(name) {
      const origin = publicUrl ?? parts.operatorUrl()
      const opened = await tryGateway(storage.cardGateways, name, {
        send: sendToGateway,
        clock,
        rialsPerCoin: settings.coinRials,
        origin,
        description: `${serviceName()}: a payment for trying`,
      })
      return { ...opened, origin }
    },
    async sms(name, phone) {
      const provider = await findSmsProvider(storage.smsProviders, name)
      const sms = openSms({
        store: storage.smsProviders,
        ways: openSmsWays(config, log),
        text: smsText(serviceName, publicUrl === null ? null : new URL(publicUrl).host),
      })
      try {
        await sms.sendBy(provider, phone, trialCode)
      } catch (thrown) {
        if (!(thrown instanceof SmsError)) throw thrown
        throw new AdminError('sms_refused', { name, fault: thrown.fault.code })
      }
      return { code: trialCode }
    },
    async mail(to) {
      const server = await findMailServer(storage.connections)
      const letter = layOut({
        language: 'en',
        service: serviceName(),
        title: 'This is a sample',
        paragraphs: ['Notices reach you by mail.', 'اعلان‌ها با نامه به شما می‌رسند.'],
        link: null,
        foot: 'Sent by an operator, for trying.',
      })
      try {
        await sendBySmtp(server, to, letter, null)
      } catch (thrown) {
        if (!(thrown instanceof MailError)) throw thrown
        throw new AdminError('mail_refused', { host: server.host, fault: thrown.code })
      }
      return { host: server.host }
    },
  }
}
