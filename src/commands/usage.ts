import { InvalidArgumentError, type Command } from 'commander'
import { dayMs, dayOf, systemClock, type Ms } from '../domain/clock'
import type { AccountId, ProjectId } from '../domain/ids'
import { nanoUsd, plus, showUsd, zeroUsd } from '../domain/money'
import type { UsageSum } from '../domain/report'
import type { Storage } from '../storage/storage'
import { leaf, read, withStorage, type CommonOptions } from './leaf'
import { printJson, printLine, printTable } from './output'

const groups = ['day', 'model', 'key', 'project', 'account'] as const
type Group = (typeof groups)[number]

interface UsageOptions extends CommonOptions {
  readonly account?: AccountId
  readonly project?: ProjectId
  readonly from?: number
  readonly to?: number
  readonly group: Group
}

const daysUnlessTold = 30

export function usageCommand(program: Command): void {
  leaf(
    program,
    'usage',
    'what was used, by day, model, key, project or account (days are UTC)',
    'usage --account 1 --from 2026-01-01 --group model',
  )
    .option('--account <id>', 'of this account alone', read.id<AccountId>)
    .option('--project <id>', 'of this project alone', read.id<ProjectId>)
    .option('--from <day>', 'first day, YYYY-MM-DD (default: 30 days)', readDay)
    .option('--to <day>', 'last day, YYYY-MM-DD (default: today)', readDay)
    .option('--group <what>', groups.join(', '), readGroup, 'day')
    .action((options: UsageOptions) => {
      const toDay = options.to ?? Math.floor(systemClock.now() / dayMs)
      const fromDay = options.from ?? toDay - daysUnlessTold + 1
      if (fromDay > toDay) throw new RangeError('--from is after --to')
      const sums = withStorage(options, (storage) =>
        sumsOf(storage, { ...options, fromDay, toDay }),
      )
      const total = showUsd(sums.reduce((all, { cost }) => plus(all, nanoUsd(cost)), zeroUsd))
      const { group } = options
      if (options.json)
        return printJson({
          object: 'usage',
          from: dayOf((fromDay * dayMs) as Ms),
          to: dayOf((toDay * dayMs) as Ms),
          group,
          total_usd: total,
          data: sums.map(({ cost, inputTokens, outputTokens, ...sum }) => ({
            ...sum,
            input_tokens: inputTokens,
            output_tokens: outputTokens,
            usd: showUsd(cost),
          })),
        })
      printTable([
        [group.toUpperCase(), 'REQUESTS', 'ERRORS', 'TOKENS IN', 'TOKENS OUT', 'COST'],
        ...sums.map((sum) => [
          sum.key,
          String(sum.requests),
          String(sum.errors),
          String(sum.inputTokens),
          String(sum.outputTokens),
          `$${showUsd(sum.cost)}`,
        ]),
      ])
      printLine(`$${total} in all`)
    })
}

/** Project by project, each by its index: days of others are never read. */
function sumsOf(
  { directory, reports }: Storage,
  asked: UsageOptions & { readonly fromDay: number; readonly toDay: number },
): readonly UsageSum[] {
  const { account, project, fromDay, toDay, group } = asked
  const projects = directory
    .listProjects()
    .filter((each) => account === undefined || each.account === account)
    .filter((each) => project === undefined || each.id === project)
  const sums = new Map<string, UsageSum>()
  const within = group === 'model' || group === 'key' ? group : 'day'
  const nameOf = namesFor(group, directory)
  for (const each of projects)
    for (const sum of reports.usage({ project: each.id, fromDay, toDay, group: within })) {
      const key = nameOf(each, sum.key)
      sums.set(key, added(sums.get(key), { ...sum, key }))
    }
  const all = [...sums.values()]
  return group === 'day'
    ? all.sort((a, b) => (a.key < b.key ? -1 : 1))
    : all.sort((a, b) => b.cost - a.cost)
}

type Project = ReturnType<Storage['directory']['listProjects']>[number]

/** What a sum is listed under: with its name where it is a number. */
function namesFor(
  group: Group,
  directory: Storage['directory'],
): (project: Project, key: string) => string {
  if (group === 'project') return ({ id, name }) => `${id} ${name}`
  if (group === 'account') {
    const names = new Map(directory.listAccounts().map(({ id, name }) => [id, name]))
    return ({ account }) => `${account} ${names.get(account) ?? ''}`.trim()
  }
  if (group !== 'key') return (_, key) => key
  const names = new Map(directory.listKeys().map(({ id, name }) => [String(id), name]))
  return (_, key) => `${key} ${names.get(key) ?? ''}`.trim()
}

const added = (one: UsageSum | undefined, other: UsageSum): UsageSum =>
  one === undefined
    ? other
    : {
        key: one.key,
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
