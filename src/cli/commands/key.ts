import type { Command } from 'commander'
import { accountIn } from '../../admin/accounts'
import { createKey, revokeKey, setKey, switchKey, type KeyLimits } from '../../admin/keys'
import { projectIn } from '../../admin/projects'
import { keyPrefix } from '../../app/config'
import { systemClock, type Ms } from '../../domain/clock'
import type { ProjectId } from '../../domain/ids'
import { showUsd, type NanoUsd } from '../../domain/money'
import { findHashed } from '../../domain/pepper'
import type { Secret } from '../../domain/secret'
import type { KeySummary } from '../../identity/directory'
import { secretPrefix } from '../../identity/secret'
import type { ServiceProfile } from '../../settings/service-profile'
import type { Storage } from '../../storage/storage'
import { capsView, printWithCaps } from './caps-view'
import { readExpiry } from '../kit/expiry'
import { branch, given, leaf, lifted, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printError, printFields, printJson, printLine } from '../kit/output'
import { serviceNames } from './configured-service'

interface KeyOptions extends CommonOptions {
  readonly name?: string
  readonly rpm?: number | 'none'
  readonly spendLimit?: NanoUsd | 'none'
  readonly allowModel?: readonly string[]
  readonly allowAllModels?: true
  readonly allowAddress?: readonly string[]
  readonly allowAllAddresses?: true
  readonly expires?: Ms | 'none'
}

const withSettings = (command: Command): Command =>
  command
    .option(
      '--rpm <n>',
      'requests per minute (60 unless set), or none for the account’s ceiling',
      read.countOrNone,
    )
    .option('--spend-limit <usd>', 'dollars in all, or none', read.usdOrNone)
    .option('--allow-model <pattern>', 'allow only these models; repeatable', read.patterns)
    .option('--allow-address <range>', 'allow only these addresses; repeatable', read.list)
    .option('--expires <when>', 'a date, a span such as 30d, or none', readExpiry)

const changeOf = (options: KeyOptions): KeyLimits =>
  given({
    name: options.name,
    requestsPerMinute: lifted(options.rpm),
    spendLimit: lifted(options.spendLimit),
    allowedModels: options.allowAllModels === true ? null : options.allowModel,
    allowedAddresses: options.allowAllAddresses === true ? null : options.allowAddress,
    expiresAt: lifted(options.expires),
  }) as KeyLimits

const keyView = (key: KeySummary) => ({
  id: key.id,
  object: 'key',
  name: key.name,
  prefix: key.prefix,
  project: key.project,
  account: key.account,
  status: key.state,
  rpm_limit: key.requestsPerMinute,
  spend_limit_usd: key.spendLimit === null ? null : showUsd(key.spendLimit),
  spent_usd: showUsd(key.spent),
  allowed_models: key.allowedModels,
  allowed_addresses: key.allowedAddresses,
  expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
})

const form: ListForm<ReturnType<typeof keyView>> = {
  columns: [
    'id',
    'name',
    'prefix',
    'project',
    'account',
    'status',
    'rpm_limit',
    'spend_limit_usd',
    'spent_usd',
    'allowed_models',
    'allowed_addresses',
    'expires_at',
  ],
  heading: ['ID', 'NAME', 'PREFIX', 'PROJECT', 'STATUS', 'RPM', 'SPENT', 'LIMIT', 'EXPIRES'],
  cells: (each) => [
    String(each.id),
    each.name,
    `${each.prefix}…`,
    String(each.project),
    each.status,
    each.rpm_limit === null ? '–' : String(each.rpm_limit),
    `$${each.spent_usd}`,
    each.spend_limit_usd === null ? '–' : `$${each.spend_limit_usd}`,
    each.expires_at ?? '–',
  ],
}

export function keyCommand(program: Command): void {
  const key = branch(program, 'key', 'Manage API keys')

  withSettings(
    leaf(
      key,
      'create',
      'create a key and show its secret, once',
      'key create --project 1 --name laptop --rpm 60 --spend-limit 5',
    ),
  )
    .requiredOption('--project <id>', 'project it belongs to', read.id<ProjectId>)
    .requiredOption('--name <name>', 'name, for people', read.name)
    .option('--service <name>', 'brand of the key: ours or the sister service’s (default: ours)')
    .action(async (options: CreateOptions) => {
      const brand = brandOf(options.service, await serviceNames(options))
      const { secret, key: made } = await withStorage(options, (storage) =>
        create(storage, options, brand),
      )
      if (options.json)
        return printJson({
          ...keyView(made),
          service: brand.name,
          base_url: brand.url,
          key: secret,
        })
      printLine(secret)
      // Beside the output: KEY=$(chapar key create …) is the secret alone.
      printError(`key ${made.id} (${made.name}). This is the only time that it is shown.`)
      if (brand.url !== null) printError(`address: ${brand.url}`)
    })

  leaf(key, 'show', 'show one key without its secret, and what is spent of its caps', 'key show 1')
    .argument('<key>', 'id or prefix of the key')
    .action(async (which: string, options: CommonOptions) => {
      const view = await withStorage(options, async (storage) => {
        const key = await find(storage, which)
        const account = await accountIn({ storage }, key.account)
        const project = await projectIn({ storage }, key.project)
        const caps = await capsView(storage, { account, project, key }, options)
        return { ...keyView(key), caps }
      })
      printWithCaps(view, options)
    })

  withCsv(leaf(key, 'list', 'list keys, without their secrets', 'key list --project 1'))
    .option('--project <id>', 'only of this project', read.id<ProjectId>)
    .action(async (options: ListOptions & { project?: ProjectId }) =>
      printList(
        options,
        (await withStorage(options, ({ directory }) => directory.listKeys(options.project))).map(
          keyView,
        ),
        form,
      ),
    )

  withSettings(leaf(key, 'set', 'change a key', 'key set 1 --spend-limit 20'))
    .argument('<key>', 'id or prefix of the key')
    .option('--name <name>', 'name, for people', read.name)
    .option('--allow-all-models', 'allow every model')
    .option('--allow-all-addresses', 'allow every address')
    .action((which: string, options: KeyOptions) =>
      change(which, options, (parts, key) => setKey(parts, key, changeOf(options))),
    )

  const switches = [
    ['revoke', 'revoke a key for good', (parts, key) => revokeKey(parts, key.id)],
    ['disable', 'switch a key off', (parts, key) => switchKey(parts, key, false)],
    ['enable', 'switch a key on', (parts, key) => switchKey(parts, key, true)],
  ] as const satisfies readonly (readonly [string, string, Change])[]
  for (const [name, about, work] of switches)
    leaf(key, name, about, `key ${name} 1`)
      .argument('<key>', 'id or prefix of the key')
      .action((which: string, options: CommonOptions) => change(which, options, work))
}

interface CreateOptions extends KeyOptions {
  readonly project: ProjectId
  readonly name: string
  readonly service?: string
}

/** One of the two names under which the service is sold, and where that one is reached. */
interface Brand {
  readonly name: string
  readonly url: string | null
}

/** @throws RangeError naming both */
function brandOf(
  asked: string | undefined,
  { services, baseUrls }: Pick<ServiceProfile, 'services' | 'baseUrls'>,
): Brand {
  const index = asked === undefined ? 0 : services.indexOf(asked)
  const name = services[index]
  if (name === undefined)
    throw new RangeError(`no service is called ${asked}; there are: ${services.join(', ')}`)
  const url = baseUrls[index] ?? null
  return { name, url: url === null ? null : `${url}/v1` }
}

const partsOf = ({ directory }: Storage) => ({ directory, clock: systemClock })

async function create(storage: Storage, options: CreateOptions, brand: Brand) {
  const { account } = await projectIn({ storage }, options.project)
  const secrets = { prefix: keyPrefix(brand.name), pepper: storage.pepper }
  const wanted = { ...changeOf(options), project: options.project, name: options.name }
  return await createKey({ ...partsOf(storage), ...secrets }, account, wanted)
}

type Change = (parts: ReturnType<typeof partsOf>, key: KeySummary) => Promise<KeySummary>

async function change(which: string, options: CommonOptions, work: Change): Promise<void> {
  const changed = await withStorage(options, async (storage) =>
    work(partsOf(storage), await find(storage, which)),
  )
  tell(changed, options)
}

function tell(key: KeySummary, options: CommonOptions): void {
  if (options.json) return printJson(keyView(key))
  printFields(keyView(key))
}

/**
 * By id, by the prefix that lists show, or by the whole secret, which is what one has of a key that
 * leaked. It is never said again.
 * @throws RangeError when no key is meant, or several
 */
async function find({ directory, identity, pepper }: Storage, which: string): Promise<KeySummary> {
  const all = await directory.listKeys()
  const prefix = which.replace(/…$/, '')
  const secret = (await findHashed(pepper, null, which, identity.findByHash))?.caller.key.id
  const found = /^\d+$/.test(which)
    ? all.filter(({ id }) => id === Number(which))
    : all.filter((key) => key.prefix === prefix || key.id === secret)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  throw new RangeError(
    only === undefined
      ? `there is no key ${secretPrefix(which as Secret)}; see chapar key list`
      : `several keys begin with ${prefix}: say which by id (${found.map(({ id }) => id).join(', ')})`,
  )
}
