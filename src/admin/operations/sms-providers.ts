import { Type } from '@sinclair/typebox'
import { parsePhone } from '../../people/phone'
import { smsKinds } from '../../sms/kinds'
import { smsProviderKinds, type SmsProvider } from '../../sms/provider'
import { AdminError } from '../admin-error'
import { removeSmsProvider, setSmsProvider } from '../sms-providers'
import { ConnectionOptions, ConnectionParam, WrittenSecret } from './card-gateways'
import { orNull } from './fields'
import { operation } from './operation'

const SmsKindView = Type.Union(smsProviderKinds.map((kind) => Type.Literal(kind)))

const SmsProviderView = Type.Object({
  name: Type.String(),
  kind: SmsKindView,
  options: Type.Record(Type.String(), Type.String()),
  has_secret: Type.Boolean(),
})

const providerShown = ({ name, kind, options, secret }: SmsProvider) => ({
  name,
  kind,
  options: { ...options },
  has_secret: secret !== null,
})

export const smsOperations = [
  operation({
    name: 'sms.list',
    method: 'GET',
    path: '/sms-providers',
    role: 'viewer',
    about: 'SMS providers in the order in which they are tried, and what each kind needs',
    result: Type.Object({
      data: Type.Array(SmsProviderView),
      kinds: Type.Array(
        Type.Object({
          kind: SmsKindView,
          secret: Type.Union([
            Type.Literal('needed'),
            Type.Literal('optional'),
            Type.Literal('none'),
          ]),
          options: Type.Array(
            Type.Object({
              name: Type.String(),
              about: Type.String(),
              preset: orNull(Type.String()),
            }),
          ),
        }),
      ),
    }),
    run: async ({ storage }) => ({
      data: (await storage.smsProviders.list()).map(providerShown),
      kinds: smsProviderKinds.map((kind) => ({
        kind,
        secret: smsKinds[kind].secret,
        options: Object.entries(smsKinds[kind].options).map(([name, { about, preset }]) => ({
          name,
          about,
          preset: preset ?? null,
        })),
      })),
    }),
  }),
  operation({
    name: 'sms.set',
    method: 'PUT',
    path: '/sms-providers/{name}',
    role: 'owner',
    about: 'Add or change an SMS provider; a key that is left out stays as it is',
    params: { name: ConnectionParam },
    body: {
      kind: SmsKindView,
      options: Type.Optional(ConnectionOptions),
      secret: Type.Optional(WrittenSecret),
    },
    result: SmsProviderView,
    async run({ storage, service, requester }, { params, body }) {
      const { kind, options = {}, secret = null } = body
      const wanted = { name: params.name, kind, options, secret: secret?.trim() ?? null }
      const parts = { store: storage.smsProviders, isDemo: service.isDemo, requester }
      return providerShown(await setSmsProvider(parts, wanted))
    },
  }),
  operation({
    name: 'sms.remove',
    method: 'DELETE',
    path: '/sms-providers/{name}',
    role: 'owner',
    about: 'Remove an SMS provider',
    params: { name: ConnectionParam },
    result: Type.Object({ removed: Type.String() }),
    async run({ storage }, { params }) {
      await removeSmsProvider(storage.smsProviders, params.name)
      return { removed: params.name }
    },
  }),
  operation({
    name: 'sms.test',
    method: 'POST',
    path: '/sms-providers/{name}/test',
    role: 'owner',
    about: 'Send a code for trying to a phone of yours',
    params: { name: ConnectionParam },
    body: { phone: Type.String({ minLength: 1, maxLength: 30 }) },
    result: Type.Object({ code: Type.String() }),
    async run({ service }, { params, body }) {
      const phone = parsePhone(body.phone)
      if (phone === null)
        throw new AdminError('input_invalid', { field: 'phone', rule: 'bad_form', form: 'mobile' })
      return await service.trials.sms(params.name, phone)
    },
  }),
] as const
