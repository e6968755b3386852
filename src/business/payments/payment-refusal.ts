/** Why no money comes in this way, and the facts of it. */
interface PaymentRefusalFacts {
  /** No gateway is set up. */
  top_up_off: {}
  /** Nobody configured where the service is reached: gateways could not lead back. */
  public_url_missing: {}
  /** No rate was ever set. */
  rate_missing: {}
  /** Set too long ago to be sold by. */
  rate_too_old: {}
  /** The page showed another one. */
  rate_changed: { readonly rate: string }
  coins_out_of_range: { readonly min: number; readonly max: number }
  usd_out_of_range: { readonly min: number; readonly max: number }
  top_up_too_often: { readonly waitSeconds: number }
  account_suspended: {}
  gateway_unknown: {}
  /** In the gateway's own code. Nothing was paid. */
  gateway_refused: { readonly gateway: string; readonly fault: string }
  payment_not_found: {}
  redeem_code_invalid: {}
  redeem_code_unknown: { readonly left: number }
  redeem_code_used: {}
  /** This account has its money already. */
  redeem_code_yours: {}
  redeem_code_over: {}
  redeem_locked: { readonly waitSeconds: number }
}

export type PaymentCode = keyof PaymentRefusalFacts

/** A refusal as plain data: what stores answer crosses threads, where an error loses its class. */
export type RefusedPayment = {
  [Code in PaymentCode]: { readonly code: Code; readonly facts: PaymentRefusalFacts[Code] }
}[PaymentCode]

/** A refusal by code; pages and commands have the words. */
export class PaymentRefusal<Code extends PaymentCode = PaymentCode> extends Error {
  constructor(
    readonly code: Code,
    readonly facts: PaymentRefusalFacts[Code],
  ) {
    super(code)
    this.name = 'PaymentRefusal'
  }
}

/** Narrows to a refusal; `instanceof` alone would lose the types of code and facts. */
export const isPaymentRefusal = (thrown: unknown): thrown is PaymentRefusal =>
  thrown instanceof PaymentRefusal
