import type { CatalogueStore } from '../../gateway/catalogue/contract'
import { familyOf, type ModelEntry, type ModelFamily } from '../../domain/model'
import { AdminError } from '../operations/admin-error'
import { checkAliasId, checkNotAlias, type AliasParts } from './model-aliases'

/** Models that can be named in one list. */
const maxFallbacks = 8

/** Their calls are asked of the named model alone: one is ordered, the other is a conversation. */
const alone: ReadonlySet<ModelFamily> = new Set<ModelFamily>(['video', 'realtime'])

/**
 * Ids of the models that are to be tried where one gives no answer, aliases resolved, each once. Only
 * fallbacks of the model that was asked are tried, so that two may stand in for each other.
 * @throws AdminError model_not_found | fallback_is_itself | fallback_is_name | fallback_other_family | no_fallbacks | too_many_fallbacks
 */
export function checkFallbacks(
  models: readonly ModelEntry[],
  { id, ...kind }: Pick<ModelEntry, 'id' | 'type' | 'traits'>,
  named: readonly string[],
): readonly string[] {
  const family = familyOf(kind)
  const ids = [...new Set(named.map((each) => modelIn(models, each).id))]
  if (ids.length > 0 && alone.has(family)) throw new AdminError('no_fallbacks', { family })
  if (ids.length > maxFallbacks) throw new AdminError('too_many_fallbacks', { max: maxFallbacks })
  for (const fallback of ids) {
    if (fallback === id) throw new AdminError('fallback_is_itself', { model: id })
    const fallbackFamily = familyOf(modelIn(models, fallback))
    if (fallbackFamily !== family)
      throw new AdminError('fallback_other_family', { model: id, family, fallback, fallbackFamily })
  }
  return ids
}

/** A model that can be asked itself. @throws AdminError model_not_found | fallback_is_name */
function modelIn(models: readonly ModelEntry[], named: string): ModelEntry {
  const found = models.find(
    ({ id, aliases = [] }) => id === named || aliases.some((alias) => alias.id === named),
  )
  if (found === undefined || found.status === 'discontinued')
    throw new AdminError('model_not_found', { model: named })
  const { id: model, aliasOf } = found
  if (aliasOf !== undefined) throw new AdminError('fallback_is_name', { model, aliasOf })
  return found
}

interface NameParts extends AliasParts {
  readonly store: AliasParts['store'] & Pick<CatalogueStore, 'saveModel'>
  readonly models: readonly ModelEntry[]
}

/** What is said of a name; what is left out stays, or is as it is by default. */
interface NameChange {
  readonly name?: string
  readonly description?: string
  readonly ownedBy?: string
  readonly status?: 'active' | 'off'
}

/**
 * Makes an id a name of several models, of which the first that can answers, or changes which.
 * @throws AdminError invalid_alias | alias_is_model | alias_taken, and what `checkFallbacks` throws
 */
export async function nameModels(
  { store, models }: NameParts,
  id: string,
  named: readonly string[],
  change: NameChange,
): Promise<void> {
  checkAliasId(id)
  await checkNotAlias({ store }, id)
  const held = models.find((entry) => entry.id === id)
  if (held !== undefined && held.aliasOf === undefined && held.status !== 'discontinued')
    throw new AdminError('alias_is_model', { alias: id })
  const others = models.filter((entry) => entry !== held || held.aliasOf !== undefined)
  const [first] = named.map((each) => modelIn(others, each))
  if (first === undefined) throw new AdminError('model_not_found', { model: '' })
  const { type, traits } = first
  const aliasOf = checkFallbacks(others, { id, type, traits }, named)
  const before = held?.aliasOf === undefined ? undefined : held
  const rests = before?.status === 'off' ? 'off' : 'active'
  await store.saveModel(
    {
      id,
      type,
      name: change.name ?? before?.name ?? id,
      ownedBy: change.ownedBy ?? before?.ownedBy ?? 'operator',
      description: change.description ?? before?.description ?? null,
      contextLength: null,
      maxOutputTokens: null,
      capabilities: {},
      traits: {},
      isFree: false,
      status: change.status ?? rests,
      routes: [],
      aliasOf,
    },
    [],
  )
}
