import { Type, type Static } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { createProject, setProject } from '../../admin/projects'
import type { Project } from '../../domain/caller'
import { monthOf } from '../../domain/clock'
import type { ProjectId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { ProjectChange } from '../../identity/directory'
import { ownersOnly } from '../../people/members'
import { IdParams, Listed, max, Name, OptionalId, sent, Usd, usdOf, usdText } from './fields'
import type { ConsoleParts } from './parts'

const settings = {
  monthly_budget_usd: Type.Optional(Usd),
  allowed_models: Type.Optional(Listed),
}
const NewProject = Type.Object({ name: Name, ...settings })
const Change = Type.Object({
  name: Type.Optional(Name),
  active: Type.Optional(Type.Boolean()),
  ...settings,
})

/** `/app/api/projects`: what the keys of an account belong to, each with its budget. */
export const projectsApi = (parts: ConsoleParts) => {
  const { customer, own, reader } = parts
  const changed = (project: Project) => {
    parts.changed()
    return projectView(parts, project)
  }
  return new Elysia({ prefix: '/projects', normalize: false })
    .get(
      '/',
      async ({ request, query }) => {
        const { account } = await customer(request)
        const after = (query.after ?? null) as ProjectId | null
        const text = query.text?.trim() || null
        const found = await reader.projects({ account, after, text, max: query.max + 1 })
        const shown = found.slice(0, query.max)
        return {
          data: await Promise.all(shown.map((project) => projectView(parts, project))),
          next: found.length > query.max ? (shown.at(-1)?.id ?? null) : null,
        }
      },
      {
        query: t.Object({ after: OptionalId, text: t.Optional(t.String({ maxLength: 60 })), max }),
      },
    )
    .post(
      '/',
      async ({ request, body }) => {
        const who = await customer(request)
        ownersOnly(who)
        const { account } = who
        const wanted = { ...changeOf(body), name: body.name.trim(), account }
        return changed(await createProject(parts.directory(who), wanted))
      },
      { body: NewProject },
    )
    .get(
      '/:id',
      async ({ request, params }) =>
        projectView(parts, await own.project(await customer(request), params.id as ProjectId)),
      { params: IdParams },
    )
    .patch(
      '/:id',
      async ({ request, params, body }) => {
        const who = await customer(request)
        ownersOnly(who)
        const { id } = await own.project(who, params.id as ProjectId)
        return changed(await setProject(parts.directory(who), id, changeOf(body)))
      },
      { params: IdParams, body: Change },
    )
}

const changeOf = (body: Static<typeof Change>): ProjectChange =>
  sent({
    name: body.name?.trim(),
    active: body.active,
    monthlyBudget:
      body.monthly_budget_usd === undefined ? undefined : usdOf(body.monthly_budget_usd),
    allowedModels: body.allowed_models,
  })

const projectView = async ({ ledger, clock }: ConsoleParts, project: Project) => ({
  id: project.id as number,
  name: project.name,
  active: project.active,
  allowed_models: project.allowedModels,
  monthly_budget_usd: usdText(project.monthlyBudget),
  /** In the UTC month that runs. */
  month_spent_usd: showUsd(await ledger.spentByProject(project.id, monthOf(clock.now()))),
})
