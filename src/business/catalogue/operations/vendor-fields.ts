import { Type } from '@sinclair/typebox'
import { vendorFields } from '../../../domain/fields/vendor-fields'
import { dialects } from '../../../gateway/vendors/openai/dialects'
import { ownFormats } from '../../../gateway/vendors/native-defaults'
import { percentOf, vendorKinds } from '../vendor-address'
import { asOption, describe, settable } from '../../operations/from-fields'
import { VendorName, VendorSecret } from './vendor-views'

/** How a vendor is tried before it is saved. */
export const trialFields = {
  test: asOption(
    Type.Boolean({ default: true, description: 'False saves it without asking the vendor' }),
    'do not ask the vendor whether address and key are right',
    { option: 'no-test' },
  ),
  force: asOption(Type.Optional(Type.Boolean()), 'save it although it does not answer well'),
} as const

const Percent = Type.String({ minLength: 1, maxLength: 20 })
const { kind, dialect, base_url, active, ...fields } = settable(vendorFields)

const kindAbout = `what it speaks: ${vendorKinds.join(', ')}`
const key = { option: 'api-key <key>', fromStdin: 'too' } as const

const markup = (about: string) => ({
  margin_percent: asOption(Type.Optional(Percent), about, {
    option: 'markup <percent>',
    formerly: 'margin <percent>',
    read: percentOf,
  }),
})

/** Body of a new vendor. */
export const newVendorFields = {
  name: asOption(VendorName, 'name, used in routes', { option: 'name <name>' }),
  kind: describe(Type.Optional(kind, false), kindAbout),
  base_url: describe(
    base_url,
    `address up to and with the version (default: the vendor’s own, of ${Object.keys(ownFormats).join(', ')})`,
  ),
  api_key: asOption(Type.Optional(VendorSecret), 'our key there', { ...key, isPrompted: true }),
  dialect: describe(dialect, `how it deviates: ${Object.keys(dialects).join(', ')}`),
  ...fields,
  ...markup('on its costs, by a pricing rule of its own'),
  active: asOption(active, 'add it switched off', { option: 'no-active' }),
  ...trialFields,
} as const

/** Body of a change of a vendor: what is not sent stays. */
export const changedVendorFields = {
  active: asOption(active, 'available again', { option: 'on' }),
  api_key: asOption(
    Type.Optional(VendorSecret),
    'our key there, in the place of the default one',
    key,
  ),
  base_url,
  kind: describe(kind, kindAbout),
  dialect,
  ...markup('on its costs, by a pricing rule of its own; prices by rule move at once'),
  ...fields,
  rename: asOption(Type.Optional(VendorName), 'its name from now on, in routes and rules too', {
    option: 'rename <name>',
  }),
  ...trialFields,
} as const
