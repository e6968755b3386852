import { keyPrefix, type Config } from '../config'
import { parseUsd } from '../domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../identity/secret'
import type { Storage } from '../storage/storage'

/** An account with money, a project and a key that live as long as the process. */
export function ephemeralKey(storage: Storage, config: Config): string {
  const { directory, pepper } = storage
  const account = directory.createAccount({
    name: 'ephemeral',
    verified: true,
    concurrency: 1000,
  })
  directory.deposit({
    account: account.id,
    amount: parseUsd('1000'),
    kind: 'topup',
    reference: 'ephemeral',
  })
  const project = directory.createProject({ account: account.id, name: 'ephemeral' })
  const secret = makeSecret(keyPrefix(config.services[0]))
  directory.createKey(
    {
      project: project.id,
      name: 'ephemeral',
      requestsPerMinute: null,
      prefix: secretPrefix(secret),
    },
    hashSecret(secret, pepper),
  )
  return secret
}
