import type { ModelChoice } from '../../call/endpoint'
import { maxModels } from '../../formats/field'
import { invalid } from '../../formats/schema-fault'
import type { JsonBody } from '../../http/json-body'
import { editMembers } from '../../json/edit-members'
import { isFields, isText } from '../../json/fields'

/** A body, and the models that may answer it. */
interface Chosen {
  readonly json: JsonBody
  /** Absent where the client names one alone. */
  readonly choices?: readonly ModelChoice[]
}

/**
 * Takes `models`, and the retired `route` beside it, out of a body: models that are asked in this order
 * where the one of `model` gives no answer. The first is the model of a body that has none.
 * @see https://openrouter.ai/docs/guides/routing/model-fallbacks, November 2026
 * @throws invalid_field
 */
export function chooseModels(json: JsonBody): Chosen {
  const { value } = json
  if (!isFields(value) || value['models'] === undefined) return { json }
  const { models, route: _, ...rest } = value
  const ids = readIds(models)
  const named = rest['model']
  const own = named === undefined || named === null
  const [first] = ids
  const model = own ? (first?.id ?? named) : named
  const choices = own || !isText(named) ? ids : withFirst({ id: named, param: 'model' }, ids)
  const set = own && first !== undefined ? { model } : {}
  const text = editMembers(json.text, { set, drop: ['models', 'route'] })
  const chosen = { ...json, text, value: { ...rest, ...set } }
  return choices.length < 2 ? { json: chosen } : { json: chosen, choices }
}

const withFirst = (first: ModelChoice, ids: readonly ModelChoice[]): readonly ModelChoice[] => [
  first,
  ...ids.filter(({ id }) => id !== first.id),
]

function readIds(models: unknown): readonly ModelChoice[] {
  if (models === null) return []
  if (!Array.isArray(models) || models.length > maxModels)
    throw invalid('models', `an array of at most ${maxModels} strings`)
  return models.map((id: unknown, index) => {
    const param = `models[${index}]`
    if (!isText(id) || id.length > 256) throw invalid(param, 'a non-empty string')
    return { id, param }
  })
}
