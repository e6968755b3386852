import type { Project } from '../domain/caller'
import type { KeyId, ProjectId } from '../domain/ids'
import type { Directory, KeySummary } from '../gateway/identity/account-directory'
import { mayChangeKey } from '../business/users/members'
import type { Customer } from './customer'
import { Refusal } from './refusal'

/** Things of a customer. Somebody else's are not found. */
export interface Own {
  /** @throws Refusal 404 `not_found` */
  project(who: Customer, id: ProjectId): Promise<Project>
  /** @throws Refusal 404 `not_found` */
  key(who: Customer, id: KeyId): Promise<KeySummary>
  /** @throws Refusal 404 `not_found` | 403 `not_your_key` where another member made it */
  changeableKey(who: Customer, id: KeyId): Promise<KeySummary>
}

export const openOwn = (directory: Pick<Directory, 'findProject' | 'findKey'>): Own => ({
  project: async ({ account }, id) => owned(await directory.findProject(id), account),
  key: async ({ account }, id) => owned(await directory.findKey(id), account),
  async changeableKey(who, id) {
    const key = owned(await directory.findKey(id), who.account)
    if (!mayChangeKey(who, key.madeBy)) throw new Refusal(403, 'not_your_key')
    return key
  },
})

function owned<T extends { readonly account: Customer['account'] }>(
  found: T | null,
  account: Customer['account'],
): T {
  if (found === null || found.account !== account) throw new Refusal(404, 'not_found')
  return found
}
