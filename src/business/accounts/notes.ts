import type { AccountId } from '../../domain/ids'
import type { AccountNote, AccountNoteStore } from './note-contract'
import { AdminError, checkTextLength } from '../operations/admin-error'

const maxNoteLength = 2000

/**
 * Keeps what an operator wants others to know of an account.
 * @throws AdminError input_invalid
 */
export async function addAccountNote(
  store: Pick<AccountNoteStore, 'add'>,
  account: AccountId,
  typed: string,
): Promise<AccountNote> {
  const text = typed.trim()
  checkTextLength('text', text, maxNoteLength)
  return await store.add(account, text)
}

/** Removes an operator's note on an account. @throws AdminError note_not_found */
export async function removeAccountNote(
  store: Pick<AccountNoteStore, 'remove'>,
  account: AccountId,
  note: number,
): Promise<void> {
  if (!(await store.remove(account, note))) throw new AdminError('note_not_found', { note })
}
