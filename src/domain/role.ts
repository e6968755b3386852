import { operatorRoles, type OperatorRole } from './fields/operator-fields'

/** The role that may less. */
export const lesserRole = (a: OperatorRole, b: OperatorRole): OperatorRole => (mayAs(a, b) ? b : a)

/** Whether a role includes what another one may. */
export const mayAs = (role: OperatorRole, least: OperatorRole): boolean =>
  operatorRoles.indexOf(role) >= operatorRoles.indexOf(least)
