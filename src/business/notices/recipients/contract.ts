import type { Ms } from '../../../domain/clock'
import type { AccountId, NoticeId, PersonId } from '../../../domain/ids'
import type { HashOfAnyGeneration } from '../../../domain/pepper'
import type { Notice } from '../../../domain/notice'
import type { TopicChoices, SentWay, Topic, Way } from './topics'

/** Account holder whom a notice concerns, and their addresses. */
export interface Holder {
  readonly person: PersonId
  readonly hasPhone: boolean
  /** A confirmed address. */
  readonly hasEmail: boolean
  /** They made the key that it is about. */
  readonly hasMadeKey: boolean
  readonly choices: Readonly<Record<Exclude<Way, 'webhook'>, TopicChoices>>
}

/** Everybody whom a notice concerns: owners, whoever made the key, or the one person it is about. */
export interface Audience {
  readonly people: readonly Holder[]
  /** Switches of the account's webhook; null where there is none. */
  readonly webhook: TopicChoices | null
  /** SMS that the account was sent today (UTC). */
  readonly smsToday: number
}

/** One way of a notice to one receiver. */
export interface PlannedDelivery {
  readonly way: SentWay
  /** Null for the webhook of the account. */
  readonly person: PersonId | null
  /** Why it is not sent at all; null when it is. */
  readonly error: string | null
}

export interface SpreadPlan {
  /** People who find it in the app. */
  readonly bell: readonly PersonId[]
  readonly deliveries: readonly PlannedDelivery[]
}

/** One notice on one way to one receiver, with what the way needs; null where that is gone by now. */
export interface HolderDelivery {
  readonly notice: Notice
  readonly way: SentWay
  readonly person: PersonId | null
  readonly account: AccountId | null
  readonly attempts: number
  readonly language: 'fa' | 'en'
  readonly phone: string | null
  readonly email: string | null
  readonly webhook: { readonly url: string; readonly secret: string } | null
}

export type DeliveryPlace = Pick<HolderDelivery, 'way' | 'person'> & { readonly notice: Notice }

/** A notice as its reader finds it in the app. */
export interface BellNotice {
  readonly notice: Notice
  readonly seen: boolean
}

/** Notices behind a bell: the person's own, and those of the account they look at. */
export interface BellOf {
  readonly person: PersonId
  readonly account: AccountId
}

/** Notices on their way to people, each at most once per way and receiver. */
export interface HolderNoticeStore {
  /** Writes who gets a notice and how, with what its text says by now; again is nothing new. */
  spread(notice: Notice, decide: (audience: Audience) => SpreadPlan, now: Ms): Promise<void>
  /** Sent now on a way, oldest first. */
  due(way: SentWay, now: Ms, latest: Ms, max: number): Promise<readonly HolderDelivery[]>
  nextDue(way: SentWay): Promise<Ms | null>
  delivered(place: DeliveryPlace, now: Ms): Promise<void>
  postpone(place: DeliveryPlace, next: Ms, error: string): Promise<void>
  giveUp(place: DeliveryPlace, now: Ms, error: string): Promise<void>
  /** Newest first. */
  bell(
    of: BellOf,
    page: { readonly before: NoticeId | null; readonly max: number },
  ): Promise<readonly BellNotice[]>
  unread(of: BellOf): Promise<number>
  /** All up to this one are seen. */
  seen(of: BellOf, upTo: NoticeId, now: Ms): Promise<void>
}

/** A person's notice settings, and addresses besides their phone. */
export interface HolderSettings {
  readonly language: 'fa' | 'en' | null
  /** Confirmed by a code; null for none. */
  readonly email: string | null
  /** Waits for its code. */
  readonly emailPending: string | null
  readonly choices: Readonly<Record<Exclude<Way, 'webhook'>, TopicChoices>>
}

/** A code that was sent to an address. */
export interface EmailCode {
  readonly email: string
  readonly hash: string
  readonly sent: Ms
  readonly expires: Ms
  /** Codes sent in the hour that began with `since`. */
  readonly count: number
  readonly since: Ms
  readonly wrong: number
}

/** Store of people's notice settings. Changes of addresses are lines of the trail, without the address. */
export interface HolderSettingsStore {
  find(person: PersonId): Promise<HolderSettings>
  setLanguage(person: PersonId, language: 'fa' | 'en'): Promise<void>
  choose(person: PersonId, way: Exclude<Way, 'webhook'>, topic: Topic, isOn: boolean): Promise<void>
  /** @param decide the code as it is kept from now on; null keeps what is there */
  emailCode<T>(
    person: PersonId,
    decide: (kept: EmailCode | null) => { readonly code: EmailCode | null; readonly answer: T },
  ): Promise<T>
  /** The pending address is the person's from now on. */
  confirmEmail(person: PersonId): Promise<void>
  removeEmail(person: PersonId): Promise<boolean>
}

/** Where an account's own programs are told. */
interface AccountWebhook {
  readonly url: string
  readonly secret: string
  readonly choices: TopicChoices
}

export interface AccountWebhookStore {
  find(account: AccountId): Promise<AccountWebhook | null>
  /** In the place of an earlier one; what it has switched stays. */
  save(
    by: PersonId,
    account: AccountId,
    webhook: Pick<AccountWebhook, 'url' | 'secret'>,
  ): Promise<void>
  choose(by: PersonId, account: AccountId, topic: Topic, isOn: boolean): Promise<void>
  remove(by: PersonId, account: AccountId): Promise<boolean>
}

/** Notices that are read off what is kept: keys made and ending, invitations, moves, decisions. */
export interface UnreportedStore {
  /** Writes those that nobody was told of yet. @returns how many */
  tell(now: Ms): Promise<number>
}

/** Whether somebody was here before, from this kind of device and network. */
export interface KnownDeviceStore {
  /** Remembers a place, and writes the notice where it is new to somebody who has others. */
  visit(
    person: PersonId,
    place: HashOfAnyGeneration,
    notice: (at: string) => Notice,
    now: Ms,
  ): Promise<{ readonly isNew: boolean }>
}
