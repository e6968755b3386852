import { orNone, settableField } from './field'
import { noAccountRpm } from './account-fields'

/** Limits that a group gives its accounts; null for the service's. */
export const groupLimitFields = {
  dailyCap: orNone(settableField.usd('daily_cap_usd', 'maximum dollars per day (UTC), or null')),
  concurrency: orNone(
    settableField.count('concurrency', 'maximum requests at once, or null', { max: noAccountRpm }),
  ),
  requestsPerMinute: orNone(
    settableField.count('rpm', 'maximum requests per minute of each key, or null', {
      max: noAccountRpm,
    }),
  ),
  maxRequestKb: orNone(
    settableField.count('max_request_kb', 'maximum size of a request body, or null', {
      max: noAccountRpm,
    }),
  ),
  unverifiedCeiling: orNone(
    settableField.usd(
      'unverified_ceiling_usd',
      'maximum dollars in all before verification, or null',
    ),
  ),
} as const

/** Settable fields of a group of accounts. */
export const groupFields = {
  name: settableField.name('name', 'another name'),
  ...groupLimitFields,
} as const
