import { dayMs, type Clock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import type { Phone } from '../../domain/phone'

export interface Invited {
  readonly account: AccountId
  readonly phone: Phone
}

/** Tells people by SMS that they are invited. Never throws, and nobody waits for it. */
export type NotifyInvited = (invited: Invited) => void

interface ReportInvitedParts {
  readonly clock: Clock
  /** Text of an invitation: nothing that a customer wrote, since strangers read it. */
  text(phone: Phone): string
  send(phone: Phone, text: string): Promise<void>
  onFault(fault: unknown): void
  /** Other processes of the service, which count with this one. */
  readonly others?: {
    tell(invited: Invited): void
    onTold(told: (invited: Invited) => void): void
  }
}

/** Of one account in a day (UTC). */
const maxPerAccount = 10
/** Of all accounts in a day: invitations must not spend what codes are sent by. */
const maxInAll = 500

/** A number is told once a day by one account, however often it is invited. */
export function openInviteNotice(parts: ReportInvitedParts): NotifyInvited {
  const { clock, text, send, onFault, others } = parts
  let day = 0
  let told = new Map<AccountId, Set<Phone>>()
  let inAll = 0
  /** @returns false where that would be too much */
  const count = ({ account, phone }: Invited): boolean => {
    const today = Math.floor(clock.now() / dayMs)
    if (today !== day) {
      day = today
      told = new Map()
      inAll = 0
    }
    const phones = told.get(account) ?? new Set()
    if (phones.has(phone) || phones.size >= maxPerAccount || inAll >= maxInAll) return false
    told.set(account, phones.add(phone))
    inAll++
    return true
  }
  others?.onTold((invited) => void count(invited))
  return (invited) => {
    if (!count(invited)) return
    others?.tell(invited)
    void send(invited.phone, text(invited.phone)).catch(onFault)
  }
}
