import type { Clock } from '../../../domain/clock'
import type { Notice } from '../../../domain/notice'
import type { Channel } from '../channel'
import type { Audience, HolderNoticeStore, PlannedDelivery, SpreadPlan } from './contract'
import { isOn, topicOf, type Topic } from './topics'

/** Name of the channel that leads to the people of an account. */
export const holdersChannelName = 'holders'

interface HoldersChannelParts {
  readonly store: Pick<HolderNoticeStore, 'spread'>
  readonly clock: Clock
  /** SMS that one account is sent in a day (UTC); read at each use. */
  smsPerDay(): number
  /** Days that a balance lasts at the pace of the last week; null where nothing was spent. */
  lastsDays(notice: Notice): Promise<number | null>
  /** Deliveries may have been written. */
  onSpread(): void
}

/** Spreads a notice to the people whom it concerns; what leaves the program goes by the ways of each. */
export const holdersChannel = (parts: HoldersChannelParts): Channel => ({
  name: holdersChannelName,
  async deliver(notice) {
    const topic = topicOf(notice)
    if (topic === null) return
    const max = parts.smsPerDay()
    const whole = await withDays(notice, parts)
    await parts.store.spread(whole, (audience) => planOf(topic, audience, max), parts.clock.now())
    parts.onSpread()
  },
})

async function withDays(notice: Notice, { lastsDays }: HoldersChannelParts): Promise<Notice> {
  if (notice.kind !== 'balance_floor') return notice
  const days = await lastsDays(notice)
  if (days === null) return notice
  const facts = { ...notice.subject.facts, days: String(days) }
  return { ...notice, subject: { ...notice.subject, facts } }
}

const overBudget = 'the SMS of the day are used up'

/** Recipients by way. Notices of a number that moves are never too many. */
function planOf(topic: Topic, audience: Audience, maxSms: number): SpreadPlan {
  const bell: SpreadPlan['bell'][number][] = []
  const deliveries: PlannedDelivery[] = []
  let sms = audience.smsToday
  for (const { person, hasPhone, hasEmail, hasMadeKey, choices } of audience.people) {
    // Nobody silences what somebody else makes in their account.
    const isOthers = topic === 'key_made' && !hasMadeKey
    if (isOthers || isOn('bell', topic, choices.bell)) bell.push(person)
    if (hasEmail && (isOthers || isOn('email', topic, choices.email)))
      deliveries.push({ way: 'email', person, error: null })
    if (!hasPhone || !isOn('sms', topic, choices.sms)) continue
    const isAllowed = topic === 'phone' || sms < maxSms
    deliveries.push({ way: 'sms', person, error: isAllowed ? null : overBudget })
    if (isAllowed) sms++
  }
  if (audience.webhook !== null && isOn('webhook', topic, audience.webhook))
    deliveries.push({ way: 'webhook', person: null, error: null })
  return { bell, deliveries }
}
