import { settableField } from './field'

/** Roles of operators, from least to most: read, serve customers, everything. */
export const operatorRoles = ['viewer', 'staff', 'owner'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Settable fields of an operator. */
export const operatorFields = {
  name: settableField.text('name', 'small letters, digits, dots, dashes and underscores', {
    minLength: 1,
    maxLength: 40,
  }),
  role: settableField.choice(
    'role',
    operatorRoles,
    'viewer reads, staff serves customers, owner does everything',
    { option: 'role <role>' },
  ),
} as const
