import type { Command } from 'commander'
import { addAlias, removeAlias, type AliasParts } from '../../admin/model-aliases'
import type { ModelAlias } from '../../domain/model'
import type { ServiceParts } from '../../admin/service-parts'
import { branch, leaf, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { entriesOf } from '../../admin/edit-model'
import { printFields, printJson, printLine } from '../kit/output'
import { withService } from './with-service'

interface AddOptions extends CommonOptions {
  readonly model: string
  readonly listed?: true
}

/** Other ids of models, such as those that a client's picker shows. */
export function modelAliasCommand(model: Command): void {
  const alias = branch(
    model,
    'alias',
    'other ids of a model, such as claude-… for a client’s picker',
  )

  leaf(
    alias,
    'add',
    'give a model another id: same prices, routes and permissions',
    'model alias add claude-gpt-4o --model gpt-4o --listed',
  )
    .argument('<alias>', 'the other id')
    .requiredOption('--model <id>', 'id of the model')
    .option('--listed', 'a row of its own in GET /v1/models')
    .action(async (id: string, options: AddOptions) => {
      const added = { id, model: options.model, listed: options.listed === true }
      tell(await withAliases(options, (parts) => addAlias(parts, added)), options)
    })

  withCsv(leaf(alias, 'list', 'list aliases', 'model alias list')).action(list)

  leaf(alias, 'remove', 'remove an alias; the model stays', 'model alias remove claude-gpt-4o')
    .argument('<alias>', 'the other id')
    .action(async (id: string, options: CommonOptions) => {
      await withAliases(options, (parts) => removeAlias(parts, id))
      if (options.json) return printJson({ object: 'model_alias', id, deleted: true })
      printLine(`alias ${id} removed`)
    })
}

const withAliases = <T>(options: CommonOptions, work: (parts: AliasParts) => T): Promise<T> =>
  withService(options, async (parts) => work(await aliasParts(parts)))

const aliasParts = async (parts: ServiceParts): Promise<AliasParts> => ({
  store: parts.storage.catalogue,
  models: await entriesOf(parts),
})

async function list(options: ListOptions): Promise<void> {
  const aliases = await withAliases(options, ({ store }) => store.aliases())
  await printList(options, aliases.map(viewOf), form)
}

const viewOf = (alias: ModelAlias) => ({ object: 'model_alias', ...alias })

const form: ListForm<ReturnType<typeof viewOf>> = {
  columns: ['id', 'model', 'listed'],
  heading: ['ALIAS', 'MODEL', 'LISTED'],
  cells: ({ id, model, listed }) => [id, model, listed ? 'yes' : 'no'],
}

function tell(alias: ModelAlias, options: CommonOptions): void {
  if (options.json) return printJson(viewOf(alias))
  printFields(viewOf(alias))
}
