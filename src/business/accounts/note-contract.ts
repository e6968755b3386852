import type { Ms } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'

/** Note of an operator on an account, for other operators; its people never read it. */
export interface AccountNote {
  readonly id: number
  readonly account: AccountId
  readonly text: string
  readonly by: string
  readonly created: Ms
}

/** Notes; each change is a line of the trail. */
export interface AccountNoteStore {
  /** Newest first. */
  list(account: AccountId, before: number | null, max: number): Promise<readonly AccountNote[]>
  add(account: AccountId, text: string): Promise<AccountNote>
  /** @returns whether there was one */
  remove(account: AccountId, id: number): Promise<boolean>
}
