import { Type, type Static } from '@sinclair/typebox'
import type { Capabilities, Traits } from '../../domain/model'
import { discontinueModel } from '../discontinue-model'
import { addModel, setModel, type ModelEdit } from '../edit-model'
import { isBelowCost, keptModel, keptModels, type KeptModel } from '../priced-models'
import { capabilityNames, capabilityOf, traitsSchema } from '../model-traits'
import { AdminError } from '../admin-error'
import { checkInput } from '../refusals/check-input'
import { textForms } from '../refusals/text-forms'
import { max, page, pageOf, said, sent } from './fields'
import {
  detailOf,
  ModelDetail,
  ModelId,
  ModelSummary,
  ModelTypeName,
  SentPrices,
  summaryOf,
  typedPrices,
} from './model-views'
import { operation } from './operation'
import { cataloguePartsOf, type KeptParts } from './parts'

const Ids = Type.Array(ModelId, { maxItems: 100 })
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: textForms.not_blank })

const Edit = {
  /** Replaces all routes; an empty list goes back to those of the public catalogue. */
  routes: Type.Optional(
    Type.Array(
      Type.Object(
        {
          vendor: Type.String({ minLength: 1, maxLength: 64 }),
          vendor_model: Type.String({ minLength: 1, maxLength: 256 }),
          priority: Type.Integer({ minimum: 0, maximum: 1000 }),
          weight: Type.Integer({ minimum: 1, maximum: 1000 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 32 },
    ),
  ),
  /** Dollars by key; null takes one away, and the others stay. */
  prices: Type.Optional(SentPrices),
  /** The prices sent are all it has. */
  only_prices: Type.Optional(Type.Boolean()),
  /** Back to the pricing rule, or to the prices it came with. */
  default_prices: Type.Optional(Type.Boolean()),
  free: Type.Optional(Type.Boolean()),
  name: Type.Optional(Name),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  owned_by: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, pattern: textForms.not_blank }),
  ),
  context_length: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  max_output_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  capabilities: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  /** In the place of all that it has. */
  traits: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  fallbacks: Type.Optional(Ids),
  /** Makes the id a name of these models. */
  alias_of: Type.Optional(Ids),
  status: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('off')])),
}
const EditObject = Type.Object(Edit)

/** @throws AdminError input_invalid */
function editOf(body: Static<typeof EditObject>): ModelEdit {
  const { routes, capabilities, traits } = body
  const isDefault = body.default_prices === true
  if (isDefault && (body.prices !== undefined || body.free === true))
    throw new AdminError('input_invalid', {
      field: 'default_prices',
      rule: 'not_beside',
      fields: ['prices', 'free'],
    })
  return sent({
    route: routes?.map(({ vendor_model: vendorModel, ...route }) => ({ ...route, vendorModel })),
    price: isDefault
      ? { set: [], removed: [], toDefault: true }
      : body.prices === undefined
        ? undefined
        : typedPrices(body.prices),
    onlyPrices: body.only_prices,
    free: body.free,
    name: body.name?.trim(),
    description: body.description,
    ownedBy: body.owned_by?.trim(),
    context: body.context_length,
    maxOutput: body.max_output_tokens,
    capability: capabilities === undefined ? undefined : capabilitiesOf(capabilities),
    traits: traits === undefined ? undefined : traitsOf(traits),
    fallbacks: body.fallbacks,
    aliasOf: body.alias_of,
    status: body.status,
  })
}

/** @throws AdminError input_invalid */
function capabilitiesOf(fields: Readonly<Record<string, unknown>>): Capabilities {
  const named = Object.entries(fields).map(([name, value]) => {
    if (!capabilityNames.includes(name))
      throw new AdminError('input_invalid', {
        field: 'capabilities',
        rule: 'not_one_of',
        choices: capabilityNames,
      })
    return said(`capabilities.${name}`, { rule: 'bad_form', form: 'capability' }, () =>
      capabilityOf(name, Array.isArray(value) ? value.join(',') : String(value)),
    )
  })
  return Object.assign({}, ...named) as Capabilities
}

/** @throws AdminError input_invalid */
function traitsOf(fields: Readonly<Record<string, unknown>>): Traits {
  checkInput(traitsSchema, fields, 'traits')
  return fields
}

const detail = async (parts: KeptParts, id: string) =>
  await detailOf(parts, await keptModel(await cataloguePartsOf(parts), id))

const states = ['all', 'on_sale', 'not_on_sale', 'below_cost'] as const
type State = (typeof states)[number]

const isIn: Readonly<Record<State, (row: KeptModel) => boolean>> = {
  all: () => true,
  on_sale: ({ unsold }) => unsold === null,
  not_on_sale: ({ unsold }) => unsold !== null,
  below_cost: ({ unsold, margins }) => unsold === null && isBelowCost(margins),
}

const isLike = ({ entry }: KeptModel, text: string): boolean =>
  [entry.id, entry.name, entry.ownedBy, ...entry.routes.map(({ vendor }) => vendor)].some((each) =>
    each.toLowerCase().includes(text),
  )

export const modelOperations = [
  operation({
    name: 'model.list',
    method: 'GET',
    path: '/models',
    role: 'viewer',
    about: 'Models by id: on sale or why not, price, cost and margin',
    query: {
      /** Part of id, name, owner or vendor. */
      text: Type.Optional(Type.String({ maxLength: 200 })),
      type: Type.Optional(ModelTypeName),
      vendor: Type.Optional(Type.String({ maxLength: 64 })),
      state: Type.Union(
        states.map((state) => Type.Literal(state)),
        { default: 'all' },
      ),
      /** Only ids behind this one. */
      before: Type.Optional(Type.String({ maxLength: 256 })),
      max,
    },
    result: pageOf(ModelSummary, Type.String()),
    async run(parts, { query }) {
      const { type, vendor, before = '', max } = query
      const text = (query.text ?? '').trim().toLowerCase()
      const rows = (await keptModels(await cataloguePartsOf(parts))).filter(
        (row) =>
          row.entry.id > before &&
          (type === undefined || row.entry.type === type) &&
          (vendor === undefined || row.entry.routes.some((route) => route.vendor === vendor)) &&
          isIn[query.state](row) &&
          (text === '' || isLike(row, text)),
      )
      return page(rows.slice(0, max + 1).map(summaryOf), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'model.get',
    method: 'GET',
    path: '/models/{id}',
    role: 'viewer',
    about: 'One model: prices and costs of each route, what it accepts, its other names',
    params: { id: ModelId },
    result: ModelDetail,
    run: async (parts, { params }) => await detail(parts, params.id),
  }),
  operation({
    name: 'model.add',
    method: 'POST',
    path: '/models',
    role: 'owner',
    about: 'Put a model on sale, for what is sent or by its pricing rule',
    body: { id: ModelId, type: ModelTypeName, ...Edit },
    result: ModelDetail,
    async run(parts, { body }) {
      const { id, type, ...edit } = body
      await addModel(
        await cataloguePartsOf(parts),
        { ...editOf(edit), id, type },
        parts.requester.actor,
      )
      return await detail(parts, id)
    },
  }),
  operation({
    name: 'model.set',
    method: 'PATCH',
    path: '/models/{id}',
    role: 'owner',
    about: 'Change a model: prices, routes, what it accepts, on or off; what is not sent stays',
    params: { id: ModelId },
    body: Edit,
    result: ModelDetail,
    async run(parts, { params: { id }, body }) {
      await setModel(await cataloguePartsOf(parts), id, editOf(body), { by: parts.requester.actor })
      return await detail(parts, id)
    },
  }),
  operation({
    name: 'model.remove',
    method: 'DELETE',
    path: '/models/{id}',
    role: 'owner',
    about: 'Stop selling a model; clients are told that it was sold before',
    params: { id: ModelId },
    result: ModelDetail,
    async run(parts, { params: { id } }) {
      await discontinueModel(await cataloguePartsOf(parts), id)
      return await detail(parts, id)
    },
  }),
] as const
