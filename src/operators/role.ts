/** Roles of operators, from least to most: read, serve customers, everything. */
export const operatorRoles = ['viewer', 'staff', 'owner'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Whether a role includes what another one may. */
export const mayAs = (role: OperatorRole, least: OperatorRole): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(least)
