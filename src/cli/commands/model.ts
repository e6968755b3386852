import { Option, type Command } from 'commander'
import { openCatalogue } from '../../catalogue/open-catalogue'
import { modelView } from '../../catalogue/view'
import { modelTypes, type ModelEntry, type ModelType } from '../../domain/model'
import { branch, leaf, withNewStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { modelAliasCommand } from './model-alias'
import { addModel, discontinueModel, entriesOf, entryOf, setModel } from './model-edit'
import { routeText, withModelSettings, type ModelOptions } from './model-options'
import { printFields, printJson, printLine } from '../kit/output'
import { withCatalogue } from './with-catalogue'

export function modelCommand(program: Command): void {
  const model = branch(program, 'model', 'Manage models: routes, prices, what they accept')

  withModelSettings(
    leaf(
      model,
      'add',
      'put a model on sale',
      'model add --id gpt-4o --type chat --route openai:gpt-4o --price input_per_million=2.5 --price output_per_million=10',
    ),
  )
    .requiredOption('--id <id>', 'what clients send as model')
    .addOption(new Option('--type <type>', 'family').choices(modelTypes).makeOptionMandatory())
    .action(async (options: ModelOptions & { id: string; type: ModelType }) =>
      tell(
        await withCatalogue(options, (parts) => addModel(parts, options), withNewStorage),
        options,
      ),
    )

  withCsv(leaf(model, 'list', 'list models on sale', 'model list --type chat'))
    .addOption(new Option('--type <type>', 'only this family').choices(modelTypes))
    .option('--all', 'also those that are not on sale')
    .action(list)

  leaf(model, 'show', 'show one model', 'model show gpt-4o')
    .argument('<id>', 'id of the model')
    .action(async (id: string, options: CommonOptions) =>
      tell(await withCatalogue(options, (parts) => entryOf(parts, id)), options),
    )

  withModelSettings(
    leaf(
      model,
      'set',
      'change a model',
      'model set gpt-4o --price input_per_million=3 --price output_per_million=12',
    ),
  )
    .argument('<id>', 'id of the model')
    .option('--off', 'not available for the moment')
    .option('--on', 'available again')
    .action(async (id: string, options: ModelOptions) =>
      tell(await withCatalogue(options, (parts) => setModel(parts, id, options)), options),
    )

  leaf(
    model,
    'remove',
    'stop selling a model; clients are told that it was sold before',
    'model remove gpt-4o',
  )
    .argument('<id>', 'id of the model')
    .action(async (id: string, options: CommonOptions) => {
      await withCatalogue(options, (parts) => discontinueModel(parts, id))
      if (options.json) return printJson({ object: 'model', id, deleted: true })
      printLine(`model ${id} is no longer sold`)
    })

  modelAliasCommand(model)
}

async function list(options: ListOptions & { type?: ModelType; all?: true }): Promise<void> {
  const entries = (await withCatalogue(options, entriesOf)).filter(
    ({ type }) => options.type === undefined || type === options.type,
  )
  await printList(options, (options.all ? entries : onSale(entries)).map(viewOf), form)
}

function onSale(entries: readonly ModelEntry[]): readonly ModelEntry[] {
  const catalogue = openCatalogue()
  catalogue.load(entries)
  return catalogue.onSale().map(({ model }) => model)
}

const viewOf = (entry: ModelEntry) => {
  const card = entry.card ?? { version: '', validFrom: entry.created, lines: [] }
  const rates = { version: '', base: {}, tiers: [] }
  return {
    ...modelView({ model: entry, card, rates, routes: entry.routes }),
    created: new Date(entry.created).toISOString(),
    status: entry.status,
    routes: entry.routes.map(routeText),
    aliases: entry.aliases?.map(({ id }) => id) ?? [],
    traits: entry.traits,
    card_version: card.version,
  }
}

/** Without those that hold above a threshold only. */
const pricesOf = (pricing: Readonly<Record<string, string>>): string =>
  Object.entries(pricing)
    .filter(([name]) => !name.includes('_above_'))
    .map((each) => each.join(' '))
    .join(' · ') || 'none'

const form: ListForm<ReturnType<typeof viewOf>> = {
  columns: [
    'id',
    'type',
    'owned_by',
    'name',
    'status',
    'is_free',
    'context_length',
    'max_output_tokens',
    'pricing',
    'pricing_unit',
    'routes',
    'card_version',
    'created',
  ],
  heading: ['ID', 'TYPE', 'OWNED BY', 'STATUS', 'PRICES (USD)', 'ROUTES'],
  cells: (each) => [
    each.id,
    each.type,
    each.owned_by,
    each.status,
    each.is_free ? 'free' : pricesOf(each.pricing),
    each.routes.join(' '),
  ],
}

function tell(entry: ModelEntry, options: CommonOptions): void {
  if (options.json) return printJson(viewOf(entry))
  printFields(viewOf(entry))
}
