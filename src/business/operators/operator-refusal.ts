/** Why an operator is not signed in or set up, and the facts of it. */
interface OperatorRefusalFacts {
  /** Used, over, or never there. */
  link_invalid: {}
  /** Small letters, digits, dots, dashes and underscores. */
  operator_name_invalid: {}
  operator_name_taken: {}
  password_short: { readonly min: number }
  password_long: { readonly max: number }
  /** The one-time code of the app that was set up just now. */
  setup_code_wrong: {}
  /** Name, password or code; never told which. */
  sign_in_wrong: {}
  /** All of it was right; codes of the name are being guessed by somebody who knows the password. */
  sign_in_codes_guessed: {}
  /** Of whoever is signed in. */
  password_wrong: {}
  sign_in_locked: { readonly waitSeconds: number }
}

export type OperatorRefusalCode = keyof OperatorRefusalFacts

/** A refusal by code; the page has the words. */
export class OperatorRefusal<Code extends OperatorRefusalCode = OperatorRefusalCode> extends Error {
  constructor(
    readonly code: Code,
    readonly facts: OperatorRefusalFacts[Code],
  ) {
    super(code)
    this.name = 'OperatorRefusal'
  }
}

/** Narrows to a refusal; `instanceof` alone would lose the types of code and facts. */
export const isOperatorRefusal = (thrown: unknown): thrown is OperatorRefusal =>
  thrown instanceof OperatorRefusal
