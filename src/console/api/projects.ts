import { Type } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { Name, page } from '../../business/operations/fields'
import { settable } from '../../business/operations/from-fields'
import { createProject, setProject } from '../../business/accounts/projects'
import type { Project } from '../../domain/caller'
import { monthOf } from '../../domain/clock'
import { changeIn, wired } from '../../domain/fields/field'
import type { ProjectId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { projectFields } from '../../domain/fields/project-fields'
import { ownersOnly } from '../../business/users/members'
import { IdParams, max, OptionalId } from './fields'
import type { ConsoleParts } from './parts'

const { active, ...fields } = settable(projectFields)
const NewProject = Type.Object({ ...fields, name: Name })
const Change = Type.Object({ ...fields, active })

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
        const { data, next } = page(found, query.max, ({ id }) => id)
        return { data: await Promise.all(data.map((each) => projectView(parts, each))), next }
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
        const wanted = { ...changeIn(projectFields, body), name: body.name.trim(), account }
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
        return changed(await setProject(parts.directory(who), id, changeIn(projectFields, body)))
      },
      { params: IdParams, body: Change },
    )
}

const projectView = async ({ ledger, clock }: ConsoleParts, project: Project) => ({
  id: project.id as number,
  ...wired(projectFields, project),
  /** In the UTC month that runs. */
  month_spent_usd: showUsd(await ledger.spentByProject(project.id, monthOf(clock.now()))),
})
