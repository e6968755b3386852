import { Option, type Command } from 'commander'
import { accountIn } from '../../admin/accounts'
import { createProject, projectIn, setProject } from '../../admin/projects'
import type { Project } from '../../domain/caller'
import type { AccountId, ProjectId } from '../../domain/ids'
import { showUsd, type NanoUsd } from '../../domain/money'
import type { ProjectChange } from '../../identity/directory'
import { capsView, printWithCaps } from './caps-view'
import { branch, given, leaf, lifted, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'
import { printFields, printJson, printLine } from '../kit/output'

interface ProjectOptions extends CommonOptions {
  readonly name?: string
  readonly active?: boolean
  readonly inactive?: true
  readonly monthlyBudget?: NanoUsd | 'none'
  readonly allowModel?: readonly string[]
  readonly allowAllModels?: true
}

const withSettings = (command: Command): Command =>
  command
    .option('--active', 'switch on')
    .option('--inactive', 'switch off')
    .addOption(new Option('--no-active', 'switch off').hideHelp())
    .option(
      '--monthly-budget <usd>',
      'maximum dollars per calendar month (UTC), or none',
      read.usdOrNone,
    )
    .option('--allow-model <pattern>', 'allow only these models; repeatable', read.patterns)
    .option('--allow-all-models', 'allow every model')

const changeOf = (options: ProjectOptions): ProjectChange =>
  given({
    name: options.name,
    active: options.inactive === true ? false : options.active,
    monthlyBudget: lifted(options.monthlyBudget),
    allowedModels: options.allowAllModels === true ? null : options.allowModel,
  }) as ProjectChange

const projectView = (project: Project) => ({
  id: project.id,
  object: 'project',
  account: project.account,
  name: project.name,
  active: project.active,
  allowed_models: project.allowedModels,
  monthly_budget_usd: project.monthlyBudget === null ? null : showUsd(project.monthlyBudget),
})

const form: ListForm<ReturnType<typeof projectView>> = {
  columns: ['id', 'account', 'name', 'active', 'allowed_models', 'monthly_budget_usd'],
  heading: ['ID', 'ACCOUNT', 'NAME', 'ACTIVE', 'MONTHLY BUDGET', 'MODELS'],
  cells: (each) => [
    String(each.id),
    String(each.account),
    each.name,
    each.active ? 'yes' : 'no',
    each.monthly_budget_usd === null ? '–' : `$${each.monthly_budget_usd}`,
    each.allowed_models?.join(' ') ?? 'all',
  ],
}

export function projectCommand(program: Command): void {
  const project = branch(program, 'project', 'Manage projects')

  withSettings(leaf(project, 'create', 'create a project', 'project create --account 1 --name web'))
    .requiredOption('--account <id>', 'account that pays', read.id<AccountId>)
    .requiredOption('--name <name>', 'name, for people', read.name)
    .action(async (options: ProjectOptions & { account: AccountId; name: string }) => {
      const made = await withStorage(options, ({ directory }) =>
        createProject(directory, {
          ...changeOf(options),
          account: options.account,
          name: options.name,
        }),
      )
      if (options.json) return printJson(projectView(made))
      printLine(`project ${made.id} (${made.name}) of account ${made.account}`)
      printLine(`next: chapar key create --project ${made.id} --name laptop`)
    })

  withCsv(leaf(project, 'list', 'list projects', 'project list --account 1'))
    .option('--account <id>', 'only of this account', read.id<AccountId>)
    .action(async (options: ListOptions & { account?: AccountId }) =>
      printList(
        options,
        (
          await withStorage(options, ({ directory }) => directory.listProjects(options.account))
        ).map(projectView),
        form,
      ),
    )

  leaf(project, 'show', 'show one project, and what is spent of its caps', 'project show 1')
    .argument('<project>', 'id of the project', read.id<ProjectId>)
    .action(async (id: ProjectId, options: CommonOptions) => {
      const view = await withStorage(options, async (storage) => {
        const project = await projectIn({ storage }, id)
        const account = await accountIn({ storage }, project.account)
        const caps = await capsView(storage, { account, project }, options)
        return { ...projectView(project), caps }
      })
      printWithCaps(view, options)
    })

  withSettings(leaf(project, 'set', 'change a project', 'project set 1 --monthly-budget 50'))
    .argument('<project>', 'id of the project', read.id<ProjectId>)
    .option('--name <name>', 'name, for people', read.name)
    .action(async (id: ProjectId, options: ProjectOptions) => {
      const changed = await withStorage(options, ({ directory }) =>
        setProject(directory, id, changeOf(options)),
      )
      if (options.json) return printJson(projectView(changed))
      printFields(projectView(changed))
    })
}
