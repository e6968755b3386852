import { Type, type Static } from '@sinclair/typebox'
import { gatewayKinds, type GatewayConfig } from '../../payments/gateway-config'
import { gatewayFacts } from '../../payments/gateway-kinds'
import { removeGateway, setGateway } from '../gateways'
import { textForms } from '../refusals/text-forms'
import { orNull } from './fields'
import { operation } from './operation'

const KindView = Type.Union(gatewayKinds.map((kind) => Type.Literal(kind)))
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

const CardGatewayView = Type.Object({
  name: Type.String(),
  kind: KindView,
  paid_in: Type.Union([Type.Literal('coins'), Type.Literal('usd')]),
  options: Type.Record(Type.String(), Type.String()),
  has_secret: Type.Boolean(),
})

const gatewayShown = ({ name, kind, options, secret }: GatewayConfig) =>
  ({
    name,
    kind,
    paid_in: gatewayFacts[kind].paidIn,
    options: { ...options },
    has_secret: secret !== null,
  }) satisfies Static<typeof CardGatewayView>

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
    run: async ({ storage }) => ({
      data: (await storage.cardGateways.list()).map(gatewayShown),
      kinds: kindFacts(),
    }),
  }),
  operation({
    name: 'gateway.set',
    method: 'PUT',
    path: '/gateways/{name}',
    role: 'owner',
    about: 'Add or change a card gateway; a secret that is left out stays as it is',
    params: { name: ConnectionParam },
    body: {
      kind: KindView,
      options: Type.Optional(ConnectionOptions),
      secret: Type.Optional(WrittenSecret),
    },
    result: CardGatewayView,
    async run({ storage }, { params, body }) {
      const { kind, options = {}, secret = null } = body
      const change = { name: params.name, kind, options, secret: secret?.trim() ?? null }
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
    body: { confirmed: Type.Optional(Type.Boolean()) },
    result: Type.Object({ removed: Type.String() }),
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
    result: Type.Object({ page: Type.String() }),
    run: async ({ service }, { params }) => await service.trials.gateway(params.name),
  }),
] as const
