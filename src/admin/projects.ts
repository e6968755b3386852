import type { Project } from '../domain/caller'
import type { AccountId, ProjectId } from '../domain/ids'
import type { Directory, ProjectChange } from '../identity/directory'
import { checkPatterns } from './model-patterns'

type ProjectDirectory = Pick<Directory, 'createProject' | 'setProject'>

/** Makes a project. @throws AdminError model_pattern_invalid */
export async function createProject(
  directory: ProjectDirectory,
  project: ProjectChange & { readonly account: AccountId; readonly name: string },
): Promise<Project> {
  checkPatterns(project.allowedModels ?? [])
  return directory.createProject(project)
}

/** Changes name, budget, models or state of a project. @throws AdminError model_pattern_invalid */
export async function setProject(
  directory: ProjectDirectory,
  id: ProjectId,
  change: ProjectChange,
): Promise<Project> {
  checkPatterns(change.allowedModels ?? [])
  return directory.setProject(id, change)
}
