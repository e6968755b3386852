import { Type, type Static } from '@sinclair/typebox'
import { parsePhone } from '../../../domain/phone'
import { smsKinds } from '../sms/kinds'
import { smsProviderKinds, type SmsProvider } from '../sms/provider'
import { AdminError } from '../../operations/admin-error'
import { removeSmsProvider, setSmsProvider } from '../sms-providers'
import {
  ConnectionOptions,
  ConnectionParam,
  optionsWith,
  WrittenSecret,
} from '../../payments/operations/card-gateways'
import type { CommandForm } from '../../operations/command'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

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

const Removed = Type.Object({ removed: Type.String() })
const Tried = Type.Object({ name: Type.String(), code: Type.String() })

type Viewed = Static<typeof SmsProviderView>

const which = { name: 'name', about: 'name of the provider', as: 'place', kind: 'text' } as const

const formerNames = ({ kind, has_secret }: Viewed) => ({
  provider: kind,
  key: has_secret ? '•••' : null,
})

const optionLines = (): string =>
  smsProviderKinds
    .map((kind) => {
      const { options, secret } = smsKinds[kind]
      const key = { needed: ['--key-stdin'], optional: ['[--key-stdin]'], none: [] }[secret]
      const names = Object.entries(options).map(([name, { about, preset }]) => {
        if (preset === undefined) return `${name}  ${about}`
        return `[${name}]  ${about}${preset === '' ? '' : `; ${preset}`}`
      })
      const lines = [...names, ...key].map((line) => `    ${line}`)
      return [`  ${kind}`, ...lines].join('\n')
    })
    .join('\n')

const set: CommandForm<Viewed> = {
  words: 'sms set',
  about: 'add or change a provider; two at most, tried in the order they were added',
  example: 'sms set main --provider kavenegar --option template=chapar --key-stdin < key',
  params: { name: { ...which, about: 'a name for it' } },
  helpEnd: `Options by provider:\n${optionLines()}`,
  object: 'sms_provider',
  formerNames,
  said: ({ name, kind }) => ({
    stdout: [`provider ${name} (${kind}); try it: chapar sms test ${name} 09…`],
  }),
}

const list: CommandForm<{ readonly data: readonly Viewed[] }> = {
  words: 'sms list',
  about: 'list providers, without their keys',
  example: 'sms list',
  object: 'sms_provider',
  formerNames,
  list: {
    pages: null,
    columns: ['name', 'provider', 'options', 'key'],
    heading: ['NAME', 'PROVIDER', 'OPTIONS', 'KEY'],
    cells: (each) => [
      each.name,
      each.kind,
      Object.entries(each.options)
        .map(([name, text]) => `${name}=${text}`)
        .join(' ') || '–',
      each.has_secret ? '•••' : '–',
    ],
  },
}

const test: CommandForm<Static<typeof Tried>> = {
  words: 'sms test',
  about: 'send a code for trying to a phone of yours',
  example: 'sms test main 09123456789',
  params: { name: which },
  places: { phone: '<phone>' },
  object: 'sms.test',
  formerNames: () => ({ ok: true }),
  said: ({ name, code }) => ({ stdout: [`✓ ${name} took it: ${code} is on its way`] }),
}

const remove: CommandForm<Static<typeof Removed>> = {
  words: 'sms remove',
  about: 'remove a provider',
  example: 'sms remove main',
  params: { name: which },
  object: 'sms_provider',
  formerNames: ({ removed }) => ({ name: removed, deleted: true }),
  said: ({ removed }) => ({ stdout: [`provider ${removed} removed`] }),
}

export const smsOperations = [
  operation({
    name: 'sms.set',
    method: 'PUT',
    path: '/sms-providers/{name}',
    role: 'owner',
    about: 'Add or change an SMS provider; a key that is left out stays as it is',
    params: { name: ConnectionParam },
    body: {
      kind: asOption(SmsKindView, 'what it speaks', {
        kind: 'choice',
        option: 'provider <kind>',
        choices: smsProviderKinds,
      }),
      options: asOption(Type.Optional(ConnectionOptions), 'what the provider needs; repeatable', {
        option: 'option <name=value>',
        read: optionsWith,
      }),
      secret: asOption(
        Type.Optional(WrittenSecret),
        'read our key there from standard input; kept sealed',
        { option: 'key', fromStdin: true },
      ),
    },
    result: SmsProviderView,
    commands: [set],
    async run({ storage, service, requester }, { params, body }) {
      const { kind, options = {}, secret = null } = body
      const wanted = { name: params.name, kind, options, secret: secret?.trim() ?? null }
      const parts = { store: storage.smsProviders, isDemo: service.isDemo, requester }
      return providerShown(await setSmsProvider(parts, wanted))
    },
  }),
  operation({
    name: 'sms.list',
    method: 'GET',
    path: '/sms-providers',
    role: 'viewer',
    about: 'SMS providers in the order in which they are tried, and what each kind needs',
    commands: [list],
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
    name: 'sms.test',
    method: 'POST',
    path: '/sms-providers/{name}/test',
    role: 'owner',
    about: 'Send a code for trying to a phone of yours',
    params: { name: ConnectionParam },
    body: { phone: asOption(Type.String({ minLength: 1, maxLength: 30 }), 'a mobile number') },
    result: Tried,
    commands: [test],
    async run({ service }, { params, body }) {
      const phone = parsePhone(body.phone)
      if (phone === null)
        throw new AdminError('input_invalid', { field: 'phone', rule: 'bad_form', form: 'mobile' })
      return { name: params.name, ...(await service.trials.sms(params.name, phone)) }
    },
  }),
  operation({
    name: 'sms.remove',
    method: 'DELETE',
    path: '/sms-providers/{name}',
    role: 'owner',
    about: 'Remove an SMS provider',
    params: { name: ConnectionParam },
    result: Removed,
    commands: [remove],
    async run({ storage }, { params }) {
      await removeSmsProvider(storage.smsProviders, params.name)
      return { removed: params.name }
    },
  }),
] as const
