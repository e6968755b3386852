import { Type, type Static } from '@sinclair/typebox'
import type { Project } from '../../domain/caller'
import type { AccountId, ProjectId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { ProjectChange } from '../../identity/directory'
import { accountIn } from '../accounts'
import { ownerCaps } from '../caps'
import { createProject, projectIn, setProject } from '../projects'
import { CapView, capView } from './caps'
import { Id, Listed, max, Name, orNull, page, pageOf, partial, sent, Usd, usdOf } from './fields'
import { operation } from './operation'

const settings = {
  active: Type.Boolean(),
  allowed_models: Listed,
  monthly_budget_usd: orNull(Usd),
}

const ProjectView = Type.Object({
  id: Id,
  account: Id,
  name: Type.String(),
  active: Type.Boolean(),
  allowed_models: orNull(Type.Array(Type.String())),
  monthly_budget_usd: orNull(Type.String()),
})

const projectView = (project: Project): Static<typeof ProjectView> => ({
  id: project.id,
  account: project.account,
  name: project.name,
  active: project.active,
  allowed_models: project.allowedModels === null ? null : [...project.allowedModels],
  monthly_budget_usd: project.monthlyBudget === null ? null : showUsd(project.monthlyBudget),
})

const setFields = partial({ name: Name, ...settings })

const changeOf = (body: Static<ReturnType<typeof Type.Object<typeof setFields>>>): ProjectChange =>
  sent({
    name: body.name?.trim(),
    active: body.active,
    allowedModels: body.allowed_models,
    monthlyBudget:
      typeof body.monthly_budget_usd === 'string'
        ? usdOf(body.monthly_budget_usd)
        : body.monthly_budget_usd,
  })

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
    name: 'project.get',
    method: 'GET',
    path: '/projects/{id}',
    role: 'viewer',
    about: 'One project, and what is spent of its caps',
    params: { id: Id },
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
    body: { ...setFields, name: Name },
    result: ProjectView,
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
    async run(parts, { params, body }) {
      const id = params.id as ProjectId
      return projectView(await setProject(parts.storage.directory, id, changeOf(body)))
    },
  }),
] as const
