import { Type, type TSchema } from '@sinclair/typebox'

/**
 * A field that may be absent; null counts as absent, as the reference's `nullable` fields do.
 * @param description what is told where it is something else; has a Persian of its own, see expected-fa
 */
export const field = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }))

/** A count that may be absent. A larger one is not the number that was written. */
export const countField = (least: 0 | 1) => {
  const most = Number.MAX_SAFE_INTEGER
  return field(
    Type.Integer({ minimum: least, maximum: most }),
    `a whole number from ${least} to ${most}`,
  )
}

/** Models that a client may list, beside the one of `model`. */
export const maxModels = 8

/** Ids of models that are asked in this order where one gives no answer. */
export const modelsField = field(
  Type.Array(Type.String(), { maxItems: maxModels }),
  `an array of at most ${maxModels} strings`,
)

/** A field that may be absent and is one of these words. */
export const wordField = <const Word extends string>(words: readonly Word[]) =>
  field(Type.Union(words.map((word) => Type.Literal(word))), words.join(' | '))
