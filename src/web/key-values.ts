import type { api } from './client'
import { plainNumber, usdField, usdOrNull } from './typed'

type Got<T extends (...args: never) => Promise<{ data: unknown }>> = NonNullable<
  Awaited<ReturnType<T>>['data']
>

/** A key as the server tells it. */
export type Key = Got<typeof api.keys.get>['data'][number]
/** Project of an account, as the server tells it. */
export type Project = Got<typeof api.projects.get>['data'][number]

/** Lifetimes of a key that the form offers. */
export const expiries = ['never', 'day', 'week', 'month', 'quarter', 'year'] as const
type Expiry = (typeof expiries)[number] | 'same'

const dayMs = 86_400_000
const days = { day: 1, week: 7, month: 30, quarter: 90, year: 365 } as const

/** Fields of the key form, as they are typed. */
export interface KeyValues {
  readonly name: string
  readonly project: string
  readonly limit: string
  /** Empty for the account's ceiling. */
  readonly rpm: string
  readonly models: string[]
  readonly addresses: string[]
  readonly expiry: Expiry
}

const rpmUnlessSet = '60'

/** Fields of the form for a new key. */
export const newKeyValues = (project: number): KeyValues => ({
  name: '',
  project: String(project),
  limit: '',
  rpm: rpmUnlessSet,
  models: [],
  addresses: [],
  expiry: 'never',
})

/** Fields of the form for a key that exists. */
export const valuesOf = (key: Key): KeyValues => ({
  name: key.name,
  project: String(key.project),
  limit: usdField(key.spend_limit_usd),
  rpm: key.rpm_limit === null ? '' : String(key.rpm_limit),
  models: [...(key.allowed_models ?? [])],
  addresses: [...(key.allowed_addresses ?? [])],
  expiry: key.expires_at === null ? 'never' : 'same',
})

const listed = (entries: readonly string[]): string[] | null =>
  entries.length === 0 ? null : [...entries]

type Sent = Omit<Parameters<typeof api.keys.post>[0], 'project'>
/** Every field that can be sent: one more is missed here. Left out is an expiry alone, which stays as it is. */
type Whole = Required<Omit<Sent, 'expires_at'>> & Pick<Sent, 'expires_at'>

/** Request for a key with these fields. @param now milliseconds since 1970 */
export function limitsOf(values: KeyValues, now: number): Whole {
  const { name, limit, rpm, models, addresses, expiry } = values
  return {
    name: name.trim(),
    spend_limit_usd: usdOrNull(limit),
    rpm_limit: rpm.trim() === '' ? null : Number(plainNumber(rpm)),
    allowed_models: listed(models),
    allowed_addresses: listed(addresses),
    ...(expiry === 'same'
      ? {}
      : { expires_at: expiry === 'never' ? null : now + days[expiry] * dayMs }),
  }
}
