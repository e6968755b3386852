import type { Command } from 'commander'
import type { VendorConfig } from '../../domain/model'
import { seedModels } from '../../catalogue/seed'
import { dialects } from '../../vendors/openai/dialects'
import { ownFormats } from '../../vendors/own-formats'
import { branch, leaf, read, withNewStorage, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { isInteractive, printJson, printLine } from '../kit/output'
import {
  transportOption,
  vendorConfigOf,
  vendorKinds,
  type AddVendorOptions,
} from './vendor-config'
import { vendorSetCommand } from './vendor-set'
import { testVendor } from './vendor-test'
import { detectVendors } from './configured-service'

const vendorView = (vendor: VendorConfig) => ({
  object: 'vendor',
  name: vendor.name,
  kind: vendor.kind,
  dialect: vendor.dialect,
  base_url: vendor.baseUrl,
  api_key: vendor.credential === null ? null : masked(vendor.credential),
  timeout_seconds: vendor.timeoutMs / 1000,
  transport: vendor.transport,
  margin_percent: vendor.marginPercent,
  active: vendor.active,
  source: vendor.source,
})

/** Of a key this short, four characters would tell too much. */
const shortestShown = 12

const masked = (credential: string): string =>
  credential.length < shortestShown ? '…' : `…${credential.slice(-4)}`

export function vendorCommand(program: Command): void {
  const vendor = branch(program, 'vendor', 'Manage vendors and their credentials')

  leaf(
    vendor,
    'add',
    'add a vendor, or replace the one of that name',
    'vendor add --name openai --kind openai --base-url https://api.openai.com/v1 --api-key-stdin < key',
  )
    .requiredOption('--name <name>', 'name, used in routes')
    .requiredOption('--kind <kind>', `what it speaks: ${vendorKinds.join(', ')}`)
    .option(
      '--base-url <url>',
      `address up to and with the version (default: the vendor’s own, of ${Object.keys(ownFormats).join(', ')})`,
    )
    .option('--api-key <key>', 'our key there (default: the one kept for this same address)')
    .option(
      '--api-key-stdin',
      'read our key from standard input: it stays out of the shell’s history',
    )
    .option('--dialect <name>', `how it deviates: ${Object.keys(dialects).join(', ')}`)
    .option('--timeout <seconds>', 'longest wait for the first byte', read.count)
    .option('--margin <percent>', 'added to the public prices of its models')
    .addOption(transportOption())
    .option('--no-active', 'add it switched off')
    .action(add)

  withCsv(leaf(vendor, 'list', 'list vendors, without their keys', 'vendor list')).action(list)

  vendorSetCommand(vendor)

  leaf(vendor, 'remove', 'remove a vendor; its models lose that route', 'vendor remove openai')
    .argument('<name>', 'name of the vendor')
    .action((name: string, options: CommonOptions) => {
      withStorage(options, ({ catalogue }) => {
        needed(catalogue.vendors(), name)
        catalogue.removeVendor(name)
      })
      if (options.json) return printJson({ object: 'vendor', name, deleted: true })
      printLine(`vendor ${name} removed`)
    })

  leaf(vendor, 'test', 'ask a vendor for its models: reachable, key accepted', 'vendor test openai')
    .argument('<name>', 'name of the vendor')
    .action(test)
}

async function add(options: AddVendorOptions): Promise<void> {
  const described = vendorConfigOf(options)
  const earlier = withNewStorage(options, ({ catalogue }) => catalogue.vendors()).find(
    ({ name, baseUrl }) => name === described.name && baseUrl === described.baseUrl,
  )
  const credential = (await givenKey(options, earlier)) ?? earlier?.credential ?? null
  const added = { ...described, credential }
  withStorage(options, ({ catalogue }) => catalogue.saveVendor(added))
  const known = seedModels(added.dialect)
  if (options.json)
    return printJson({ ...vendorView(added), models_with_public_prices: known.length })
  printLine(`vendor ${added.name} (${added.kind}, ${added.dialect}) at ${added.baseUrl}`)
  if (credential === null) printLine('it is called without a key')
  if (!added.active) return printLine('it is switched off: none of its models is on sale by it')
  if (known.length > 0) {
    const names = known.slice(0, 3).map(({ id }) => id)
    printLine(
      `${known.length} of its models have public prices and are on sale now, such as ${names.join(', ')}: chapar model list`,
    )
  } else
    printLine(
      `next: chapar model add --id ID --type chat --route ${added.name}:MODEL --price input_per_million=… --price output_per_million=…`,
    )
}

/** The key as it was given: on the command line, by standard input or at a prompt. */
async function givenKey(
  { apiKey, apiKeyStdin, json }: AddVendorOptions,
  earlier: VendorConfig | undefined,
): Promise<string | null> {
  if (apiKey !== undefined && apiKeyStdin)
    throw new RangeError('give the key by --api-key or by --api-key-stdin, not by both')
  const given = apiKeyStdin ? await Bun.stdin.text() : apiKey
  if (given !== undefined) {
    if (given.trim() === '') throw new RangeError('the key is empty')
    return given.trim()
  }
  if (json || !isInteractive() || earlier !== undefined) return null
  const { isCancel, password } = await import('@clack/prompts')
  const answer = await password({ message: 'Our key there (empty: none)' })
  if (isCancel(answer)) throw new RangeError('nothing was added')
  return answer?.trim() || null
}

/** Those that were added, and those that were found and are not switched off. */
async function list(options: ListOptions): Promise<void> {
  const stored = withStorage(options, ({ catalogue }) => catalogue.vendors())
  const { found, keysElsewhere } = await detectVendors(options.data)
  const names = new Set(stored.map(({ name }) => name))
  const views = [
    ...stored.map(vendorView),
    ...found
      .filter(({ name }) => !names.has(name))
      .map((vendor) => ({
        ...vendorView(vendor),
        ...(keysElsewhere.has(vendor.name) ? { api_key: '…' } : {}),
      })),
  ]
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
    `${each.margin_percent}%`,
    each.active ? 'yes' : 'no',
    each.source,
  ],
}

async function test(name: string, options: CommonOptions): Promise<void> {
  const stored = withStorage(options, ({ catalogue }) => catalogue.vendors())
  const isStored = stored.some((each) => each.name === name)
  const { found, keysElsewhere } = await detectVendors(options.data)
  if (!isStored && keysElsewhere.has(name))
    throw new RangeError(
      `${name} was found in the environment of the gateway, and its key is not known here: set its variable in this shell too`,
    )
  const { ok, status, models, problem } = await testVendor(needed([...stored, ...found], name))
  if (!ok) process.exitCode = 1
  if (options.json) return printJson({ object: 'vendor.test', name, ok, status, models, problem })
  printLine(ok ? `✓ ${name} answers and lists ${models} models` : `✗ ${name}: ${problem}`)
}

function needed(all: readonly VendorConfig[], name: string): VendorConfig {
  const found = all.find((each) => each.name === name)
  if (found === undefined)
    throw new RangeError(`there is no vendor ${name}; see chapar vendor list`)
  return found
}
