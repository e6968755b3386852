import { Type } from '@sinclair/typebox'
import { Id, orNull } from '../../operations/fields'

export const DecisionState = Type.Union([
  Type.Literal('submitted'),
  Type.Literal('approved'),
  Type.Literal('rejected'),
])

export const VerificationView = Type.Object({
  account: Id,
  account_name: Type.String(),
  person: Id,
  phone: orNull(Type.String()),
  state: DecisionState,
  first_name: orNull(Type.String()),
  last_name: orNull(Type.String()),
  /** Masked, but where it is asked for. */
  national_code: orNull(Type.String()),
  birth_date: orNull(Type.String()),
  provider: Type.Union([Type.Literal('manual'), Type.Literal('http')]),
  reason: orNull(Type.String()),
  by: orNull(Type.String()),
  submitted: Type.String(),
  decided: orNull(Type.String()),
})
