import type { ProjectId } from '../../domain/ids'
import type { Pepper } from '../../domain/pepper'
import { opaqueId } from './secret'

/** Ids under which vendors know the projects that call: stable, and telling nothing of them. */
export function openSafetyIds(pepper: Pepper): (project: ProjectId) => string {
  const known = new Map<ProjectId, string>()
  return (project) => {
    let id = known.get(project)
    if (id === undefined) known.set(project, (id = opaqueId(`project:${project}`, pepper)))
    return id
  }
}
