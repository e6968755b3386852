import { Type } from '@sinclair/typebox'
import { transports } from '../../domain/model'
import { dialects } from '../../vendors/openai/dialects'
import { ownFormats } from '../../vendors/own-formats'
import { percentOf, vendorKinds } from '../vendor-address'
import { orNull } from './fields'
import { asOption } from './from-fields'
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
const Address = Type.String({ minLength: 1, maxLength: 500 })
const Word = Type.String({ minLength: 1, maxLength: 40 })
const Seconds = Type.Integer({ minimum: 1, maximum: 86_400 })

const kind = [`what it speaks: ${vendorKinds.join(', ')}`, { option: 'kind <kind>' }] as const
const baseUrl = { option: 'base-url <url>' } as const
const dialect = { option: 'dialect <name>' } as const
const key = { option: 'api-key <key>', fromStdin: 'too' } as const
const active = Type.Optional(Type.Boolean({ description: 'False sells none of its models by it' }))

const timeouts = {
  timeout_seconds: asOption(Type.Optional(Seconds), 'longest wait for the first byte', {
    option: 'timeout <seconds>',
  }),
  first_token_timeout_seconds: asOption(
    Type.Optional(orNull(Seconds)),
    'longest wait for the first output of a stream; null: as the setting first-token-timeout says',
    { option: 'first-token-timeout <seconds>', nullable: true },
  ),
} as const
const markup = (about: string) => ({
  margin_percent: asOption(Type.Optional(Percent), about, {
    option: 'markup <percent>',
    formerly: 'margin <percent>',
    read: percentOf,
  }),
})
const transport = {
  transport: asOption(
    Type.Optional(Type.Union(transports.map((each) => Type.Literal(each)))),
    'HTTP client that carries its calls; fetch where our own does not get along with it',
    { option: 'transport <client>', choices: transports },
  ),
} as const

/** Body of a new vendor. */
export const newVendorFields = {
  name: asOption(VendorName, 'name, used in routes', { option: 'name <name>' }),
  kind: asOption(Word, ...kind),
  base_url: asOption(
    Type.Optional(Address),
    `address up to and with the version (default: the vendor’s own, of ${Object.keys(ownFormats).join(', ')})`,
    baseUrl,
  ),
  api_key: asOption(Type.Optional(VendorSecret), 'our key there', { ...key, isPrompted: true }),
  dialect: asOption(
    Type.Optional(Word),
    `how it deviates: ${Object.keys(dialects).join(', ')}`,
    dialect,
  ),
  ...timeouts,
  ...markup('on its costs, by a pricing rule of its own'),
  ...transport,
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
  base_url: asOption(Type.Optional(Address), 'address up to and with the version', baseUrl),
  kind: asOption(Type.Optional(Word), ...kind),
  dialect: asOption(Type.Optional(Word), 'how it deviates', dialect),
  ...markup('on its costs, by a pricing rule of its own; prices by rule move at once'),
  ...timeouts,
  ...transport,
  rename: asOption(Type.Optional(VendorName), 'its name from now on, in routes and rules too', {
    option: 'rename <name>',
  }),
  ...trialFields,
} as const
