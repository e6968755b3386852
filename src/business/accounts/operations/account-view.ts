import { Type, type Static } from '@sinclair/typebox'
import { accountFields } from '../../../domain/fields/account-fields'
import { memberFields } from '../../../domain/fields/member-fields'
import { wired } from '../../../domain/fields/field'
import { showUsd } from '../../../domain/money'
import { limitNames } from '../../../gateway/identity/account-limits'
import type { AccountSummary } from '../../../gateway/identity/account-directory'
import { limitFields } from '../account-change'
import { CapView } from './caps'
import { Id, orNull } from '../../operations/fields'
import { shownFields } from '../../operations/from-fields'

/** Wire name of a limit that an account has of its own, of its group or of the service. */
export const LimitField = Type.Union(limitNames.map((name) => Type.Literal(limitFields[name])))

export const AccountView = Type.Object({
  id: Id,
  ...shownFields(accountFields),
  group_name: orNull(Type.String()),
  /** Limits that were set for it alone. */
  own_limits: Type.Array(LimitField),
  balance_usd: Type.String(),
  created: Type.String(),
})

const PersonView = Type.Object({
  id: Id,
  phone: orNull(Type.String()),
  ...shownFields(memberFields),
  since: Type.String(),
})

/** With its caps, and who signs in for it. */
export const WholeAccountView = Type.Composite([
  AccountView,
  Type.Object({ caps: Type.Array(CapView), people: Type.Array(PersonView) }),
])

export const accountView = (
  account: Omit<AccountSummary, 'isClosed'>,
): Static<typeof AccountView> => ({
  id: account.id,
  ...wired(accountFields, account),
  group_name: account.groupName,
  own_limits: account.ownLimits.map((name) => limitFields[name]),
  balance_usd: showUsd(account.balance),
  created: new Date(account.created).toISOString(),
})
