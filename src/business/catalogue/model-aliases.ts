import type { CatalogueStore } from '../../gateway/catalogue/contract'
import type { ModelAlias, ModelEntry } from '../../domain/model'
import { AdminError } from '../operations/admin-error'

export interface AliasParts {
  readonly store: Pick<CatalogueStore, 'aliases' | 'saveAlias' | 'removeAlias'>
  /** Every model there is. */
  readonly models: readonly Pick<ModelEntry, 'id' | 'status'>[]
}

/** A star would be a pattern in lists of allowed models. */
const idForm = /^[^\s*]{1,256}$/

/**
 * Gives a model another id, or changes whether that is listed.
 * @throws AdminError invalid_alias | model_not_found | alias_is_model | alias_taken
 */
export async function addAlias(
  { store, models }: AliasParts,
  alias: ModelAlias,
): Promise<ModelAlias> {
  const { id, model } = alias
  checkAliasId(id)
  if (!models.some((each) => each.id === model && each.status !== 'discontinued'))
    throw new AdminError('model_not_found', { model })
  if (models.some((each) => each.id === id)) throw new AdminError('alias_is_model', { alias: id })
  const earlier = (await store.aliases()).find((each) => each.id === id)
  if (earlier !== undefined && earlier.model !== model)
    throw new AdminError('alias_taken', { alias: id, model: earlier.model })
  await store.saveAlias(alias)
  return alias
}

/** Checks the id of an alias. @throws AdminError invalid_alias */
export function checkAliasId(id: string): void {
  if (!idForm.test(id)) throw new AdminError('invalid_alias', { alias: id })
}

/** Removes an alias. @throws AdminError alias_not_found */
export async function removeAlias({ store }: Pick<AliasParts, 'store'>, id: string): Promise<void> {
  if (!(await store.removeAlias(id))) throw new AdminError('alias_not_found', { alias: id })
}

/** Refuses an id for a new model that is an alias of another. @throws AdminError alias_taken */
export async function checkNotAlias(
  { store }: { readonly store: Pick<CatalogueStore, 'aliases'> },
  id: string,
): Promise<void> {
  const alias = (await store.aliases()).find((each) => each.id === id)
  if (alias !== undefined) throw new AdminError('alias_taken', { alias: id, model: alias.model })
}
