import { settableField, orNone } from './field'

/** Settable fields of a key. Its state is apart: it has rules of its own. */
export const keyFields = {
  name: settableField.name('name', 'name, for people'),
  requestsPerMinute: orNone(
    settableField.count(
      'rpm_limit',
      'requests per minute (60 unless set), or null for the account’s ceiling',
      {
        preset: 60,
        trail: 'requests_per_minute',
        option: 'rpm',
        max: 1_000_000_000,
      },
    ),
  ),
  spendLimit: orNone(settableField.usd('spend_limit_usd', 'dollars in all, or null')),
  /** Model ids and patterns such as `openai/*`; null allows every model. */
  allowedModels: orNone(
    settableField.words('allowed_models', 'allow only these models; repeatable', {
      option: 'allow-model <pattern>',
    }),
  ),
  /** Addresses and CIDR ranges; null allows every address. */
  allowedAddresses: orNone(
    settableField.words('allowed_addresses', 'allow only these addresses; repeatable', {
      option: 'allow-address <range>',
    }),
  ),
  expiresAt: orNone(
    settableField.instant('expires_at', 'a date, a span such as 30d, or null', {
      trail: 'expires',
      option: 'expires',
    }),
  ),
} as const

export const keyStates = ['active', 'disabled', 'revoked'] as const
