import type { AccountId } from '../../domain/ids'
import type { AccountSummary, Directory } from '../../gateway/identity/account-directory'
import type { OperatorReader } from '../../domain/reports/operator-reader'
import { AdminError } from '../operations/admin-error'

interface AccountStores {
  readonly storage: { readonly directory: Pick<Directory, 'findAccount'> }
}

/** The account of this id. @throws AdminError account_not_found */
export async function accountIn({ storage }: AccountStores, id: number): Promise<AccountSummary> {
  const account = id as AccountId
  const found = await storage.directory.findAccount(account)
  if (found === null) throw new AdminError('account_not_found', { account })
  return found
}

/** An account that may be changed. @throws AdminError account_not_found | account_closed */
export async function openAccountIn(parts: AccountStores, id: number): Promise<AccountSummary> {
  const account = await accountIn(parts, id)
  if (account.isClosed) throw new AdminError('account_closed', { account: account.id })
  return account
}

/** The owner as whom an account is seen. @throws AdminError account_without_owner */
export async function accountOwner(
  reader: Pick<OperatorReader, 'accountPeople'>,
  account: AccountId,
) {
  const owner = (await reader.accountPeople(account)).find(({ role }) => role === 'owner')
  if (owner === undefined) throw new AdminError('account_without_owner', { account })
  return owner
}
