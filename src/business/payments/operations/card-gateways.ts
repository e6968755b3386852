import { Type } from '@sinclair/typebox'
import { gatewayKinds } from '../../../domain/payment'
import { gatewayFacts } from '../gateway-kinds'
import { findGateway, removeGateway, setGateway } from '../gateways'
import { textForms } from '../../operations/refusals/text-forms'
import { orNull } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { gatewayCommands } from './gateway-commands'
import { CardGatewayView, gatewayShown, KindView, GatewayTrialView } from './gateway-view'
import { operation } from '../../operations/operation'

export const ConnectionOptions = Type.Record(
  Type.String({ maxLength: 60 }),
  Type.String({ maxLength: 2000 }),
)
/** Written, and never shown again. */
export const WrittenSecret = Type.String({
  minLength: 1,
  maxLength: 4000,
  pattern: textForms.not_blank,
})
export const ConnectionParam = Type.String({ minLength: 1, maxLength: 60 })

const OptionFacts = Type.Object({
  name: Type.String(),
  about: Type.String(),
  /** Null where it must be given. */
  preset: orNull(Type.String()),
})

/** Adds `name=value` to the options before. @throws RangeError */
export function optionsWith(text: string, earlier: unknown): Readonly<Record<string, string>> {
  const at = text.indexOf('=')
  if (at < 1) throw new RangeError(`an option is written name=value, not ${text}`)
  const before = earlier as Readonly<Record<string, string>> | undefined
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

const kindFacts = () =>
  gatewayKinds.map((kind) => ({
    kind,
    secrets: gatewayFacts[kind].secrets.map(({ about, optional }) => ({
      about,
      optional: optional === true,
    })),
    options: Object.entries(gatewayFacts[kind].options).map(([name, { about, preset }]) => ({
      name,
      about,
      preset: preset ?? null,
    })),
  }))

export const cardGatewayOperations = [
  operation({
    name: 'gateway.list',
    method: 'GET',
    path: '/gateways',
    role: 'viewer',
    about: 'Card gateways without their secrets, and what each kind needs',
    result: Type.Object({
      data: Type.Array(CardGatewayView),
      kinds: Type.Array(
        Type.Object({
          kind: KindView,
          /** Lines of the secret. */
          secrets: Type.Array(Type.Object({ about: Type.String(), optional: Type.Boolean() })),
          options: Type.Array(OptionFacts),
        }),
      ),
    }),
    commands: [gatewayCommands.list],
    run: async ({ storage }) => ({
      data: (await storage.cardGateways.list()).map(gatewayShown),
      kinds: kindFacts(),
    }),
  }),
  operation({
    name: 'gateway.get',
    method: 'GET',
    path: '/gateways/{name}',
    role: 'viewer',
    about: 'One card gateway without its secret',
    params: { name: ConnectionParam },
    result: CardGatewayView,
    commands: [gatewayCommands.show],
    run: async ({ storage }, { params }) =>
      gatewayShown(await findGateway(storage.cardGateways, params.name)),
  }),
  operation({
    name: 'gateway.set',
    method: 'PUT',
    path: '/gateways/{name}',
    role: 'owner',
    about: 'Add or change a card gateway; a secret that is left out stays as it is',
    params: { name: ConnectionParam },
    body: {
      kind: asOption(KindView, 'whose it is', { option: 'kind <kind>', choices: gatewayKinds }),
      options: asOption(Type.Optional(ConnectionOptions), 'what the gateway needs; repeatable', {
        option: 'option <name=value>',
        read: optionsWith,
      }),
      secret: asOption(
        Type.Optional(WrittenSecret),
        'read its secret from standard input; kept sealed',
        { fromStdin: true },
      ),
    },
    result: CardGatewayView,
    commands: [gatewayCommands.set],
    async run({ storage }, { params, body }) {
      const { kind, options = {}, secret = null } = body
      const change = { name: params.name, kind, options, secret }
      return gatewayShown(await setGateway(storage.cardGateways, change))
    },
  }),
  operation({
    name: 'gateway.remove',
    method: 'DELETE',
    path: '/gateways/{name}',
    role: 'owner',
    about: 'Remove a card gateway; payments that wait for it must be confirmed as lost',
    params: { name: ConnectionParam },
    body: {
      confirmed: asOption(
        Type.Optional(Type.Boolean()),
        'confirm: payments that wait for it are not credited any more',
        { kind: 'flag', option: 'yes' },
      ),
    },
    result: Type.Object({ removed: Type.String() }),
    commands: [gatewayCommands.remove],
    async run({ storage }, { params, body }) {
      await removeGateway(storage, params.name, body.confirmed === true)
      return { removed: params.name }
    },
  }),
  operation({
    name: 'gateway.test',
    method: 'POST',
    path: '/gateways/{name}/test',
    role: 'owner',
    about: 'Open the smallest payment at a gateway; nobody needs to pay it',
    params: { name: ConnectionParam },
    result: GatewayTrialView,
    commands: [gatewayCommands.test],
    run: async ({ service }, { params: { name } }) => ({
      name,
      ...(await service.trials.gateway(name)),
    }),
  }),
] as const
