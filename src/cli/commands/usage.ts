import { InvalidArgumentError, type Command } from 'commander'
import { dayMs, dayOf, systemClock, type Ms } from '../../domain/clock'
import type { AccountId, ProjectId } from '../../domain/ids'
import { nanoUsd, plus, showUsd, zeroUsd } from '../../domain/money'
import type { UsageSum } from '../../domain/report'
import type { Storage } from '../../storage/storage'
import { leaf, read, withStorage } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printJson, printLine } from '../kit/output'

const groups = ['day', 'model', 'key', 'project', 'account'] as const
type Group = (typeof groups)[number]

interface UsageOptions extends ListOptions {
  readonly account?: AccountId
  readonly project?: ProjectId
  readonly from?: number
  readonly to?: number
  readonly group: Group
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
    .option('--group <what>', groups.join(', '), readGroup, 'day')
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

const formBy = (group: Group): ListForm<ReturnType<typeof sumView>> => ({
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

/** Project by project, each by its index: days of others are never read. */
async function sumsOf(
  { directory, reports }: Storage,
  asked: UsageOptions & { readonly fromDay: number; readonly toDay: number },
): Promise<readonly NamedSum[]> {
  const { account, project, fromDay, toDay, group } = asked
  const projects = (await directory.listProjects())
    .filter((each) => account === undefined || each.account === account)
    .filter((each) => project === undefined || each.id === project)
  const sums = new Map<string, NamedSum>()
  // Projects and accounts add up whatever is shortest: months hold models, and no days.
  const within = group === 'day' || group === 'key' ? group : 'model'
  const placeOf = await placesBy(group, directory)
  for (const each of projects)
    for (const sum of await reports.usage({ project: each.id, fromDay, toDay, group: within })) {
      const place = placeOf(each, sum.key)
      sums.set(place.key, added(sums.get(place.key), { ...sum, ...place }))
    }
  const all = [...sums.values()]
  return group === 'day'
    ? all.sort((a, b) => (a.key < b.key ? -1 : 1))
    : all.sort((a, b) => b.cost - a.cost)
}

type Project = Awaited<ReturnType<Storage['directory']['listProjects']>>[number]
type Place = Pick<NamedSum, 'key' | 'name'>

/** Heading that a sum is listed under. */
async function placesBy(
  group: Group,
  directory: Storage['directory'],
): Promise<(project: Project, key: string) => Place> {
  if (group === 'project') return ({ id, name }) => ({ key: String(id), name })
  if (group === 'account') {
    const names = new Map((await directory.listAccounts()).map(({ id, name }) => [id, name]))
    return ({ account }) => ({ key: String(account), name: names.get(account) ?? null })
  }
  if (group !== 'key') return (_, key) => ({ key, name: null })
  const names = new Map((await directory.listKeys()).map(({ id, name }) => [String(id), name]))
  return (_, key) => ({ key, name: names.get(key) ?? null })
}

const added = (one: NamedSum | undefined, other: NamedSum): NamedSum =>
  one === undefined
    ? other
    : {
        key: one.key,
        name: one.name,
        requests: one.requests + other.requests,
        errors: one.errors + other.errors,
        inputTokens: one.inputTokens + other.inputTokens,
        outputTokens: one.outputTokens + other.outputTokens,
        cost: plus(one.cost, other.cost),
      }

function readGroup(text: string): Group {
  const group = groups.find((each) => each === text)
  if (group === undefined) throw new InvalidArgumentError(`One of ${groups.join(', ')}.`)
  return group
}

function readDay(text: string): number {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time) || dayOf(time as Ms) !== text)
    throw new InvalidArgumentError('A day is needed, YYYY-MM-DD.')
  return time / dayMs
}
