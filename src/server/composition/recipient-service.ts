import { deviceKind } from '../../domain/device'
import type { Clock, Random } from '../../domain/clock'
import { dayMs, type Ms } from '../../domain/clock'
import { openDayIn } from '../../domain/zone-days'
import { systemNoticeId, type PersonId } from '../../domain/ids'
import type { Notice } from '../../domain/notice'
import { layOut } from '../../business/notices/mail/letter'
import { mailOf } from '../../business/notices/mail/server'
import { MailError, sendBySmtp } from '../../business/notices/mail/smtp'
import type { Channel } from '../../business/notices/channel'
import {
  carryByEmail,
  carryBySms,
  carryByWebhook,
  type RenderedNotice,
  type DeliveryResult,
} from '../../business/notices/recipients/deliver'
import { holdersChannel } from '../../business/notices/recipients/channel'
import { openHolderOutbox } from '../../business/notices/recipients/outbox'
import { holderChannels, newPlaceNotice } from '../../business/notices/recipients/notices'
import { faultFields, type Log } from '../../gateway/observability/log'
import { NotPublic, openPublicPost, type PostPublic } from '../../gateway/outbound/public-fetch'
import type { Phone } from '../../domain/phone'
import { placeHash } from '../../business/users/known-devices'
import type { Visitor } from '../../business/users/sessions'
import type { Settings } from '../../gateway/settings/registry'
import { isNotForNotices, mayBeSent, openSms, SmsError } from '../../business/notices/sms/open-sms'
import type { Storage } from '../../business/data/storage'
import type { Config } from '../config'
import { openSmsWays } from './sms-service'

interface HolderServiceParts {
  readonly config: Config
  readonly storage: Storage
  readonly settings: Settings
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Names of the channels to operators. */
  readonly operators: readonly string[]
  /** Operators may have something on their way. */
  onWritten(): void
  /** Whether this process sends for all that share a database. */
  isOnDuty(): boolean
  /** Tests bring their own. */
  readonly postPublic?: PostPublic
}

/** Notices of one process on their way to the people of accounts. */
export interface HolderService {
  /** Something may be worth telling, or was written to be told. */
  wake(): void
  /** Deliveries may have been written. */
  spread(): void
  /** Somebody has signed in: whether it was from a new place is told to them. */
  arrived(person: PersonId, visitor: Visitor): Promise<void>
  close(): void
}

const sweepMs = 60_000
const firstSweepMs = 1000
const forgetAfterMs = 90 * dayMs
const maxForgotten = 100

/** Channel of the operator's outbox that spreads notices to account holders. */
export const openHoldersChannel = (
  { storage, settings, clock }: Pick<HolderServiceParts, 'storage' | 'settings' | 'clock'>,
  onSpread: () => void,
): Channel =>
  holdersChannel({
    store: storage.holderNotices,
    clock,
    smsPerDay: () => settings.noticeSmsPerDay,
    lastsDays: (notice) => lastsDays(storage, notice, openDayIn(settings.serviceZone)(clock.now())),
    onSpread,
  })

export function openHolderService(parts: HolderServiceParts): HolderService {
  const { storage, clock, log } = parts
  const places = storage.places(holderChannels)
  const delivery = openDelivery(parts)
  return {
    ...delivery,
    async arrived(person, visitor) {
      try {
        await arrive(person, visitor)
      } catch (fault) {
        // Nobody is kept out because of what they would have been told.
        log.error('sign-in place not recorded', faultFields(fault))
      }
    },
  }

  async function arrive(person: PersonId, visitor: Visitor): Promise<void> {
    const now = clock.now()
    const { address, agent } = visitor
    const place = placeHash(person, visitor, storage.pepper)
    const stamp = { id: systemNoticeId(), created: now }
    const { isNew } = await places.visit(
      person,
      place,
      () => newPlaceNotice(person, { device: deviceKind(agent), address }, stamp),
      now,
    )
    if (isNew) parts.onWritten()
  }
}

/** Sends what is written, and looks for what is not. */
function openDelivery(parts: HolderServiceParts) {
  const { storage, clock, random, log, operators } = parts
  const outbox = openHolderOutbox({
    store: storage.holderNotices,
    carry: {
      sms: carryBySms(smsCarrier(parts)),
      email: carryByEmail(mailCarrier(parts)),
      webhook: carryByWebhook(webhookCarrier(parts.postPublic ?? openPublicPost()), clock),
    },
    clock,
    random,
    onFailure: ({ notice, way }, error, final) =>
      log.warn('notice not delivered', { notice: notice.id, channel: way, error, final }),
    onFault: (fault) => log.error('holder notice outbox failed', faultFields(fault)),
  })
  const untold = storage.untold({ operators, holders: holderChannels })
  const sweep = openSweep(parts, async () => {
    if (!parts.isOnDuty()) return
    if ((await untold.tell(clock.now())) > 0) parts.onWritten()
    const before = (clock.now() - forgetAfterMs) as Ms
    await storage.verifications.forget(before, maxForgotten)
  })
  return {
    wake() {
      sweep.soon()
      parts.onWritten()
      outbox.wake()
    },
    spread: outbox.wake,
    close() {
      sweep.close()
      outbox.close()
    },
  }
}

/** Looks for what is untold once a minute, and soon after something changed; one look at a time. */
function openSweep({ log }: Pick<HolderServiceParts, 'log'>, work: () => Promise<void>) {
  let timer: ReturnType<typeof setTimeout> | null = null
  let running = false
  let again = false
  let closed = false
  const later = (ms: number) => {
    if (timer !== null) clearTimeout(timer)
    timer = closed ? null : setTimeout(() => void run(), ms)
    timer?.unref()
  }
  async function run(): Promise<void> {
    running = true
    again = false
    try {
      await work()
    } catch (fault) {
      if (!closed) log.error('holder notice check failed', faultFields(fault))
    } finally {
      running = false
      later(again ? 0 : sweepMs)
    }
  }
  later(firstSweepMs)
  return {
    soon() {
      if (running) again = true
      else later(0)
    },
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}

/** One line: who sends it, and what is the matter. */
function smsCarrier({ config, storage, settings, log }: HolderServiceParts) {
  const sms = openSms({
    store: storage.smsProviders,
    ways: openSmsWays(config, log),
    text: (code) => code,
  })
  return async (phone: string, { title }: RenderedNotice): Promise<DeliveryResult> => {
    try {
      await sms.notify(phone as Phone, `${settings.brandName ?? config.services[0]}: ${title}`)
      return 'taken'
    } catch (thrown) {
      // A second one would cost as much, and say nothing new.
      if (mayBeSent(thrown)) return 'taken'
      const error = thrown instanceof SmsError ? thrown.fault.code : 'the provider failed'
      return { error, isFinal: isNotForNotices(thrown) }
    }
  }
}

const footer = {
  fa: 'این نامه را چون خودتان خواسته‌اید می‌گیرید؛ در صفحهٔ اعلان‌ها می‌توانید خاموشش کنید.',
  en: 'You get this because you asked for it; switch it off on the page of notices.',
}
const fixedFooter = {
  fa: 'این نامه دربارهٔ امنیت حساب شماست و همیشه فرستاده می‌شود.',
  en: 'This is about the security of your account, and always sent.',
}
const openApp = { fa: 'باز کردن برنامه', en: 'Open the app' }

function mailCarrier({ config, storage, settings }: HolderServiceParts) {
  const [publicUrl] = config.baseUrls
  return async (email: string, letter: RenderedNotice): Promise<DeliveryResult> => {
    const connected = await storage.connections.find('mail')
    if (connected === null) return { error: 'no mail server is set up', isFinal: true }
    const { id, language, title, text, isFixed } = letter
    const laidOut = layOut({
      language,
      service: settings.brandName ?? config.services[0],
      title,
      paragraphs: [text],
      link:
        publicUrl === null ? null : { url: `${publicUrl}/app/notices`, label: openApp[language] },
      foot: (isFixed ? fixedFooter : footer)[language],
    })
    try {
      await sendBySmtp(mailOf(connected), email, laidOut, id)
      return 'taken'
    } catch (thrown) {
      if (!(thrown instanceof MailError)) throw thrown
      return { error: thrown.code, isFinal: !thrown.isPassing }
    }
  }
}

const webhookCarrier =
  (post: PostPublic) =>
  async (
    url: string,
    sent: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
  ): Promise<number | DeliveryResult> => {
    try {
      return await post(url, sent)
    } catch (thrown) {
      return thrown instanceof NotPublic
        ? { error: thrown.message, isFinal: true }
        : { error: 'not reached', isFinal: false }
    }
  }

const paceDays = 7
const noFigures = { project: null, key: null, model: null } as const

/**
 * Days that a balance lasts at the pace of the last week; null where nothing was spent.
 * @param toDay today in the service's zone, by which usage is counted
 */
async function lastsDays(
  { accountReader }: Pick<Storage, 'accountReader'>,
  { subject, amount }: Notice,
  toDay: number,
): Promise<number | null> {
  if (subject.account === null) return null
  const { total } = await accountReader.usage({
    account: subject.account.id,
    fromDay: toDay - paceDays + 1,
    toDay,
    ...noFigures,
    by: 'model',
    maxGroups: 0,
    maxDrawn: 0,
  })
  if (total.cost <= 0) return null
  return Math.max(0, Math.floor((amount * paceDays) / total.cost))
}
