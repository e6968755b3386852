/**
 * Cause on our side of a vendor's failure, for the operator. `quota`: the account has no money;
 * `allowance`: what it may use of one model in a day is used.
 */
export type Alert = 'credential' | 'quota' | 'allowance' | 'model'

/** A vendor's own words about a failure. Each of them may repeat the prompt. */
export interface VendorWords {
  /** Scrubbed; '' when it said nothing. */
  readonly message: string
  readonly type: string | null
  readonly code: string | null
  readonly param: string | null
}

/** A message and nothing else. */
export const messageOnly = (message: string): VendorWords => ({
  message,
  type: null,
  code: null,
  param: null,
})

/** The cause of a refusal that a vendor's failure became: for the log, never for the client. */
export class VendorFailure extends Error {
  constructor(
    readonly status: number,
    readonly words: VendorWords,
    /** Null when nothing is wrong on our side. */
    readonly alert: Alert | null,
  ) {
    // Whoever logs a message must find none of the vendor's in it.
    super(`the vendor failed with ${status}`)
    this.name = 'VendorFailure'
  }
}
