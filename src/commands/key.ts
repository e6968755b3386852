import { InvalidArgumentError, type Command } from 'commander'
import { keyPrefix, readConfig } from '../config'
import { openAddressList } from '../domain/address-list'
import type { Key } from '../domain/caller'
import { systemClock, type Ms } from '../domain/clock'
import type { KeyId, ProjectId } from '../domain/ids'
import { showUsd, type NanoUsd } from '../domain/money'
import type { KeyChange, KeySummary } from '../identity/directory'
import { hashSecret, makeSecret, secretPrefix } from '../identity/secret'
import type { Storage } from '../storage/storage'
import { branch, given, leaf, lifted, read, withStorage, type CommonOptions } from './leaf'
import { printFields, printJson, printLine, printTable } from './output'

interface KeyOptions extends CommonOptions {
  readonly name?: string
  readonly rpm?: number | 'none'
  readonly spendLimit?: NanoUsd | 'none'
  readonly allowModel?: readonly string[]
  readonly allowAddress?: readonly string[]
  readonly expires?: Ms | 'none'
}

const withSettings = (command: Command): Command =>
  command
    .option('--rpm <n>', 'requests per minute, or none for the account’s', read.countOrNone)
    .option('--spend-limit <usd>', 'dollars in all, or none', read.usdOrNone)
    .option('--allow-model <pattern>', 'allow only these models; repeatable', read.list)
    .option('--allow-address <range>', 'allow only these addresses; repeatable', read.list)
    .option('--expires <when>', 'a date, a span such as 30d, or none', readExpiry)

const spanMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

function readExpiry(text: string): Ms | 'none' {
  if (text === 'none') return text
  const [, count, unit] = /^(\d+)([hdw])$/.exec(text) ?? []
  if (unit === 'h' || unit === 'd' || unit === 'w')
    return (systemClock.now() + Number(count) * spanMs[unit]) as Ms
  const at = Date.parse(text)
  if (Number.isNaN(at))
    throw new InvalidArgumentError('A date such as 2027-01-31 or a span such as 30d is needed.')
  return at as Ms
}

function changeOf(options: KeyOptions): KeyChange {
  if (options.allowAddress !== undefined) openAddressList(options.allowAddress)
  return given({
    name: options.name,
    requestsPerMinute: lifted(options.rpm),
    spendLimit: lifted(options.spendLimit),
    allowedModels: options.allowModel,
    allowedAddresses: options.allowAddress,
    expiresAt: lifted(options.expires),
  }) as KeyChange
}

const keyView = (key: KeySummary) => ({
  id: key.id,
  object: 'key',
  name: key.name,
  prefix: key.prefix,
  project: key.project,
  account: key.account,
  state: key.state,
  rpm_limit: key.requestsPerMinute,
  spend_limit_usd: key.spendLimit === null ? null : showUsd(key.spendLimit),
  spent_usd: showUsd(key.spent),
  allowed_models: key.allowedModels,
  allowed_addresses: key.allowedAddresses,
  expires_at: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
})

export function keyCommand(program: Command): void {
  const key = branch(program, 'key', 'secrets that clients send')

  withSettings(
    leaf(
      key,
      'create',
      'create a key and show its secret, once',
      'key create --project 1 --name laptop --rpm 60 --spend-limit 5',
    ),
  )
    .requiredOption('--project <id>', 'project it belongs to', read.id<ProjectId>)
    .requiredOption('--name <name>', 'name, for people')
    .action((options: KeyOptions & { project: ProjectId; name: string }) => {
      const { secret, made } = withStorage(options, (storage) => create(storage, options))
      if (options.json) return printJson({ ...keyView(made), key: secret })
      printLine(secret)
      printLine(`key ${made.id} (${made.name}). This is the only time that it is shown.`)
    })

  leaf(key, 'list', 'list keys, without their secrets', 'key list --project 1')
    .option('--project <id>', 'only of this project', read.id<ProjectId>)
    .action((options: CommonOptions & { project?: ProjectId }) => {
      const all = withStorage(options, ({ directory }) => directory.listKeys(options.project))
      if (options.json) return printJson({ object: 'list', data: all.map(keyView) })
      printTable([
        ['ID', 'NAME', 'PREFIX', 'PROJECT', 'STATE', 'RPM', 'SPENT', 'LIMIT', 'EXPIRES'],
        ...all.map((each) => [
          String(each.id),
          each.name,
          `${each.prefix}…`,
          String(each.project),
          each.state,
          each.requestsPerMinute === null ? '–' : String(each.requestsPerMinute),
          `$${showUsd(each.spent)}`,
          each.spendLimit === null ? '–' : `$${showUsd(each.spendLimit)}`,
          each.expiresAt === null ? '–' : new Date(each.expiresAt).toISOString().slice(0, 16),
        ]),
      ])
    })

  withSettings(leaf(key, 'set', 'change a key', 'key set 1 --spend-limit 20'))
    .argument('<key>', 'id or prefix of the key')
    .option('--name <name>', 'name, for people')
    .action((which: string, options: KeyOptions) => show(which, changeOf(options), options))

  const states = [
    ['revoke', 'revoked', 'revoke a key for good'],
    ['disable', 'disabled', 'switch a key off'],
    ['enable', 'active', 'switch a key on'],
  ] as const satisfies readonly (readonly [string, Key['state'], string])[]
  for (const [name, state, about] of states)
    leaf(key, name, about, `key ${name} 1`)
      .argument('<key>', 'id or prefix of the key')
      .action((which: string, options: CommonOptions) => show(which, { state }, options))
}

function create(storage: Storage, options: KeyOptions & { project: ProjectId; name: string }) {
  const { directory, pepper } = storage
  const change = changeOf(options)
  const account = directory.findProject(options.project)?.account
  const ceiling =
    account === undefined ? undefined : directory.findAccount(account)?.requestsPerMinute
  if (ceiling !== undefined && typeof options.rpm === 'number' && options.rpm > ceiling)
    throw new RangeError(
      `the account allows ${ceiling} requests per minute: raise that first (chapar account set ${account} --rpm ${options.rpm})`,
    )
  const [service] = readConfig(process.env).services
  const secret = makeSecret(keyPrefix(service))
  const made = directory.createKey(
    { ...change, project: options.project, name: options.name, prefix: secretPrefix(secret) },
    hashSecret(secret, pepper),
  )
  return { secret, made }
}

function show(which: string, change: KeyChange, options: CommonOptions): void {
  const changed = withStorage(options, ({ directory }) => {
    const id = /^\d+$/.test(which)
      ? (Number(which) as KeyId)
      : directory.listKeys().find(({ prefix }) => prefix === which.replace(/…$/, ''))?.id
    if (id === undefined) throw new RangeError(`there is no key ${which}`)
    return directory.setKey(id, change)
  })
  if (options.json) return printJson(keyView(changed))
  printFields(keyView(changed))
}
