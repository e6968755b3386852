import { Elysia } from 'elysia'
import { verificationCeiling } from '../../domain/caller'
import type { AccountSummary } from '../../gateway/identity/account-directory'
import { showUsd } from '../../domain/money'
import { maskPhone, showPhone, type Phone } from '../../domain/phone'
import type { Customer } from '../customer'
import { visitOf } from '../page-head'
import { Refusal } from '../refusal'
import type { ConsoleParts } from './parts'

/** `GET /app/api/me`: who is signed in, and how their account stands. */
export const meApi = (parts: ConsoleParts) =>
  new Elysia({ prefix: '/me', normalize: false }).get('/', async ({ request }) =>
    meOf(parts, await parts.customer(request), request),
  )

/** Session as the web app reads it. @throws Refusal where the account is gone */
export async function meOf(parts: ConsoleParts, who: Customer, { headers }: Request) {
  const { people, directory } = parts
  const [person, accounts, move, asked, unread] = await Promise.all([
    people.find(who.person),
    people.accounts(who.person),
    parts.phoneMoves(who).find(who.person),
    parts.members.invitationsTo(who.person),
    parts.holderNotices.unread(who),
  ])
  const account = await directory(who).findAccount(who.account)
  if (person === null || account === null) throw new Refusal(401, 'signed_out')
  const { balance, held } = await parts.ledger.funds(account.id)
  return {
    person: { id: person.id, phone: person.phone === null ? null : phoneShown(person.phone, who) },
    /** An operator looks as this person does, until then; nothing can be changed. */
    look: who.look === undefined ? null : { by: who.look.by, until: who.look.until as number },
    account: {
      id: account.id,
      name: account.name,
      role: who.role,
      verified: account.verified,
      status: account.status,
      balance_usd: showUsd(balance),
      held_usd: showUsd(held),
      /** What may be spent before identity is verified, and what was; null once it is. */
      kyc: await kycOf(parts, account),
    },
    /** An operator gives this person another number then; `DELETE /app/api/phone/move` keeps it. */
    phone_moves_at: move?.due ?? null,
    accounts: accounts.map(({ account: id, accountName: name, role }) => ({ id, name, role })),
    /** Accounts that they are asked to join. */
    invitations: asked.map(({ id, accountName, role, byPhone }) => ({
      id: id as number,
      account_name: accountName,
      role,
      by: byPhone === null ? null : maskPhone(byPhone),
    })),
    language: visitOf(headers).language,
    /** Notices that they have not seen. */
    unread,
    /** Whose days usage is counted by. */
    zone: parts.settings.serviceZone,
  }
}

/** Whole for the person alone. */
const phoneShown = (phone: Phone, { look }: Customer): string =>
  look === undefined ? showPhone(phone) : maskPhone(phone)

/** Spending of an account towards the ceiling before verification, and the verification's state. */
export async function kycOf(
  { ledger, settings, verifications }: Pick<ConsoleParts, 'ledger' | 'settings' | 'verifications'>,
  account: AccountSummary,
) {
  const ceiling = verificationCeiling(account, settings)
  if (ceiling === null) return null
  const last = await verifications.find(account.id)
  return {
    spent_usd: showUsd(await ledger.spentByAccount(account.id)),
    ceiling_usd: showUsd(ceiling),
    /** State of the newest submission; null without one. */
    state: last?.state ?? null,
  }
}
