import { smsKinds } from './sms/kinds'
import type { Requester } from '../operators/requester'
import type { SmsProvider, SmsProviderStore } from './sms/provider'
import { checkMachine } from '../accounts/access-rules'
import { AdminError } from '../operations/admin-error'

/** The second is for when the first cannot. */
const maxProviders = 2

interface SmsProviderParts {
  readonly store: SmsProviderStore
  /** Whether the service prints codes on its terminal. */
  readonly isDemo: boolean
  readonly requester: Requester
}

/**
 * Sets up who carries sign-in codes. A key that is not given stays as it is kept.
 * @throws AdminError
 */
export async function setSmsProvider(
  { store, isDemo, requester }: SmsProviderParts,
  wanted: SmsProvider,
): Promise<SmsProvider> {
  const { name, kind, options } = wanted
  // Whoever is elsewhere has no program run there.
  if (kind === 'command') checkMachine(requester, 'sms_command')
  if (kind === 'log' && !isDemo) throw new AdminError('sms_log_outside_demo', {})
  const known = smsKinds[kind]
  for (const option of Object.keys(options))
    if (!(option in known.options))
      throw new AdminError('sms_option_unknown', { provider: kind, option })
  for (const [option, { preset }] of Object.entries(known.options))
    if (preset === undefined && !options[option])
      throw new AdminError('sms_option_missing', { provider: kind, option })
  const stored = await store.list()
  const earlier = stored.find((each) => each.name === name)
  const kept = earlier?.kind === kind ? earlier.secret : null
  const secret = known.secret === 'none' ? null : (wanted.secret ?? kept)
  if (known.secret === 'needed' && secret === null)
    throw new AdminError('sms_secret_missing', { provider: kind })
  if (earlier === undefined && stored.length >= maxProviders)
    throw new AdminError('sms_too_many', { max: maxProviders })
  const provider = { name, kind, options, secret }
  await store.save(provider)
  return provider
}

/** The SMS provider of this name. @throws AdminError sms_not_found */
export async function findSmsProvider(store: SmsProviderStore, name: string): Promise<SmsProvider> {
  const found = (await store.list()).find((each) => each.name === name)
  if (found === undefined) throw new AdminError('sms_not_found', { name })
  return found
}

/** Removes an SMS provider. @throws AdminError sms_not_found */
export async function removeSmsProvider(store: SmsProviderStore, name: string): Promise<void> {
  if (!(await store.remove(name))) throw new AdminError('sms_not_found', { name })
}
