import { knownSourceNames } from '../../../gateway/settings/price-settings'
import type { InputFault, LimitRule, WantedType } from './input-fault'
import type { TextForm } from './text-forms'

const types: Readonly<Record<WantedType, string>> = {
  text: 'a text',
  whole_number: 'a whole number',
  number: 'a number',
  truth: 'yes or no (true or false)',
  list: 'a list',
  object: 'an object',
}

const forms: Readonly<Record<TextForm, string>> = {
  name: 'something to read, on one line',
  not_blank: 'something to read',
  usd: 'an amount in dollars from 0, such as 12.50',
  signed_usd: 'an amount in dollars, such as 12.50 or -3',
  fee: 'an amount in dollars from 0, such as 0.002',
  instant: 'an instant in UTC, such as 2030-01-01T00:00:00Z',
  day: 'a day, such as 2026-01-31',
  month: 'a month, such as 2026-01',
  tolerance: 'percent from 0 to 100, such as 0.5',
  place: 'the place where the page before ended',
  notice: 'the id of a notice: ntc_ and 32 digits',
  vendor_key: 'a key: visible ASCII characters without spaces',
  cents: 'an amount in dollars with at most two decimals, such as 12.50',
  payment: 'the id of a payment: pay_ and 32 digits',
  session: 'the id of a session: 16 digits',
  base64url: 'letters, digits, - and _',
  page: 'a page of the web app, such as /keys',
  percent: 'percent above -100, such as 12.5',
  price: 'a price in dollars from 0, such as 2.50',
  coins: 'coins above zero',
  time_zone: 'a time zone, such as Europe/Berlin',
  email: 'an e-mail address',
  mobile: 'an Iranian mobile number',
  model_pattern: 'the id of a model, or a pattern such as openai/*',
  bill_columns: 'columns by what they hold, such as day=Date,model=Model,amount=Cost',
  bill_files: 'NAME:BYTES for each file but the last',
  price_source: `${knownSourceNames}, an https address or a file`,
  group_name: 'a name that is neither a number nor none',
  capability: 'true or false, or of a choice a list such as a,b,c',
}

const limits: Readonly<Record<LimitRule, (limit: number) => string>> = {
  too_short: (limit) => (limit === 1 ? 'must not be empty' : `at least ${limit} characters`),
  too_long: (limit) => `at most ${limit} characters`,
  too_small: (limit) => `${limit} at least`,
  not_above: (limit) => `more than ${limit}`,
  too_large: (limit) => `${limit} at most`,
  too_few: (limit) => (limit === 1 ? 'at least one' : `at least ${limit} of them`),
  too_many: (limit) => `at most ${limit} of them`,
  too_many_days: (limit) => `1 to ${limit} days`,
}

/** English text of why a field is refused; the name of the field stands before it. */
export function inputEn(fault: InputFault): string {
  switch (fault.rule) {
    case 'required':
      return 'is needed'
    case 'unknown_field':
      return 'there is no such field'
    case 'not_empty':
      return 'must be empty'
    case 'nothing':
      return 'must not be zero'
    case 'above_balance':
      return 'would make it more than an account can hold'
    case 'wrong_type':
      return `must be ${fault.wanted.map((each) => types[each]).join(' or ')}`
    case 'not_one_of':
      return `must be one of: ${fault.choices.join(', ')}`
    case 'bad_form':
      return `must be ${forms[fault.form]}`
    case 'one_of_fields':
      return `exactly one is needed of: ${fault.fields.join(', ')}`
    case 'not_beside':
      return `not together with: ${fault.fields.join(', ')}`
    case 'later_than':
      return `must not be later than: ${fault.fields.join(', ')}`
    default:
      return limits[fault.rule](fault.limit)
  }
}
