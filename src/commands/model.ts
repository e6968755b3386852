import { Option, type Command } from 'commander'
import { assembleEntries } from '../catalogue/assemble'
import { openCatalogue } from '../catalogue/open-catalogue'
import { modelView } from '../catalogue/view'
import {
  modelTypes,
  type ModelEntry,
  type ModelType,
  type PriceLine,
  type Route,
} from '../domain/model'
import { missingPrices } from '../metering/price-card'
import type { Storage } from '../storage/storage'
import { sandboxModels, sandboxVendor } from '../vendors/sandbox/models'
import { branch, leaf, withStorage, type CommonOptions } from './leaf'
import { withModelSettings, type ModelOptions } from './model-options'
import { printFields, printJson, printLine, printTable } from './output'

export function modelCommand(program: Command): void {
  const model = branch(program, 'model', 'what is on sale, by which routes, at which price')

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
      tell(
        withStorage(options, (storage) => add(storage, options)),
        options,
      ),
    )

  leaf(model, 'list', 'list models on sale', 'model list --type chat')
    .addOption(new Option('--type <type>', 'only this family').choices(modelTypes))
    .option('--all', 'also those that are not on sale')
    .action((options: CommonOptions & { type?: ModelType; all?: true }) => list(options))

  leaf(model, 'show', 'show one model', 'model show gpt-4o')
    .argument('<id>', 'id of the model')
    .action((id: string, options: CommonOptions) =>
      tell(
        withStorage(options, (storage) => needed(storage, id)),
        options,
      ),
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
    .action((id: string, options: ModelOptions) =>
      tell(
        withStorage(options, (storage) => set(storage, id, options)),
        options,
      ),
    )

  leaf(
    model,
    'remove',
    'stop selling a model; clients are told that it was sold before',
    'model remove gpt-4o',
  )
    .argument('<id>', 'id of the model')
    .action((id: string, options: CommonOptions) => {
      withStorage(options, (storage) => {
        const { card: _, created: __, ...entry } = needed(storage, id)
        const routes = ownRoutes(storage, id)
        storage.catalogue.saveModel({ ...entry, routes, status: 'discontinued' }, [])
      })
      if (options.json) return printJson({ object: 'model', id, deleted: true })
      printLine(`model ${id} is no longer sold`)
    })
}

/** Models as a serving gateway sees them, but for vendors that only its environment names. */
function entriesOf({ catalogue }: Storage): readonly ModelEntry[] {
  return assembleEntries({
    stored: catalogue.models(),
    vendors: catalogue.vendors().filter(({ active }) => active),
    builtin: sandboxModels,
    local: [],
  })
}

function needed(storage: Storage, id: string): ModelEntry {
  const found = entriesOf(storage).find((entry) => entry.id === id)
  if (found === undefined)
    throw new RangeError(`there is no model ${id}; see chapar model list --all`)
  return found
}

/** Those the operator gave; a model without any keeps those of the public catalogue. */
const ownRoutes = ({ catalogue }: Storage, id: string): readonly Route[] =>
  catalogue.models().find((entry) => entry.id === id)?.routes ?? []

function checkRoutes({ catalogue }: Storage, routes: readonly Route[]): void {
  const known = [sandboxVendor.name, ...catalogue.vendors().map(({ name }) => name)]
  const unknown = routes.find(({ vendor }) => !known.includes(vendor))
  if (unknown !== undefined)
    throw new RangeError(`there is no vendor ${unknown.vendor}; there are: ${known.join(', ')}`)
}

const freeLines: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '0' },
  { meter: 'output', unit: 'million', price: '0' },
]

function checkPrices(lines: readonly PriceLine[], type: ModelType, isFree: boolean): void {
  const card = { version: '', validFrom: 0 as ModelEntry['created'], lines }
  const missing = missingPrices(card, type, isFree)
  if (missing.length > 0)
    throw new RangeError(
      `a ${type} model is not sold without these prices above zero: ${missing.join(', ')}` +
        ' (or say --free)',
    )
}

function add(
  storage: Storage,
  options: ModelOptions & { id: string; type: ModelType },
): ModelEntry {
  const { id, type, route = [], free } = options
  if (entriesOf(storage).some((entry) => entry.id === id && entry.status !== 'discontinued'))
    throw new RangeError(`there is a model ${id} already: change it with chapar model set`)
  if (route.length === 0) throw new RangeError('a model needs a way to it: --route VENDOR:MODEL')
  checkRoutes(storage, route)
  const lines = options.price ?? (free ? freeLines : [])
  checkPrices(lines, type, free === true)
  return storage.catalogue.saveModel(
    {
      id,
      type,
      name: options.name ?? id,
      ownedBy: options.ownedBy ?? route[0]?.vendor ?? 'operator',
      description: options.description ?? null,
      contextLength: options.context ?? null,
      maxOutputTokens: options.maxOutput ?? null,
      capabilities: { streaming: true, tools: true, json: true, ...options.capability },
      traits: options.trait ?? {},
      isFree: free === true,
      status: 'active',
      routes: route,
    },
    lines,
  )
}

function set(storage: Storage, id: string, options: ModelOptions): ModelEntry {
  const { card, created: _, ...entry } = needed(storage, id)
  if (options.route !== undefined) checkRoutes(storage, options.route)
  const lines = options.price ?? (options.free ? freeLines : undefined)
  const isFree = lines === undefined ? entry.isFree : options.free === true
  if (lines !== undefined) checkPrices(lines, entry.type, isFree)
  const saved = storage.catalogue.saveModel(
    {
      ...entry,
      name: options.name ?? entry.name,
      ownedBy: options.ownedBy ?? entry.ownedBy,
      description: options.description ?? entry.description,
      contextLength: options.context ?? entry.contextLength,
      maxOutputTokens: options.maxOutput ?? entry.maxOutputTokens,
      capabilities: { ...entry.capabilities, ...options.capability },
      traits: { ...entry.traits, ...options.trait },
      isFree,
      status: options.off ? 'off' : options.on ? 'active' : entry.status,
      routes: options.route ?? ownRoutes(storage, id),
    },
    lines ?? [],
  )
  return saved.card === null ? { ...saved, card } : saved
}

function list(options: CommonOptions & { type?: ModelType; all?: true }): void {
  const entries = withStorage(options, entriesOf).filter(
    ({ type }) => options.type === undefined || type === options.type,
  )
  const shown = options.all ? entries : onSale(entries)
  if (options.json) return printJson({ object: 'list', data: shown.map(viewOf) })
  printTable([
    ['ID', 'TYPE', 'OWNED BY', 'STATUS', 'PRICES (USD)', 'ROUTES'],
    ...shown.map((entry) => [
      entry.id,
      entry.type,
      entry.ownedBy,
      entry.status,
      entry.isFree ? 'free' : pricesOf(entry),
      entry.routes.map(({ vendor, vendorModel }) => `${vendor}:${vendorModel}`).join(' '),
    ]),
  ])
}

function onSale(entries: readonly ModelEntry[]): readonly ModelEntry[] {
  const catalogue = openCatalogue()
  catalogue.load(entries)
  return catalogue.onSale().map(({ model }) => model)
}

const pricesOf = ({ card }: ModelEntry): string =>
  card?.lines
    .filter((line) => line.when === undefined)
    .map(({ meter, price }) => `${meter} ${price}`)
    .join(' · ') ?? 'none'

const viewOf = (entry: ModelEntry) => {
  const card = entry.card ?? { version: '', validFrom: entry.created, lines: [] }
  const rates = { version: '', base: {}, tiers: [] }
  return {
    ...modelView({ model: entry, card, rates, routes: entry.routes }),
    status: entry.status,
    routes: entry.routes.map(({ vendor, vendorModel }) => `${vendor}:${vendorModel}`),
    traits: entry.traits,
    card_version: card.version,
  }
}

function tell(entry: ModelEntry, options: CommonOptions): void {
  if (options.json) return printJson(viewOf(entry))
  printFields(viewOf(entry))
}
