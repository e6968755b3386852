import type { TextForm } from './text-forms'

export type WantedType = 'text' | 'whole_number' | 'number' | 'truth' | 'list' | 'object'

/** Why a field is refused: a rule, and its limit. */
export type InputFault =
  | { readonly rule: 'required' | 'unknown_field' | 'not_empty' | 'nothing' | 'above_balance' }
  | { readonly rule: 'wrong_type'; readonly wanted: readonly WantedType[] }
  | { readonly rule: LimitRule; readonly limit: number }
  | { readonly rule: 'not_one_of'; readonly choices: readonly string[] }
  | { readonly rule: 'bad_form'; readonly form: TextForm }
  /** Exactly one of several fields is wanted; it stands beside one that excludes it; or it is later than one. */
  | {
      readonly rule: 'one_of_fields' | 'not_beside' | 'later_than'
      readonly fields: readonly string[]
    }

export type LimitRule =
  | 'too_short'
  | 'too_long'
  | 'too_small'
  | 'not_above'
  | 'too_large'
  | 'too_few'
  | 'too_many'
  /** UTC days from one to another. */
  | 'too_many_days'
