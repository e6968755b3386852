import { settableField } from './field'

const maxTokens = 100_000_000

/** Settable fields of a model, besides its routes, prices, capabilities and traits. */
export const modelFields = {
  name: settableField.text('name', 'name, for people', {
    maxLength: 200,
    isFilled: true,
    option: 'name <name>',
  }),
  description: settableField.text('description', 'what it is good for', { maxLength: 2000 }),
  ownedBy: settableField.text('owned_by', 'who made it', {
    maxLength: 100,
    isFilled: true,
    option: 'owned-by <name>',
  }),
  contextLength: settableField.count('context_length', 'context length', {
    max: maxTokens,
    option: 'context <tokens>',
  }),
  maxOutputTokens: settableField.count('max_output_tokens', 'most output tokens', {
    max: maxTokens,
    option: 'max-output <tokens>',
  }),
} as const
