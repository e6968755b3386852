import { Type, type Static } from '@sinclair/typebox'
import type { Project } from '../../../domain/caller'
import { wired } from '../../../domain/fields/field'
import type { AccountId, ProjectId } from '../../../domain/ids'
import { projectFields } from '../../../domain/fields/project-fields'
import type { ProjectChange } from '../../../gateway/identity/account-directory'
import { accountIn } from '../find-account'
import { ownerCaps } from '../caps'
import { createProject, projectIn, setProject } from '../projects'
import { CapView, capView } from './caps'
import { cell } from '../../operations/command'
import { Id, max, Name, page, pageOf } from '../../operations/fields'
import { asOption, changeBy, settable, shownFields } from '../../operations/from-fields'
import { operation } from '../../operations/operation'

const ProjectView = Type.Object({ id: Id, account: Id, ...shownFields(projectFields) })

const projectView = (project: Project): Static<typeof ProjectView> => ({
  id: project.id,
  account: project.account,
  ...wired(projectFields, project),
})

const setFields = settable(projectFields)
const changeOf = (body: object): ProjectChange => changeBy(projectFields, body)

const which = { name: 'project', about: 'id of the project', as: 'place' } as const
const flags = {
  active: [
    { flag: '--inactive', about: 'switch off', value: false },
    { flag: '--no-active', about: 'switch off', value: false, hidden: true },
  ],
  allowed_models: [{ flag: '--allow-all-models', about: 'allow every model', value: null }],
} as const

export const projectOperations = [
  operation({
    name: 'project.list',
    method: 'GET',
    path: '/accounts/{id}/projects',
    role: 'viewer',
    about: 'Projects of an account, in the order in which they were made',
    params: { id: Id },
    query: { after: Type.Optional(Id), max },
    result: pageOf(ProjectView, Id),
    async run(parts, { params, query }) {
      const { id: account } = await accountIn(parts, params.id)
      const { after = null, max } = query
      const found = await parts.storage.accountReader.projects({
        account,
        text: null,
        after: after as ProjectId | null,
        max: max + 1,
      })
      return page(found.map(projectView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'project.all',
    method: 'GET',
    path: '/projects',
    role: 'viewer',
    about: 'Projects of all accounts, in the order in which they were made',
    query: {
      account: asOption(Type.Optional(Id), 'only of this account'),
      after: Type.Optional(Id),
      max,
    },
    result: pageOf(ProjectView, Id),
    commands: [
      {
        words: 'project list',
        about: 'list projects',
        example: 'project list --account 1',
        object: 'project',
        list: {
          pages: 'after',
          columns: ['id', 'account', ...Object.values(projectFields).map(({ wire }) => wire)],
          heading: ['ID', 'ACCOUNT', 'NAME', 'ACTIVE', 'MONTHLY BUDGET', 'MODELS'],
          cells: (project) => [
            String(project.id),
            String(project.account),
            project.name,
            cell.yes(project.active),
            cell.usd(project.monthly_budget_usd),
            project.allowed_models?.join(' ') ?? 'all',
          ],
        },
      },
    ],
    async run({ storage }, { query: { account, after, max } }) {
      const found = await storage.directory.listProjects(account as AccountId | undefined, {
        after: (after ?? 0) as ProjectId,
        max: max + 1,
      })
      return page(found.map(projectView), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'project.get',
    method: 'GET',
    path: '/projects/{id}',
    role: 'viewer',
    about: 'One project, and what is spent of its caps',
    params: { id: Id },
    commands: [
      {
        words: 'project show',
        about: 'show one project, and what is spent of its caps',
        example: 'project show 1',
        params: { id: which },
        object: 'project',
      },
    ],
    result: Type.Composite([ProjectView, Type.Object({ caps: Type.Array(CapView) })]),
    async run(parts, { params }) {
      const project = await projectIn(parts, params.id)
      const account = await accountIn(parts, project.account)
      const { storage, service } = parts
      await service.flush()
      const now = service.clock.now()
      const caps = await ownerCaps(storage.spending, { account, project }, service.settings, now)
      return { ...projectView(project), caps: caps.map(capView) }
    },
  }),
  operation({
    name: 'project.create',
    method: 'POST',
    path: '/accounts/{id}/projects',
    role: 'staff',
    about: 'Make a project of an account',
    params: { id: Id },
    body: { ...setFields, name: asOption(Name, 'name, for people', { kind: 'name' }) },
    result: ProjectView,
    commands: [
      {
        words: 'project create',
        about: 'create a project',
        example: 'project create --account 1 --name web',
        params: { id: { name: 'account', about: 'account that pays', as: 'option' } },
        flags,
        object: 'project',
        said: ({ id, name, account }) => ({
          stdout: [
            `project ${id} (${name}) of account ${account}`,
            `next: chapar key create --project ${id} --name laptop`,
          ],
        }),
      },
    ],
    async run(parts, { params, body }) {
      const account = params.id as AccountId
      const wanted = { ...changeOf(body), account, name: body.name.trim() }
      return projectView(await createProject(parts.storage.directory, wanted))
    },
  }),
  operation({
    name: 'project.set',
    method: 'PATCH',
    path: '/projects/{id}',
    role: 'staff',
    about: 'Change name, state, models or monthly budget of a project',
    params: { id: Id },
    body: setFields,
    result: ProjectView,
    commands: [
      {
        words: 'project set',
        about: 'change a project',
        example: 'project set 1 --monthly-budget 50',
        params: { id: which },
        flags,
        object: 'project',
      },
    ],
    async run(parts, { params, body }) {
      const id = params.id as ProjectId
      return projectView(await setProject(parts.storage.directory, id, changeOf(body)))
    },
  }),
] as const
