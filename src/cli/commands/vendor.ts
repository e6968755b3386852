import type { Command } from 'commander'
import { vendorsOf, type ServiceParts } from '../../admin/service-parts'
import { vendorRoutes, type VendorRoute } from '../../admin/vendor-routes'
import type { VendorTrial } from '../../admin/vendor-trial'
import { vendorView } from '../../admin/vendor-view'
import { marginOf, removeVendor, vendorNamed } from '../../admin/vendors'
import { credentialIn, everyCredentialOf } from '../../catalogue/credentials'
import type { VendorConfig } from '../../domain/model'
import { branch, leaf, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'
import { vendorAddCommand } from './vendor-add'
import { subjectCommands } from '../generated/subject-commands'
import { vendorSetCommand } from './vendor-set'
import { testVendor } from './vendor-test'
import { balanceText, problemText, testLine } from '../../admin/operations/vendor-words'
import { checkKeyHere, printVendor, vendorParts } from './vendor-lines'
import { withService } from './with-service'

export function vendorCommand(program: Command): void {
  const vendor = branch(program, 'vendor', 'Manage vendors and their credentials')

  vendorAddCommand(vendor)

  withCsv(leaf(vendor, 'list', 'list vendors, without their keys', 'vendor list')).action(list)

  leaf(vendor, 'show', 'show one vendor, without its key', 'vendor show openai')
    .argument('<name>', 'name of the vendor')
    .action(show)

  withCsv(
    leaf(
      vendor,
      'routes',
      'list the models that a vendor serves, and which of them nobody else does',
      'vendor routes openai',
    ),
  )
    .argument('<name>', 'name of the vendor')
    .action(routes)

  vendorSetCommand(vendor)

  subjectCommands('vendor credential', 'Manage the credentials of a vendor')(vendor)

  leaf(vendor, 'remove', 'remove a vendor; its models lose that route', 'vendor remove openai')
    .argument('<name>', 'name of the vendor')
    .action(remove)

  leaf(vendor, 'test', 'ask a vendor for its models: reachable, key accepted', 'vendor test openai')
    .argument('<name>', 'name of the vendor')
    .action(test)
}

async function remove(name: string, options: CommonOptions): Promise<void> {
  const margin = await withService(options, async (parts) => {
    await removeVendor(parts, name)
    return marginOf(parts, name)
  })
  if (options.json) return printJson({ object: 'vendor', name, deleted: true })
  printLine(`vendor ${name} removed`)
  if (margin !== null)
    printLine(`its pricing rule of ${margin}% stays: chapar price rules remove --vendor ${name}`)
}

/** Those that somebody added or changed, and those found; not the sandbox, which is always there. */
const listed = async (parts: ServiceParts): Promise<readonly VendorConfig[]> =>
  (await vendorsOf(parts)).filter(({ source }) => source !== 'builtin')

async function list(options: ListOptions): Promise<void> {
  const views = await withService(options, async (parts) =>
    Promise.all((await listed(parts)).map((vendor) => vendorView(vendorParts(parts), vendor))),
  )
  await printList(options, views, form)
}

const form: ListForm<Awaited<ReturnType<typeof vendorView>>> = {
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
    'state',
    'trouble_since',
    'cooling_until',
    'balance',
    'last_failure',
    'first_token_timeout_seconds',
  ],
  heading: [
    'NAME',
    'KIND',
    'DIALECT',
    'ADDRESS',
    'KEY',
    'TRANSPORT',
    'MARKUP',
    'STATE',
    'BALANCE',
    'FROM',
  ],
  cells: (each) => [
    each.name,
    each.kind,
    each.dialect,
    each.base_url,
    each.credentials.length > 1 ? `${each.credentials.length} keys` : (each.api_key ?? '–'),
    each.transport,
    each.margin_percent === null ? '–' : `${each.margin_percent}%`,
    each.state,
    each.balance === null ? '–' : balanceText(each.balance),
    each.source,
  ],
}

async function show(name: string, options: CommonOptions): Promise<void> {
  const view = await withService(options, async (parts) =>
    vendorView(vendorParts(parts), await vendorNamed(parts, name)),
  )
  if (options.json) return printJson(view)
  printVendor(view)
}

async function routes(name: string, options: ListOptions): Promise<void> {
  const all = await withService(options, (parts) => vendorRoutes(parts, name))
  await printList(options, all.map(routeView), routeForm)
}

const routeView = ({ vendorModel, isOnSale, isOnly, ...route }: VendorRoute) => ({
  ...route,
  vendor_model: vendorModel,
  on_sale: isOnSale,
  only: isOnly,
})

const routeForm: ListForm<ReturnType<typeof routeView>> = {
  columns: ['model', 'vendor_model', 'priority', 'weight', 'on_sale', 'only'],
  heading: ['MODEL', 'THERE', 'PRIORITY', 'WEIGHT', 'ON SALE', 'ELSEWHERE'],
  cells: (each) => [
    each.model,
    each.vendor_model,
    String(each.priority),
    String(each.weight),
    each.on_sale ? 'yes' : 'no',
    each.only ? 'nowhere' : each.on_sale ? 'yes' : '–',
  ],
}

async function test(name: string, options: CommonOptions): Promise<void> {
  const vendor = await withService(options, async (parts) => {
    const named = await vendorNamed(parts, name)
    checkKeyHere(parts, named)
    return named
  })
  const each = await Promise.all(
    everyCredentialOf(vendor).map(async (signed) => ({
      credential: credentialIn(signed),
      ...(await testVendor(signed)),
    })),
  )
  if (each.some(({ ok }) => !ok)) process.exitCode = 1
  const [first] = each
  if (options.json)
    return printJson({
      object: 'vendor.test',
      name,
      ...(first === undefined ? {} : testView(first)),
      ok: each.every(({ ok }) => ok),
      ...(each.length < 2
        ? {}
        : { credentials: each.map((one) => ({ name: one.credential, ...testView(one) })) }),
    })
  for (const one of each)
    printLine(testLine(each.length < 2 ? name : `${name} ${one.credential}`, one))
}

const testView = ({ ok, status, models, problem, balance, isEmpty }: VendorTrial) => ({
  ok,
  status,
  models,
  problem:
    problem === null
      ? isEmpty
        ? 'our account there has no money left'
        : null
      : problemText(problem),
  balance,
})
