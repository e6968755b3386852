import type { GroupId } from '../ids'
import { settableField, orNone, type Field } from './field'

/** Requests per minute of an account that sets its keys no ceiling. */
export const noAccountRpm = 1_000_000_000

const group: Field<'group', GroupId, 'group'> = {
  kind: 'group',
  wire: 'group',
  about: 'group whose prices and limits it has, by number or name, or null',
  nullable: false,
}

/** Limits that an account has of its own, else those of its group, else the service's. */
export const accountLimitFields = {
  dailyCap: orNone(settableField.usd('daily_cap_usd', 'maximum dollars per day (UTC), or null')),
  concurrency: settableField.count('concurrency', 'maximum requests at once', {
    max: noAccountRpm,
  }),
  requestsPerMinute: settableField.count(
    'rpm',
    'maximum requests per minute of each of its keys, or null',
    { trail: 'requests_per_minute', max: noAccountRpm, unlimited: noAccountRpm },
  ),
  maxRequestKb: settableField.count('max_request_kb', 'maximum size of a request body', {
    max: noAccountRpm,
  }),
  unverifiedCeiling: orNone(
    settableField.usd(
      'unverified_ceiling_usd',
      'maximum dollars in all before verification; null: the service’s own ceiling',
    ),
  ),
} as const

/** Settable fields of an account. */
export const accountFields = {
  name: settableField.name('name', 'name, for people'),
  status: settableField.choice(
    'status',
    ['active', 'suspended'],
    'suspended accounts are refused',
    {
      preset: 'active',
    },
  ),
  verified: settableField.flag(
    'verified',
    'the holder’s identity is verified: lifts the ceiling before verification',
    { preset: false },
  ),
  group: orNone(group),
  ...accountLimitFields,
  noticeFloor: orNone(
    settableField.usd(
      'notice_floor_usd',
      'balance below which a notice is sent; null: the service’s own floor',
    ),
  ),
} as const
