import type { Command } from 'commander'
import { pricedCatalogue } from '../../admin/priced-catalogue'
import { catalogueOf, vendorsOf, type ServiceParts } from '../../admin/service-parts'
import { addVendor, marginOf, removeVendor, vendorNamed } from '../../admin/vendors'
import { seedModels, type SeedModel } from '../../catalogue/seed'
import type { ModelEntry, VendorConfig } from '../../domain/model'
import { dialects } from '../../vendors/openai/dialects'
import { ownFormats } from '../../vendors/own-formats'
import { branch, leaf, read, withNewStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { operator } from '../kit/operator'
import { printFields, printJson, printLine } from '../kit/output'
import { pricesText } from './model-margins'
import { withService } from './with-service'
import {
  percentOf,
  transportOption,
  vendorConfigOf,
  vendorKinds,
  type AddVendorOptions,
} from './vendor-config'
import { askedKey, givenKey } from './vendor-key'
import { vendorSetCommand } from './vendor-set'
import { testVendor } from './vendor-test'
import { checkKeyHere, printProposed, vendorView } from './vendor-view'

export function vendorCommand(program: Command): void {
  const vendor = branch(program, 'vendor', 'Manage vendors and their credentials')

  leaf(
    vendor,
    'add',
    'add a vendor; chapar vendor set changes one',
    'vendor add --name openai --kind openai --base-url https://api.openai.com/v1 --api-key-stdin < key',
  )
    .requiredOption('--name <name>', 'name, used in routes')
    .requiredOption('--kind <kind>', `what it speaks: ${vendorKinds.join(', ')}`)
    .option(
      '--base-url <url>',
      `address up to and with the version (default: the vendor’s own, of ${Object.keys(ownFormats).join(', ')})`,
    )
    .option('--api-key <key>', 'our key there')
    .option(
      '--api-key-stdin',
      'read our key from standard input: it stays out of the shell’s history',
    )
    .option('--dialect <name>', `how it deviates: ${Object.keys(dialects).join(', ')}`)
    .option('--timeout <seconds>', 'longest wait for the first byte', read.count)
    .option('--margin <percent>', 'markup of a pricing rule of its own')
    .addOption(transportOption())
    .option('--no-active', 'add it switched off')
    .action(add)

  withCsv(leaf(vendor, 'list', 'list vendors, without their keys', 'vendor list')).action(list)

  leaf(vendor, 'show', 'show one vendor, without its key', 'vendor show openai')
    .argument('<name>', 'name of the vendor')
    .action(show)

  vendorSetCommand(vendor)

  leaf(vendor, 'remove', 'remove a vendor; its models lose that route', 'vendor remove openai')
    .argument('<name>', 'name of the vendor')
    .action(remove)

  leaf(vendor, 'test', 'ask a vendor for its models: reachable, key accepted', 'vendor test openai')
    .argument('<name>', 'name of the vendor')
    .action(test)
}

async function add(options: AddVendorOptions): Promise<void> {
  const described = vendorConfigOf(options)
  const marginPercent = options.margin === undefined ? null : percentOf(options.margin)
  const credential = (await givenKey(options)) ?? (options.json ? null : await askedKey())
  const { outcome, view, prices } = await withService(
    options,
    (parts) => {
      const vendor = { ...described, credential }
      const added = addVendor(parts, vendor, { marginPercent, by: operator() })
      const { entries } = pricedCatalogue(catalogueOf(parts))
      const sold = new Set(added.onSale)
      return {
        outcome: added,
        view: vendorView(parts, added.vendor),
        prices: entries.filter(({ id }) => sold.has(id)),
      }
    },
    withNewStorage,
  )
  const known = seedModels(described.dialect)
  if (options.json)
    return printJson({
      ...view,
      models_with_public_prices: known.length,
      on_sale: outcome.onSale,
      proposed: outcome.proposed,
    })
  printLine(
    `vendor ${described.name} (${described.kind}, ${described.dialect}) at ${described.baseUrl}`,
  )
  if (credential === null) printLine('it is called without a key')
  if (!described.active) printLine('it is switched off: none of its models is on sale by it')
  else tellSold(described.name, known, prices)
  printProposed(outcome)
}

/** Models that came on sale and at which prices, or how to put some on sale. */
function tellSold(name: string, known: readonly SeedModel[], prices: readonly ModelEntry[]): void {
  if (known.length === 0)
    return printLine(
      `next: chapar model add --id ID --type chat --route ${name}:MODEL --price input_per_million=… --price output_per_million=…`,
    )
  const names = known.slice(0, 3).map(({ id }) => id)
  printLine(
    `${known.length} of its models have public prices and are on sale now, such as ${names.join(', ')}: chapar model list`,
  )
  const newly = `${prices.length} of them nobody sold before`
  if (prices.length < known.length) printLine(`${newly}; the others keep their prices`)
  for (const { id, card } of prices.slice(0, 3))
    if (card !== null) printLine(`  ${id}: ${pricesText(card)}`)
}

async function remove(name: string, options: CommonOptions): Promise<void> {
  const margin = await withService(options, (parts) => {
    removeVendor(parts, name)
    return marginOf(parts, name)
  })
  if (options.json) return printJson({ object: 'vendor', name, deleted: true })
  printLine(`vendor ${name} removed`)
  if (margin !== null)
    printLine(`its pricing rule of ${margin}% stays: chapar price rules remove --vendor ${name}`)
}

/** Those that somebody added or changed, and those found; not the sandbox, which is always there. */
const listed = (parts: ServiceParts): readonly VendorConfig[] =>
  vendorsOf(parts).filter(({ source }) => source !== 'builtin')

async function list(options: ListOptions): Promise<void> {
  const views = await withService(options, (parts) =>
    listed(parts).map((vendor) => vendorView(parts, vendor)),
  )
  await printList(options, views, form)
}

const form: ListForm<ReturnType<typeof vendorView>> = {
  columns: [
    'name',
    'kind',
    'dialect',
    'base_url',
    'api_key',
    'timeout_seconds',
    'transport',
    'margin_percent',
    'active',
    'source',
  ],
  heading: ['NAME', 'KIND', 'DIALECT', 'ADDRESS', 'KEY', 'TRANSPORT', 'MARGIN', 'ACTIVE', 'FROM'],
  cells: (each) => [
    each.name,
    each.kind,
    each.dialect,
    each.base_url,
    each.api_key ?? '–',
    each.transport,
    each.margin_percent === null ? '–' : `${each.margin_percent}%`,
    each.active ? 'yes' : 'no',
    each.source,
  ],
}

async function show(name: string, options: CommonOptions): Promise<void> {
  const view = await withService(options, (parts) => vendorView(parts, vendorNamed(parts, name)))
  if (options.json) return printJson(view)
  printFields(view)
}

async function test(name: string, options: CommonOptions): Promise<void> {
  const vendor = await withService(options, (parts) => {
    const named = vendorNamed(parts, name)
    checkKeyHere(parts, named)
    return named
  })
  const { ok, status, models, problem } = await testVendor(vendor)
  if (!ok) process.exitCode = 1
  if (options.json) return printJson({ object: 'vendor.test', name, ok, status, models, problem })
  printLine(ok ? `✓ ${name} answers and lists ${models} models` : `✗ ${name}: ${problem}`)
}
