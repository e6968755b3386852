import type { Project } from '../../domain/caller'
import type { AccountId, ProjectId } from '../../domain/ids'
import type { Directory, ProjectChange } from '../../gateway/identity/account-directory'
import { openAccountIn } from './find-account'
import { AdminError } from '../operations/admin-error'
import { checkPatterns } from './model-patterns'

type ProjectDirectory = Pick<
  Directory,
  'findAccount' | 'findProject' | 'createProject' | 'setProject'
>

/** The project of this id. @throws AdminError project_not_found */
export async function projectIn(
  { storage }: { readonly storage: { readonly directory: Pick<Directory, 'findProject'> } },
  id: number,
): Promise<Project> {
  const found = await storage.directory.findProject(id as ProjectId)
  if (found === null) throw new AdminError('project_not_found', { project: id })
  return found
}

/** Makes a project. @throws AdminError account_not_found | account_closed | model_pattern_invalid */
export async function createProject(
  directory: ProjectDirectory,
  project: ProjectChange & { readonly account: AccountId; readonly name: string },
): Promise<Project> {
  await openAccountIn({ storage: { directory } }, project.account)
  checkPatterns(project.allowedModels ?? [])
  return directory.createProject(project)
}

/**
 * Changes name, budget, models or state of a project.
 * @throws AdminError project_not_found | model_pattern_invalid
 */
export async function setProject(
  directory: ProjectDirectory,
  id: ProjectId,
  change: ProjectChange,
): Promise<Project> {
  await projectIn({ storage: { directory } }, id)
  checkPatterns(change.allowedModels ?? [])
  return directory.setProject(id, change)
}
