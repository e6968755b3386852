import { namePattern } from '../../../domain/name-pattern'

/** Patterns of texts by what they are called, so that a refusal can say which form is wanted. */
export const textForms = {
  name: namePattern,
  not_blank: '\\S',
  /** A decimal string in dollars from 0; no amount reaches 9,007,200 (`NanoUsd`). */
  usd: '^[0-8]?\\d{1,6}(\\.\\d{1,9})?$',
  /** Same, which may be negative. */
  signed_usd: '^-?[0-8]?\\d{1,6}(\\.\\d{1,9})?$',
  fee: '^\\d{1,7}(\\.\\d{1,9})?$',
  /** An instant: ISO 8601, UTC. */
  instant: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
  day: '^\\d{4}-\\d{2}-\\d{2}$',
  month: '^20\\d{2}-(?:0[1-9]|1[0-2])$',
  tolerance: '^\\d{1,3}(?:\\.\\d{1,6})?$',
  /** Where the page before ended. */
  place: '^\\d{1,16}-\\d{1,16}$',
  notice: '^ntc_[0-9a-f]{32}$',
  vendor_key: '^[\\x21-\\x7e]+$',
  cents: '^\\d{1,6}(\\.\\d{1,2})?$',
  payment: '^pay_[0-9a-f]{32}$',
  session: '^[0-9a-f]{16}$',
  base64url: '^[\\w-]+$',
  page: '^/(?:[\\w-]+(?:/[\\w-]+)*)?$',
} as const

/** Forms that are read by a function and not by a pattern. */
type ReadForm =
  | 'percent'
  | 'price'
  | 'coins'
  | 'time_zone'
  | 'email'
  | 'mobile'
  | 'model_pattern'
  | 'bill_columns'
  | 'bill_files'
  | 'price_source'
  | 'group_name'
  | 'capability'

export type TextForm = keyof typeof textForms | ReadForm
