import type { Key, Project } from '../../domain/caller'
import { matchesModel, type NamedModel } from '../../gateway/identity/allowed-models'

/** Whether key and project both allow a model. */
export const isAllowedModel =
  (key: Pick<Key, 'allowedModels'>, project: Pick<Project, 'allowedModels'>) =>
  (model: NamedModel): boolean =>
    [key.allowedModels, project.allowedModels].every(
      (allowed) => allowed === null || matchesModel(allowed, model),
    )
