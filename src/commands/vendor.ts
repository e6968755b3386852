import type { Command } from 'commander'
import { Decimal } from 'decimal.js'
import { readConfig, vendorTimeoutMs } from '../config'
import type { VendorConfig } from '../domain/model'
import { seedModels } from '../catalogue/seed'
import { dialectFor, dialects, isDialect } from '../vendors/openai/dialects'
import { vendors } from '../vendors/registry'
import { ask } from './ask'
import { branch, leaf, read, withStorage, type CommonOptions } from './leaf'
import { printJson, printLine, printTable } from './output'

interface AddOptions extends CommonOptions {
  readonly name: string
  readonly kind: string
  readonly baseUrl: string
  readonly apiKey?: string
  readonly apiKeyStdin?: true
  readonly dialect?: string
  readonly timeout?: number
  readonly margin?: string
  readonly active: boolean
}

const vendorView = (vendor: VendorConfig) => ({
  object: 'vendor',
  name: vendor.name,
  kind: vendor.kind,
  dialect: vendor.dialect,
  base_url: vendor.baseUrl,
  api_key: vendor.credential === null ? null : `…${vendor.credential.slice(-4)}`,
  timeout_seconds: vendor.timeoutMs / 1000,
  margin_percent: vendor.marginPercent,
  active: vendor.active,
})

/** Kinds that need an address; the sandbox is always there. */
const kinds = Object.keys(vendors).filter((kind) => vendors[kind]?.fetch === undefined)

export function vendorCommand(program: Command): void {
  const vendor = branch(program, 'vendor', 'whom we call, and with which credential')

  leaf(
    vendor,
    'add',
    'add a vendor, or replace the one of that name',
    'vendor add --name openai --kind openai --base-url https://api.openai.com/v1 --api-key-stdin < key',
  )
    .requiredOption('--name <name>', 'name, used in routes')
    .requiredOption('--kind <kind>', `what it speaks: ${kinds.join(', ')}`)
    .requiredOption('--base-url <url>', 'address up to and with the version')
    .option('--api-key <key>', 'our key there')
    .option(
      '--api-key-stdin',
      'read our key from standard input: it stays out of the shell’s history',
    )
    .option('--dialect <name>', `how it deviates: ${Object.keys(dialects).join(', ')}`)
    .option('--timeout <seconds>', 'longest wait for the first byte', read.count)
    .option('--margin <percent>', 'added to the public prices of its models')
    .option('--no-active', 'add it switched off')
    .action(async (options: AddOptions) => {
      const stdin = options.apiKeyStdin ? (await Bun.stdin.text()).trim() : undefined
      const added = configOf(options, stdin ?? options.apiKey ?? null)
      withStorage(options, ({ catalogue }) => catalogue.saveVendor(added))
      const known = seedModels(added.dialect).length
      if (options.json) return printJson({ ...vendorView(added), models_with_public_prices: known })
      printLine(`vendor ${added.name} (${added.kind}, ${added.dialect}) at ${added.baseUrl}`)
      printLine(
        known > 0
          ? `${known} of its models have public prices and are on sale now: chapar model list`
          : `next: chapar model add --id ID --type chat --route ${added.name}:MODEL --price input_per_million=… --price output_per_million=…`,
      )
    })

  leaf(vendor, 'list', 'list vendors, without their keys', 'vendor list').action(
    (options: CommonOptions) => {
      const all = withStorage(options, ({ catalogue }) => catalogue.vendors())
      if (options.json) return printJson({ object: 'list', data: all.map(vendorView) })
      printTable([
        ['NAME', 'KIND', 'DIALECT', 'ADDRESS', 'KEY', 'MARGIN', 'ACTIVE'],
        ...all
          .map(vendorView)
          .map((each) => [
            each.name,
            each.kind,
            each.dialect,
            each.base_url,
            each.api_key ?? '–',
            `${each.margin_percent}%`,
            each.active ? 'yes' : 'no',
          ]),
      ])
    },
  )

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
    .action(async (name: string, options: CommonOptions) => {
      const found = withStorage(options, ({ catalogue }) => needed(catalogue.vendors(), name))
      const { ok, status, models, problem } = await test(found)
      if (!ok) process.exitCode = 1
      if (options.json)
        return printJson({ object: 'vendor.test', name, ok, status, models, problem })
      printLine(ok ? `✓ ${name} answers and lists ${models} models` : `✗ ${name}: ${problem}`)
    })
}

function configOf(options: AddOptions, credential: string | null): VendorConfig {
  if (!kinds.includes(options.kind))
    throw new RangeError(`no vendor is of kind ${options.kind}; there are: ${kinds.join(', ')}`)
  if (!/^[a-z0-9][a-z0-9_-]*$/i.test(options.name) || options.name === 'sandbox')
    throw new RangeError('a vendor’s name is letters, digits, - and _, and not sandbox')
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new RangeError(`not an http address: ${options.baseUrl}`)
  const dialect = options.dialect ?? dialectFor(baseUrl)
  if (!isDialect(dialect))
    throw new RangeError(
      `no dialect is called ${dialect}; there are: ${Object.keys(dialects).join(', ')}`,
    )
  return {
    name: options.name,
    kind: options.kind,
    dialect,
    baseUrl,
    credential,
    timeoutMs:
      options.timeout === undefined
        ? readConfig(process.env).vendorTimeoutMs
        : vendorTimeoutMs(options.timeout),
    marginPercent: percentOf(options.margin ?? '0'),
    active: options.active,
    source: 'command',
  }
}

function percentOf(text: string): string {
  const number = text.replace(/%$/, '')
  if (!/^\d+(\.\d+)?$/.test(number)) throw new RangeError(`not a percentage from 0: ${text}`)
  return new Decimal(number).toFixed()
}

function needed(all: readonly VendorConfig[], name: string): VendorConfig {
  const found = all.find((each) => each.name === name)
  if (found === undefined)
    throw new RangeError(`there is no vendor ${name}; see chapar vendor list`)
  return found
}

const testMs = 10_000

async function test(vendor: VendorConfig) {
  const signed =
    vendor.credential === null ? undefined : vendors[vendor.kind]?.sign(vendor.credential, vendor)
  const headers = new Headers(signed === undefined ? [] : [[...signed]])
  const { status, body } = await ask(`${vendor.baseUrl}/models`, headers, testMs)
  const listed = typeof body === 'object' && body !== null && 'data' in body ? body.data : null
  const models = Array.isArray(listed) ? listed.length : 0
  if (status === 200) return { ok: true, status, models, problem: null }
  const problem =
    status === null
      ? `${vendor.baseUrl} does not answer`
      : status === 401 || status === 403
        ? `it refuses our key (${status})`
        : `it answered ${status}`
  return { ok: false, status, models, problem }
}
