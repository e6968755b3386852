import type { AdminCode, AdminError, AdminFacts } from '../admin/admin-error'

type Sentences = { readonly [Code in AdminCode]: (facts: AdminFacts[Code]) => string }

const sentences: Sentences = {
  model_not_found: ({ model }) => `there is no model ${model}; see chapar model list --all`,
  invalid_alias: ({ alias }) =>
    `${alias} cannot be an alias: at most 256 characters, without spaces and stars`,
  alias_is_model: ({ alias }) => `there is a model ${alias} already`,
  alias_taken: ({ alias, model }) =>
    `${alias} is an alias of ${model} already: chapar model alias remove ${alias}`,
  alias_not_found: ({ alias }) => `there is no alias ${alias}; see chapar model alias list`,
}

/** A refused change as a sentence for whoever typed the command. */
export const refusalWords = <Code extends AdminCode>({ code, facts }: AdminError<Code>): string =>
  sentences[code](facts)
