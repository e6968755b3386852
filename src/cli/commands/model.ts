import { Option, type Command } from 'commander'
import { addModel, entriesOf, setModel } from '../../admin/edit-model'
import { discontinueModel } from '../../admin/discontinue-model'
import { marginView } from '../../admin/margin-view'
import { marginsOf } from '../../admin/margins'
import { modelNamed, neverCharged } from '../../admin/model-prices'
import type { ServiceParts } from '../../admin/service-parts'
import { openCatalogue } from '../../catalogue/open-catalogue'
import { modelView } from '../../catalogue/view'
import { modelTypes, type ModelEntry, type ModelType, type PriceLine } from '../../domain/model'
import { pricingView } from '../../metering/pricing-view'
import { subjectCommands } from '../generated/subject-commands'
import { branch, leaf, withNewStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { modelImportCommand } from './model-import'
import { printMargins } from './model-margins'
import type { Ms } from '../../domain/clock'
import {
  modelEditOf,
  readIds,
  routeText,
  withModelSettings,
  type ModelOptions,
} from './model-options'
import { operator } from '../kit/operator'
import { printFields, printJson, printLine } from '../kit/output'
import { withService } from './with-service'

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
    .action((options: ModelOptions & { id: string; type: ModelType }) =>
      withService(
        options,
        async (parts) =>
          tell(
            parts,
            await addModel(
              parts,
              { ...modelEditOf(options), id: options.id, type: options.type },
              operator(),
            ),
            options,
          ),
        withNewStorage,
      ),
    )

  modelImportCommand(model)

  withCsv(leaf(model, 'list', 'list models on sale', 'model list --type chat'))
    .addOption(new Option('--type <type>', 'only this family').choices(modelTypes))
    .option('--all', 'also those that are not on sale')
    .action(list)

  leaf(model, 'show', 'show one model', 'model show gpt-4o')
    .argument('<id>', 'id of the model')
    .action((id: string, options: CommonOptions) =>
      withService(options, async (parts) => tell(parts, await modelNamed(parts, id), options)),
    )

  modelSetCommand(model)

  leaf(
    model,
    'remove',
    'stop selling a model; clients are told that it was sold before',
    'model remove gpt-4o',
  )
    .argument('<id>', 'id of the model')
    .action(async (id: string, options: CommonOptions) => {
      await withService(options, (parts) => discontinueModel(parts, id))
      if (options.json) return printJson({ object: 'model', id, deleted: true })
      printLine(`model ${id} is no longer sold`)
    })

  subjectCommands(
    'model alias',
    'other ids of a model, such as claude-… for a client’s picker',
  )(model)
}

function modelSetCommand(model: Command): void {
  withModelSettings(
    leaf(model, 'set', 'change a model', 'model set gpt-4o --price output_per_million=12'),
  )
    .argument('<id>', 'id of the model')
    .option('--off', 'not available for the moment')
    .option('--on', 'available again')
    .option(
      '--alias-of <ids>',
      'makes the id a name of these models: the first that can answers, at its own price',
      readIds,
    )
    .action((id: string, options: ModelOptions) =>
      withService(options, async (parts) =>
        tell(
          parts,
          await setModel(parts, id, modelEditOf(options), {
            by: operator(),
            onDropped: (lines) => warnDropped(lines, options),
          }),
          options,
        ),
      ),
    )
}

/** Said before it is saved, where it is not in the way of what is read by programs. */
function warnDropped(lines: readonly PriceLine[], { json }: CommonOptions): void {
  if (json) return
  const keys = Object.keys(pricingView({ version: '', validFrom: 0 as Ms, lines }))
  printLine(
    `no price of its own any more: ${keys.join(', ')}; it is charged as what it is a case of, or not sold`,
  )
}

async function list(options: ListOptions & { type?: ModelType; all?: true }): Promise<void> {
  const entries = (await withService(options, entriesOf)).filter(
    ({ type }) => options.type === undefined || type === options.type,
  )
  const rows = rowsOf(entries)
  const shown = options.all ? rows : rows.filter(({ isOnSale }) => isOnSale)
  await printList(
    options,
    shown.map(({ entry }) => viewOf(entry)),
    form,
  )
}

/** Entries as clients see them: what names of several models stand for is made of those. */
function rowsOf(entries: readonly ModelEntry[]) {
  const catalogue = openCatalogue()
  catalogue.load(entries)
  const rows = entries.map((entry) => {
    const offer = catalogue.find(entry.id)?.offer ?? null
    return { entry: offer?.shown?.model ?? entry, isOnSale: offer !== null }
  })
  return rows.toSorted((a, b) => (a.entry.id < b.entry.id ? -1 : 1))
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
    fallbacks: entry.fallbacks ?? [],
    alias_of: entry.aliasOf ?? [],
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
    'fallbacks',
    'alias_of',
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
    each.alias_of.length === 0 ? each.routes.join(' ') : `= ${each.alias_of.join(', ')}`,
  ],
}

async function tell(parts: ServiceParts, held: ModelEntry, options: CommonOptions): Promise<void> {
  const entry = held.aliasOf === undefined ? held : await shownName(parts, held)
  const margins = marginsOf(await parts.storage.prices.state(), entry)
  const silent = neverCharged(entry)
  const shown = { ...viewOf(entry), ...marginView(margins), never_charged: silent }
  if (options.json) return printJson(shown)
  const { costs: _, below_cost: __, pricing_next: ___, never_charged: ____, ...fields } = shown
  printFields(fields)
  printMargins(margins)
  if (silent.length > 0)
    printLine(
      `! never charged, since its other prices are what calls are counted by: ${silent.join(', ')}`,
    )
}

const shownName = async (parts: ServiceParts, held: ModelEntry): Promise<ModelEntry> =>
  rowsOf(await entriesOf(parts)).find(({ entry }) => entry.id === held.id)?.entry ?? held
