import type { Caller } from '../domain/caller'
import { codes, errorType, type CodeRow, type ErrorCode, type ErrorType } from './codes'
import { noLinks, type Links } from './links'
import { en, type Facts } from './texts-en'
import { fa } from './texts-fa'

/** Languages of `error.message`; Persian unless the client asks for English. */
export type Language = 'fa' | 'en'

/** The error object of the specification. */
export interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: ErrorType
    readonly code: string | null
    readonly param: string | null
  }
}

/** Options of an error: offending field, retry delay, headers, cause. */
export interface ErrorOptions {
  /** Name of the offending field, when the error concerns one. */
  readonly param?: string
  /** Whole seconds to wait, for 429 and 503. */
  readonly retryAfterSeconds?: number
  /** Headers that belong to the refusal, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The vendor may have done what was asked, although nobody was told so. */
  readonly fateUnknown?: boolean
  /** Prompt exceeds the context of this model: another may take it. */
  readonly contextTooLong?: boolean
  /** The vendor rejects sealed reasoning of the request: it may take it without. */
  readonly sealRejected?: boolean
  /** Refused caller, where nobody else knows it. */
  readonly caller?: Caller
  /** For the log only; never shown. */
  readonly cause?: unknown
}

/** The only error a client meets: `throw new GatewayError('model_not_found', { model })`. */
export class GatewayError<Code extends ErrorCode = ErrorCode> extends Error {
  readonly param: string | null
  readonly retryAfterSeconds: number | null
  readonly headers: Readonly<Record<string, string>>
  readonly fateUnknown: boolean
  readonly contextTooLong: boolean
  readonly sealRejected: boolean
  readonly caller: Caller | null

  constructor(
    readonly code: Code,
    readonly facts: Facts<Code>,
    options: ErrorOptions = {},
  ) {
    super(code, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'GatewayError'
    this.param = options.param ?? null
    this.retryAfterSeconds = options.retryAfterSeconds ?? this.row.retryAfterSeconds ?? null
    this.headers = options.headers ?? {}
    this.fateUnknown = options.fateUnknown ?? false
    this.contextTooLong = options.contextTooLong ?? false
    this.sealRejected = options.sealRejected ?? false
    this.caller = options.caller ?? null
  }

  get row(): CodeRow {
    return codes[this.code]
  }

  get status(): CodeRow['status'] {
    return codes[this.code].status
  }

  /** @param links of the service, for messages that lead to them */
  body(language: Language, links: Links = noLinks): ErrorBody {
    const text: (facts: Facts<Code>, links: Links) => string = (language === 'en' ? en : fa)[
      this.code
    ]
    return {
      error: {
        message: text(this.facts, links),
        type: errorType(this.code),
        code: this.row.wireCode === null ? null : this.code,
        param: this.param,
      },
    }
  }
}

/** Narrows to what may be shown; `instanceof` alone would lose the type of the code. */
export const isGatewayError = (thrown: unknown): thrown is GatewayError =>
  thrown instanceof GatewayError
