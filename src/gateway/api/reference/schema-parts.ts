import { Type, type TProperties, type TSchema } from '@sinclair/typebox'

/** Answers may gain fields: clients must let unknown ones pass. */
export const object = <Fields extends TProperties>(
  fields: Fields,
  title?: string,
  description?: string,
) =>
  Type.Object(fields, {
    additionalProperties: true,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  })

export const words = (each: readonly string[], description?: string) =>
  Type.Union(
    each.map((word) => Type.Literal(word)),
    description === undefined ? {} : { description },
  )

export const nullable = (schema: TSchema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

export const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) })
export const usd = (description: string) =>
  Type.String({ pattern: '^-?\\d+\\.\\d{6,9}$', description: `${description}, in dollars` })
export const seconds = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since 1970` })

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter']
export const requestId = Type.String({
  pattern: '^req_',
  description: 'the same as `X-Request-Id`',
})
