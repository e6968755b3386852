/** Why an operator's change is refused, and the facts of it. */
export interface AdminFacts {
  model_not_found: { readonly model: string }
  invalid_alias: { readonly alias: string }
  /** A model is called so. */
  alias_is_model: { readonly alias: string }
  /** It is an alias of this model already. */
  alias_taken: { readonly alias: string; readonly model: string }
  alias_not_found: { readonly alias: string }
}

export type AdminCode = keyof AdminFacts

/** A change that was refused; whoever asked for it says so in their own words. */
export class AdminError<Code extends AdminCode = AdminCode> extends Error {
  constructor(
    readonly code: Code,
    readonly facts: AdminFacts[Code],
  ) {
    super(code)
    this.name = 'AdminError'
  }
}

/** Narrows to a refusal; `instanceof` alone would lose the types of code and facts. */
export const isAdminError = (thrown: unknown): thrown is AdminError => thrown instanceof AdminError
