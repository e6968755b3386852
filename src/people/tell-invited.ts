import { dayMs, type Clock } from '../domain/clock'
import type { AccountId } from '../domain/ids'
import type { Phone } from './phone'

/** Tells people by SMS that they are invited. Never throws, and nobody waits for it. */
export type TellInvited = (invited: { readonly account: AccountId; readonly phone: Phone }) => void

interface TellInvitedParts {
  readonly clock: Clock
  /** What it says: nothing that a customer wrote, since strangers read it. */
  text(phone: Phone): string
  send(phone: Phone, text: string): Promise<void>
  onFault(fault: unknown): void
}

/** Of one account in a day (UTC). */
const maxPerAccount = 10
/** Of all accounts in a day: invitations must not spend what codes are sent by. */
const maxInAll = 500

/** A number is told once a day by one account, however often it is invited. */
export function openTellInvited({ clock, text, send, onFault }: TellInvitedParts): TellInvited {
  let day = 0
  let told = new Map<AccountId, Set<Phone>>()
  let inAll = 0
  return ({ account, phone }) => {
    const today = Math.floor(clock.now() / dayMs)
    if (today !== day) {
      day = today
      told = new Map()
      inAll = 0
    }
    const phones = told.get(account) ?? new Set()
    if (phones.has(phone) || phones.size >= maxPerAccount || inAll >= maxInAll) return
    told.set(account, phones.add(phone))
    inAll++
    void send(phone, text(phone)).catch(onFault)
  }
}
