import type { Fields } from '../json/fields'

/*
 * JSON Schemas of the input of tools that a client runs, for models of other vendors.
 */

export const objectSchema = (properties: Fields, ...required: readonly string[]): Fields => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})

export const textSchema = (description: string): Fields => ({ type: 'string', description })

export const integerSchema = (description: string): Fields => ({ type: 'integer', description })
