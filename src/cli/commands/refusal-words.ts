import type { AdminCode, AdminError, AdminFacts } from '../../admin/admin-error'
import { showUsd } from '../../domain/money'

type Sentences = { readonly [Code in AdminCode]: (facts: AdminFacts[Code]) => string }

const sentences: Sentences = {
  call_not_found: ({ request }) => `there is no request ${request}, or it is not written yet`,
  call_running: ({ request }) => `${request} is still running: refund it once it has ended`,
  nothing_charged: ({ request }) => `${request} was charged nothing: there is nothing to refund`,
  refunded_before: ({ request, refunded }) =>
    `${request} was refunded before ($${showUsd(refunded)}), and a call is refunded once: correct the balance with chapar account adjust`,
  refund_too_large: ({ request, asked, charged }) =>
    `$${showUsd(asked)} is more than ${request} was charged: $${showUsd(charged)} at most`,
  video_open: ({ request, video }) =>
    `${video} of ${request} is still being made: it is refunded by itself if it fails or is deleted`,
  account_not_found: ({ account }) => `there is no account ${account}`,
  balance_below_zero: ({ account, balance, after }) =>
    `the balance of account ${account} is $${showUsd(balance)}, and would be $${showUsd(after)}: confirm with --yes`,
  model_not_found: ({ model }) => `there is no model ${model}; see chapar model list --all`,
  invalid_alias: ({ alias }) =>
    `${alias} cannot be an alias: at most 256 characters, without spaces and stars`,
  alias_is_model: ({ alias }) => `there is a model ${alias} already`,
  alias_taken: ({ alias, model }) =>
    `${alias} is an alias of ${model} already: chapar model alias remove ${alias}`,
  alias_not_found: ({ alias }) => `there is no alias ${alias}; see chapar model alias list`,
  sms_log_over_https: ({ url }) =>
    `people reach this service by ${url}: codes must not be in its log`,
  sms_option_missing: ({ provider, option }) => `${provider} needs --option ${option}=…`,
  sms_option_unknown: ({ provider, option }) => `${provider} has no option ${option}`,
  sms_secret_missing: ({ provider }) => `${provider} needs a key: --key-stdin`,
  sms_too_many: ({ max }) =>
    `there are ${max} providers already: remove one with chapar sms remove`,
  person_not_found: ({ person }) => `there is no person ${person}; see chapar person list`,
  phone_taken: ({ phone }) => `${phone} is somebody's number already; see chapar person list`,
  key_rpm_above_account: ({ max }) =>
    `the account allows ${max} requests per minute: raise that first (chapar account set --rpm)`,
  key_revoked: ({ key }) => `key ${key} is revoked for good: create a new one`,
  key_expiry_past: () => 'that has passed: chapar key disable switches a key off',
  model_pattern_invalid: ({ pattern }) =>
    `neither a model's id nor a pattern such as openai/*: ${pattern}`,
  address_range_invalid: ({ range }) => `neither an address nor a range: ${range}`,
  sms_not_found: ({ name }) => `there is no provider ${name}; see chapar sms list`,
}

/** A refused change as a sentence for whoever typed the command. */
export const refusalWords = <Code extends AdminCode>({ code, facts }: AdminError<Code>): string =>
  sentences[code](facts)
