import { parseUsd, type NanoUsd } from '../../domain/money'
import { hashSecret, makeSecret, secretPrefix } from '../../gateway/identity/secret'
import type { Storage } from '../data/storage'

/** Bounds of the account and the key of a gateway in memory. */
export interface EphemeralTerms {
  readonly credit: NanoUsd
  /** Null: no ceiling but the account's. */
  readonly requestsPerMinute: number | null
  readonly concurrency: number
  /** Of the key; null for none. */
  readonly spendLimit: NanoUsd | null
}

/** More than any test needs. */
export const generousTerms: EphemeralTerms = {
  credit: parseUsd('1000'),
  requestsPerMinute: null,
  concurrency: 1000,
  spendLimit: null,
}

/** An account, a project and a key that live as long as the process. @returns the key */
export async function ephemeralKey(
  { directory, pepper }: Pick<Storage, 'directory' | 'pepper'>,
  prefix: string,
  { credit, requestsPerMinute, concurrency, spendLimit }: EphemeralTerms,
): Promise<string> {
  const name = 'ephemeral'
  const account = await directory.createAccount({ name, verified: true, concurrency })
  if (credit > 0)
    await directory.deposit({ account: account.id, amount: credit, kind: 'topup', reference: name })
  const project = await directory.createProject({ account: account.id, name })
  const secret = makeSecret(prefix)
  const key = { project: project.id, name, requestsPerMinute, prefix: secretPrefix(secret) }
  await directory.createKey({ ...key, spendLimit }, hashSecret(secret, pepper))
  return secret
}
