import { Type } from '@sinclair/typebox'
import { entriesOf } from '../edit-model'
import { addAlias, removeAlias } from '../model-aliases'
import { cell } from '../../operations/command'
import { asOption } from '../../operations/from-fields'
import { ModelId } from './model-views'
import { operation } from '../../operations/operation'
import { cataloguePartsOf } from '../../operations/parts'

const AliasView = Type.Object({ id: Type.String(), model: Type.String(), listed: Type.Boolean() })

const which = { name: 'alias', about: 'the other id', as: 'place', kind: 'text' } as const

export const modelAliasOperations = [
  operation({
    name: 'model_alias.set',
    method: 'PUT',
    path: '/model-aliases/{id}',
    role: 'owner',
    about: 'Give a model another id: same prices, routes and permissions',
    params: { id: ModelId },
    body: {
      model: asOption(ModelId, 'id of the model', { option: 'model <id>' }),
      listed: asOption(Type.Optional(Type.Boolean()), 'a row of its own in GET /v1/models'),
    },
    result: AliasView,
    commands: [
      {
        words: 'model alias add',
        example: 'model alias add claude-gpt-4o --model gpt-4o --listed',
        params: { id: which },
        object: 'model_alias',
      },
    ],
    async run(parts, { params: { id }, body: { model, listed = false } }) {
      const models = await entriesOf(await cataloguePartsOf(parts))
      return await addAlias({ store: parts.storage.catalogue, models }, { id, model, listed })
    },
  }),
  operation({
    name: 'model_alias.list',
    method: 'GET',
    path: '/model-aliases',
    role: 'viewer',
    about: 'Other ids of models',
    result: Type.Object({ data: Type.Array(AliasView) }),
    commands: [
      {
        words: 'model alias list',
        about: 'list aliases',
        example: 'model alias list',
        object: 'model_alias',
        list: {
          pages: null,
          columns: ['id', 'model', 'listed'],
          heading: ['ALIAS', 'MODEL', 'LISTED'],
          cells: ({ id, model, listed }) => [id, model, cell.yes(listed)],
        },
      },
    ],
    run: async ({ storage }) => ({ data: [...(await storage.catalogue.aliases())] }),
  }),
  operation({
    name: 'model_alias.remove',
    method: 'DELETE',
    path: '/model-aliases/{id}',
    role: 'owner',
    about: 'Remove another id; the model stays',
    params: { id: ModelId },
    result: Type.Object({ id: Type.String(), deleted: Type.Boolean() }),
    commands: [
      {
        words: 'model alias remove',
        about: 'remove an alias; the model stays',
        example: 'model alias remove claude-gpt-4o',
        params: { id: which },
        object: 'model_alias',
        said: ({ id }) => ({ stdout: [`alias ${id} removed`] }),
      },
    ],
    async run({ storage }, { params: { id } }) {
      await removeAlias({ store: storage.catalogue }, id)
      return { id, deleted: true }
    },
  }),
] as const
