import { settableField } from './field'

/** An owner may do everything; a member makes keys, changes those, and sees what all of them cost. */
export const memberRoles = ['owner', 'member'] as const
export type Role = (typeof memberRoles)[number]

/** Settable fields of a member of an account. */
export const memberFields = {
  role: settableField.choice('role', memberRoles, 'what they may do'),
} as const
