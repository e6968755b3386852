import { orNone, settableField } from './field'

/** HTTP clients that can carry calls to a vendor: our own, or the runtime’s `fetch`. */
export const transports = ['own', 'fetch'] as const
export type Transport = (typeof transports)[number]

const seconds = { scale: 1000, max: 86_400 } as const

/** Settable fields of a vendor, besides its name, its credentials and its markup. */
export const vendorFields = {
  /** Key of the registry: which code speaks with it. */
  kind: settableField.text('kind', 'what it speaks', {
    minLength: 1,
    maxLength: 40,
    option: 'kind <kind>',
  }),
  /** Row of the dialect table, for kinds that have dialects. */
  dialect: settableField.text('dialect', 'how it deviates', {
    minLength: 1,
    maxLength: 40,
    option: 'dialect <name>',
  }),
  /** Without a slash at its end. */
  baseUrl: settableField.text('base_url', 'address up to and with the version', {
    minLength: 1,
    maxLength: 500,
    option: 'base-url <url>',
  }),
  timeoutMs: settableField.count('timeout_seconds', 'longest wait for the first byte', {
    ...seconds,
    option: 'timeout <seconds>',
  }),
  firstTokenTimeoutMs: orNone(
    settableField.count(
      'first_token_timeout_seconds',
      'longest wait for the first output of a stream; null: as the setting first-token-timeout says',
      { ...seconds, option: 'first-token-timeout <seconds>' },
    ),
  ),
  active: settableField.flag('active', 'False sells none of its models by it', { preset: true }),
  /** `fetch` is the way out where a vendor and our own client do not get along. */
  transport: settableField.choice(
    'transport',
    transports,
    'HTTP client that carries its calls; fetch where our own does not get along with it',
    { preset: 'own', option: 'transport <client>' },
  ),
} as const
