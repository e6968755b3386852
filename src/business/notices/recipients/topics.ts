import { securityKinds, type Notice, type NoticeKind } from '../../../domain/notice'

/** Topics of notices, as somebody switches them by way. */
export const topics = [
  'security',
  'balance',
  'payments',
  'caps',
  'key_made',
  'key_ending',
  'sign_in',
  'phone',
  'verification',
  'invitation',
] as const
export type Topic = (typeof topics)[number]

/** Channels of notices to a person, or to the programs of an account. */
export const ways = ['bell', 'sms', 'email', 'webhook'] as const
export type Way = (typeof ways)[number]
/** Ways that lead out of the program. */
export type SentWay = Exclude<Way, 'bell'>
export const sentWays = ['sms', 'email', 'webhook'] as const satisfies readonly SentWay[]

const topicOfKind: Partial<Record<NoticeKind, Topic>> = {
  balance_floor: 'balance',
  payment_credited: 'payments',
  payment_refused: 'payments',
  key_spend_limit: 'caps',
  project_monthly_budget: 'caps',
  account_daily_cap: 'caps',
  preverification_ceiling: 'caps',
  key_made: 'key_made',
  key_ending: 'key_ending',
  sign_in_new_place: 'sign_in',
  phone_moves: 'phone',
  verification_approved: 'verification',
  verification_rejected: 'verification',
  invited: 'invitation',
  ...Object.fromEntries(securityKinds.map((kind) => [kind, 'security'])),
}

/** The topic of a notice; null for what concerns the operator alone. */
export const topicOf = ({ kind }: Pick<Notice, 'kind'>): Topic | null => topicOfKind[kind] ?? null

/** Kinds that are a person's own and no matter of the account: its webhook does not carry them. */
const personal: ReadonlySet<Topic> = new Set(['sign_in', 'phone', 'invitation'])

/** Whether a way can carry a topic at all. */
export const carries = (way: Way, topic: Topic): boolean =>
  way !== 'webhook' || !personal.has(topic)

/** Whether a topic cannot be switched off: whoever takes over a session could silence it. */
export const isFixed = (way: Way, topic: Topic): boolean =>
  topic === 'security' || (way !== 'webhook' && topic === 'phone')

/**
 * SMS about security that a person is sent in a day (UTC), beside those of all else: whoever takes over a
 * session cannot use them up by other notices.
 */
export const maxSecuritySms = 20

/** An SMS costs the operator, and wakes people. */
const bySms: ReadonlySet<Topic> = new Set(['security', 'balance', 'phone', 'verification'])

/** Whether a topic goes a way unless somebody has switched it. */
const isPreset = (way: Way, topic: Topic): boolean =>
  carries(way, topic) && (way !== 'sms' || bySms.has(topic))

/** A person's notice settings, by topic. */
export type TopicChoices = Partial<Record<Topic, boolean>>

export const isOn = (way: Way, topic: Topic, choices: TopicChoices): boolean =>
  carries(way, topic) && (isFixed(way, topic) || (choices[topic] ?? isPreset(way, topic)))
