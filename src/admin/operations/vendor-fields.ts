import { Type } from '@sinclair/typebox'
import { asOption } from './from-fields'

/** How a vendor is tried before it is saved. */
export const trialFields = {
  test: asOption(
    Type.Boolean({ default: true, description: 'False saves it without asking the vendor' }),
    'do not ask the vendor whether address and key are right',
    { option: 'no-test' },
  ),
  force: asOption(Type.Optional(Type.Boolean()), 'save it although it does not answer well'),
} as const
