import { Type } from '@sinclair/typebox'
import { modelTypes, type Capabilities, type Traits } from '../../../domain/model'
import { modelFields } from '../../../domain/fields/model-fields'
import { discontinueModel } from '../discontinue-model'
import { addModel, setModel, type ModelEdit } from '../edit-model'
import { isBelowCost, keptModel, keptModels, type KeptModel } from '../../pricing/priced-models'
import { capabilityNames, capabilityOf, traitsSchema } from '../model-traits'
import { AdminError } from '../../operations/admin-error'
import { checkInput } from '../../operations/refusals/check-input'
import { max, page, pageOf, said, sent } from '../../operations/fields'
import { asOption, changeBy } from '../../operations/from-fields'
import { modelCommands } from './model-commands'
import { modelSettings, modelSwitches, type ModelBody } from './model-settings'
import {
  ChangedModel,
  detailOf,
  ModelDetail,
  ModelId,
  ModelSummary,
  ModelTypeName,
  priceKeysOf,
  summaryOf,
  typedPrices,
} from './model-views'
import { operation } from '../../operations/operation'
import { cataloguePartsOf, type KeptParts } from '../../operations/parts'

/** @throws AdminError input_invalid */
function editOf(body: ModelBody): ModelEdit {
  const { routes, capabilities, traits, changed_traits: changed } = body
  const isDefault = body.default_prices === true
  if (isDefault && (body.prices !== undefined || body.free === true))
    throw new AdminError('input_invalid', {
      field: 'default_prices',
      rule: 'not_beside',
      fields: ['prices', 'free'],
    })
  return sent({
    ...changeBy(modelFields, body),
    routes: routes?.map(({ vendor, vendor_model: vendorModel, ...rank }) => ({
      vendor,
      vendorModel,
      ...rank,
    })),
    price: isDefault
      ? { set: [], removed: [], toDefault: true }
      : body.prices === undefined
        ? undefined
        : typedPrices(body.prices),
    onlyPrices: body.only_prices,
    free: body.free,
    capabilities: capabilities === undefined ? undefined : capabilitiesOf(capabilities),
    traits: traits === undefined ? undefined : traitsOf(traits, 'traits'),
    trait: changed === undefined ? undefined : traitsOf(changed, 'changed_traits'),
    drop: body.drop,
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
function traitsOf(fields: Readonly<Record<string, unknown>>, name: string): Traits {
  checkInput(traitsSchema, fields, name)
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
      type: asOption(Type.Optional(ModelTypeName), 'only this family', {
        option: 'type <type>',
        choices: modelTypes,
      }),
      vendor: Type.Optional(Type.String({ maxLength: 64 })),
      state: asOption(
        Type.Union(
          states.map((state) => Type.Literal(state)),
          { default: 'all' },
        ),
        'whether they are on sale',
        { choices: states, isHidden: true, unlessTyped: () => 'on_sale' },
      ),
      /** Only ids behind this one. */
      before: Type.Optional(Type.String({ maxLength: 256 })),
      max,
    },
    result: pageOf(ModelSummary, Type.String()),
    commands: [modelCommands.list],
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
    commands: [modelCommands.show],
    run: async (parts, { params }) => await detail(parts, params.id),
  }),
  operation({
    name: 'model.add',
    method: 'POST',
    path: '/models',
    role: 'owner',
    about: 'Put a model on sale, for what is sent or by its pricing rule',
    body: {
      ...modelSettings,
      id: asOption(ModelId, 'what clients send as model', { option: 'id <id>' }),
      type: asOption(ModelTypeName, 'family', { option: 'type <type>', choices: modelTypes }),
    },
    result: ModelDetail,
    commands: [modelCommands.add],
    async run(parts, { body }) {
      const { id, type, ...edit } = body
      const change = { ...editOf(edit), id, type }
      await addModel(await cataloguePartsOf(parts), change, parts.requester.actor)
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
    body: { ...modelSettings, ...modelSwitches },
    result: ChangedModel,
    commands: [modelCommands.set],
    async run(parts, { params: { id }, body }) {
      const { actor } = parts.requester
      const dropped = await setModel(await cataloguePartsOf(parts), id, editOf(body), actor)
      return { ...(await detail(parts, id)), prices_dropped: priceKeysOf(dropped) }
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
    commands: [modelCommands.remove],
    async run(parts, { params: { id } }) {
      await discontinueModel(await cataloguePartsOf(parts), id)
      return await detail(parts, id)
    },
  }),
] as const
