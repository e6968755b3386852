import { InvalidArgumentError, type Command } from 'commander'
import { dayMs, dayOf, systemClock, type Ms } from '../../domain/clock'
import type { AccountId, ProjectId } from '../../domain/ids'
import { nanoUsd, plus, showUsd, zeroUsd } from '../../domain/money'
import { serviceUsageGroups, type ServiceUsageGroup, type UsageSum } from '../../domain/report'
import type { Storage } from '../../storage/storage'
import { leaf, read, withStorage } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'

interface UsageOptions extends ListOptions {
  readonly account?: AccountId
  readonly project?: ProjectId
  readonly from?: number
  readonly to?: number
  readonly group: ServiceUsageGroup
}

const daysUnlessTold = 30

export function usageCommand(program: Command): void {
  withCsv(
    leaf(
      program,
      'usage',
      'sum up usage by day, model, key, project or account (days are UTC)',
      'usage --account 1 --from 2026-01-01 --group model',
    ),
  )
    .option('--account <id>', 'only of this account', read.id<AccountId>)
    .option('--project <id>', 'only of this project', read.id<ProjectId>)
    .option('--from <day>', 'first day, YYYY-MM-DD (default: 30 days ago)', readDay)
    .option('--to <day>', 'last day, YYYY-MM-DD (default: today)', readDay)
    .option('--group <what>', serviceUsageGroups.join(', '), readGroup, 'day')
    .action(usage)
}

async function usage(options: UsageOptions): Promise<void> {
  const toDay = options.to ?? Math.floor(systemClock.now() / dayMs)
  const fromDay = options.from ?? toDay - daysUnlessTold + 1
  if (fromDay > toDay) throw new RangeError('--from is after --to')
  const sums = await withStorage(options, (storage) =>
    sumsOf(storage, { ...options, fromDay, toDay }),
  )
  const total = showUsd(sums.reduce((all, { cost }) => plus(all, nanoUsd(cost)), zeroUsd))
  const { group } = options
  const data = sums.map(sumView)
  if (options.json)
    return printJson({
      object: 'usage',
      from: dayOf((fromDay * dayMs) as Ms),
      to: dayOf((toDay * dayMs) as Ms),
      group,
      total_usd: total,
      data,
    })
  await printList(options, data, formBy(group))
  if (!options.csv) printLine(`$${total} in all`)
}

const sumView = ({ cost, inputTokens, outputTokens, ...sum }: NamedSum) => ({
  ...sum,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  usd: showUsd(cost),
})

const formBy = (group: ServiceUsageGroup): ListForm<ReturnType<typeof sumView>> => ({
  columns: ['key', 'name', 'requests', 'errors', 'input_tokens', 'output_tokens', 'usd'],
  heading: [group.toUpperCase(), 'REQUESTS', 'ERRORS', 'TOKENS IN', 'TOKENS OUT', 'COST'],
  cells: (sum) => [
    sum.name === null ? sum.key : `${sum.key} ${sum.name}`,
    String(sum.requests),
    String(sum.errors),
    String(sum.input_tokens),
    String(sum.output_tokens),
    `$${sum.usd}`,
  ],
})

/** A sum under the id of what it is of, with its name where it has one. */
interface NamedSum extends UsageSum {
  readonly name: string | null
}

async function sumsOf(
  storage: Storage,
  asked: UsageOptions & { readonly fromDay: number; readonly toDay: number },
): Promise<readonly NamedSum[]> {
  const { account = null, project, fromDay, toDay, group } = asked
  const sums =
    project === undefined
      ? await storage.reports.serviceUsage({ account, fromDay, toDay, group })
      : await sumsOfProject(storage, { ...asked, project })
  const names = sums.length === 0 ? null : await namesOf(group, storage.directory)
  return sums.map((sum) => ({ ...sum, name: names?.get(Number(sum.key)) ?? null }))
}

async function sumsOfProject(
  { directory, reports }: Pick<Storage, 'directory' | 'reports'>,
  asked: UsageOptions & {
    readonly project: ProjectId
    readonly fromDay: number
    readonly toDay: number
  },
): Promise<readonly UsageSum[]> {
  const { project, fromDay, toDay, group } = asked
  const found = await directory.findProject(project)
  if (found === null || (asked.account ?? found.account) !== found.account) return []
  const isWhole = group === 'project' || group === 'account'
  const sums = await reports.usage({ project, fromDay, toDay, group: isWhole ? 'model' : group })
  const [first, ...others] = sums
  if (!isWhole || first === undefined) return sums
  const key = String(group === 'project' ? project : found.account)
  return [others.reduce(added, { ...first, key })]
}

/** Names of what sums are of, by their numbers; null where they have none. */
async function namesOf(
  group: ServiceUsageGroup,
  directory: Storage['directory'],
): Promise<ReadonlyMap<number, string> | null> {
  if (group === 'day' || group === 'model') return null
  const named =
    group === 'project'
      ? await directory.listProjects()
      : group === 'account'
        ? await directory.listAccounts()
        : await directory.listKeys()
  return new Map(named.map(({ id, name }) => [id, name]))
}

const added = (one: UsageSum, other: UsageSum): UsageSum => ({
  key: one.key,
  requests: one.requests + other.requests,
  errors: one.errors + other.errors,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cost: plus(one.cost, other.cost),
})

function readGroup(text: string): ServiceUsageGroup {
  const group = serviceUsageGroups.find((each) => each === text)
  if (group === undefined)
    throw new InvalidArgumentError(`One of ${serviceUsageGroups.join(', ')}.`)
  return group
}

function readDay(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time) || dayOf(time as Ms) !== text)
    throw new InvalidArgumentError('A day is needed, YYYY-MM-DD.')
  return time / dayMs
}
