import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { marginsOf, type ModelMargins } from '../../admin/margins'
import { pricedCatalogue } from '../../admin/priced-catalogue'
import { catalogueOf } from '../../admin/service-parts'
import { percentOf, vendorKinds } from '../../admin/vendor-address'
import { checkVendorAnswers, type VendorTrial } from '../../admin/vendor-trial'
import { vendorView } from '../../admin/vendor-view'
import { addVendor, checkNewVendor } from '../../admin/vendors'
import { seedModels, type SeedModel } from '../../catalogue/seed'
import type { ModelEntry } from '../../domain/model'
import type { CostCard } from '../../pricing/cards'
import { databaseIn } from '../../storage/files/data-folder'
import { dialects } from '../../vendors/openai/dialects'
import { ownFormats } from '../../vendors/own-formats'
import { getJson } from '../../outbound/get-json'
import { leaf, read, withNewStorage } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printJson, printLine, printTable } from '../kit/output'
import { pricesText } from './model-margins'
import {
  firstTokenOption,
  marginOption,
  transportOption,
  vendorConfigOf,
  withTest,
  type AddVendorOptions,
} from './vendor-config'
import { askedKey, givenKey } from '../kit/given-key'
import { balanceText, problemText } from '../../admin/operations/vendor-words'
import { printProposed, vendorParts } from './vendor-lines'
import { withService } from './with-service'
import { counted } from '../kit/counted'

/** `vendor add`: tried, then saved, then what came on sale. */
export function vendorAddCommand(vendor: Command): void {
  const command = leaf(
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
    .addOption(firstTokenOption())
    .option('--markup <percent>', 'on its costs, by a pricing rule of its own')
    .addOption(marginOption())
    .addOption(transportOption())
    .option('--no-active', 'add it switched off')
  withTest(command).action(add)
}

async function add(options: AddVendorOptions): Promise<void> {
  const described = vendorConfigOf(options)
  const markup = options.markup ?? options.margin
  const marginPercent = markup === undefined ? null : percentOf(markup)
  // Of one that is there, nothing needs to be asked.
  if (existsSync(databaseIn(options.data)))
    await withService(options, (parts) => checkNewVendor(parts, described.name))
  const credential = (await givenKey(options)) ?? (options.json ? null : await askedKey())
  const vendor = { ...described, credential }
  const tested = options.test
    ? await checkVendorAnswers(getJson, vendor, options.force === true)
    : null
  const { outcome, view, newly } = await withService(
    options,
    async (parts) => {
      const added = await addVendor(parts, vendor, { marginPercent, by: operator() })
      const { entries, state } = await pricedCatalogue(await catalogueOf(parts))
      const sold = new Set(added.onSale)
      return {
        outcome: added,
        view: await vendorView(vendorParts(parts), added.vendor),
        newly: entries
          .filter(({ id }) => sold.has(id))
          .map((entry) => ({ entry, cost: costBy(vendor.name, marginsOf(state, entry)) })),
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
      ...(tested === null
        ? {}
        : {
            test: {
              ...tested,
              problem: tested.problem === null ? null : problemText(tested.problem),
            },
          }),
    })
  printLine(
    `vendor ${described.name} (${described.kind}, ${described.dialect}) at ${described.baseUrl}`,
  )
  if (credential === null) printLine('it is called without a key')
  if (tested !== null) tellTest(tested)
  if (!described.active) printLine('it is switched off: none of its models is on sale by it')
  else tellSold(described.name, known, newly)
  if (described.active && tested !== null && tested.models > 0)
    printLine(
      `more of the ${tested.models} models that it lists: chapar model import ${vendor.name}`,
    )
  printProposed(outcome)
}

function tellTest({ problem, models, balance, isEmpty }: VendorTrial): void {
  if (problem !== null) return printLine(`! ${problemText(problem)}; it is saved all the same`)
  const left = balance === null ? '' : `; ${balanceText(balance)} left`
  printLine(
    models > 0 ? `it answers and lists ${counted(models, 'model')}${left}` : `it answers${left}`,
  )
  if (isEmpty) printLine('! our account there has no money left')
}

/** A model that nobody sold before, and what it costs. */
interface NewModel {
  readonly entry: ModelEntry
  /** Null where nobody knows. */
  readonly cost: CostCard | null
}

const costBy = (vendor: string, { routes }: ModelMargins): CostCard | null =>
  routes.find((route) => route.vendor === vendor)?.cost ?? null

const maxShown = 10

/** Models that came on sale, what they cost and at which prices, or how to put some on sale. */
function tellSold(name: string, known: readonly SeedModel[], newly: readonly NewModel[]): void {
  if (known.length === 0)
    return printLine(
      `next: chapar model add --id ID --type chat --route ${name}:MODEL --price input_per_million=… --price output_per_million=…`,
    )
  const names = known.slice(0, 3).map(({ id }) => id)
  printLine(
    `${known.length} of its models have public prices and are on sale now, such as ${names.join(', ')}: chapar model list`,
  )
  if (newly.length < known.length)
    printLine(`${newly.length} of them nobody sold before; the others keep their prices`)
  if (newly.length === 0) return
  printTable([
    ['MODEL', 'COST (USD)', 'SALE (USD)'],
    ...newly
      .slice(0, maxShown)
      .map(({ entry: { id, card }, cost }) => [
        id,
        cost === null ? '–' : pricesText(cost),
        card === null ? '–' : pricesText(card),
      ]),
  ])
  if (newly.length > maxShown) printLine(`… ${newly.length - maxShown} more: chapar model list`)
}
