import type { Command } from 'commander'
import { groupRules } from '../../admin/group-rules'
import { addGroup, groupMeant, removeGroup, setGroup } from '../../admin/groups'
import { groupRuleView, groupView } from '../../admin/operations/groups'
import type { NanoUsd } from '../../domain/money'
import type { GroupLimits } from '../../identity/account-limits'
import { branch, given, leaf, lifted, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printFields, printJson, printLine, printTable } from '../kit/output'
import { groupRuleCells, groupRuleHeads } from './group-rules'
import { counted } from '../kit/counted'

interface GroupOptions extends CommonOptions {
  readonly name?: string
  readonly dailyCap?: NanoUsd | 'none'
  readonly concurrency?: number | 'none'
  readonly rpm?: number | 'none'
  readonly maxRequestKb?: number | 'none'
  readonly unverifiedCeiling?: NanoUsd | 'none'
}

const withLimits = (command: Command): Command =>
  command
    .option('--daily-cap <usd>', 'maximum dollars per day (UTC), or none', read.usdOrNone)
    .option('--concurrency <n>', 'maximum requests at once, or none', read.countOrNone)
    .option('--rpm <n>', 'maximum requests per minute of each key, or none', read.countOrNone)
    .option('--max-request-kb <n>', 'maximum size of a request body, or none', read.countOrNone)
    .option(
      '--unverified-ceiling <usd>',
      'maximum dollars in all before verification, or none',
      read.usdOrNone,
    )
    .addHelpText(
      'after',
      'Accounts have these limits unless they have their own; none: those of the service.',
    )

const limitsOf = (options: GroupOptions): Partial<GroupLimits> =>
  given({
    dailyCap: lifted(options.dailyCap),
    concurrency: lifted(options.concurrency),
    requestsPerMinute: lifted(options.rpm),
    maxRequestKb: lifted(options.maxRequestKb),
    unverifiedCeiling: lifted(options.unverifiedCeiling),
  }) as Partial<GroupLimits>

const argument = 'name of the group, or its number'

/** `group`: accounts with prices and limits of their own. */
export function groupCommand(program: Command): void {
  const group = branch(program, 'group', 'Manage groups of accounts with prices and limits')

  withLimits(leaf(group, 'add', 'make a group of accounts', 'group add gold --daily-cap 50'))
    .argument('<name>', 'name of the group', read.name)
    .action(async (name: string, options: GroupOptions) => {
      const made = await withStorage(options, ({ groups }) =>
        addGroup(groups, { name, limits: limitsOf(options) }),
      )
      if (options.json) return printJson(view(made))
      printLine(`group ${made.id} (${made.name})`)
      printLine(
        `next: chapar price rules set --group ${made.name} --markup -10 · chapar account set 1 --group ${made.name}`,
      )
    })

  withLimits(leaf(group, 'set', 'change a group', 'group set gold --concurrency 20'))
    .argument('<group>', argument)
    .option('--name <name>', 'another name', read.name)
    .action(async (typed: string, options: GroupOptions) => {
      const changed = await withStorage(options, async ({ groups }) =>
        setGroup(groups, await groupMeant(groups, typed), {
          ...given({ name: options.name }),
          limits: limitsOf(options),
        }),
      )
      if (options.json) return printJson(view(changed))
      printFields(view(changed))
    })

  withCsv(leaf(group, 'list', 'list groups of accounts, the newest first', 'group list')).action(
    list,
  )

  leaf(group, 'show', 'show one group with its price rules', 'group show gold')
    .argument('<group>', argument)
    .action(show)

  leaf(
    group,
    'remove',
    'remove a group with its price rules; its accounts stay, in no group',
    'group remove gold',
  )
    .argument('<group>', argument)
    .action(async (typed: string, options: CommonOptions) => {
      const gone = await withStorage(options, async ({ groups }) => {
        const found = await groupMeant(groups, typed)
        await removeGroup(groups, found)
        return found
      })
      if (options.json) return printJson({ object: 'group', id: gone.id, deleted: true })
      printLine(
        `group ${gone.name} is removed; ${counted(gone.accounts, 'account')} in no group now`,
      )
    })
}

const view = (group: Parameters<typeof groupView>[0]) => ({ object: 'group', ...groupView(group) })

/** More than anybody keeps. */
const maxListed = 10_000

async function list(options: ListOptions): Promise<void> {
  const all = await withStorage(options, ({ groups }) => groups.list(null, maxListed))
  await printList(options, all.map(view), form)
}

const form: ListForm<ReturnType<typeof view>> = {
  columns: [
    'id',
    'name',
    'accounts',
    'daily_cap_usd',
    'concurrency',
    'rpm',
    'max_request_kb',
    'unverified_ceiling_usd',
    'created',
  ],
  heading: ['ID', 'NAME', 'ACCOUNTS', 'DAILY CAP', 'CONCURRENCY', 'RPM'],
  cells: (each) => [
    String(each.id),
    each.name,
    String(each.accounts),
    each.daily_cap_usd === null ? '–' : `$${each.daily_cap_usd}`,
    String(each.concurrency ?? '–'),
    String(each.rpm ?? '–'),
  ],
}

async function show(typed: string, options: CommonOptions): Promise<void> {
  const { found, rules } = await withStorage(options, async (storage) => {
    const group = await groupMeant(storage.groups, typed)
    return { found: group, rules: await groupRules({ storage }, group.id) }
  })
  if (options.json) return printJson({ ...view(found), rules: rules.map(groupRuleView) })
  printFields(view(found))
  if (rules.length === 0) return
  printLine()
  printTable([groupRuleHeads, ...rules.map(groupRuleView).map(groupRuleCells)])
}
