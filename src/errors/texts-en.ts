import { showUsd, type NanoUsd } from '../domain/money'
import type { ErrorCode } from './codes'
import { noLinks, type Links } from './links'

type None = Record<never, never>

/** A request that costs less with a lower ceiling of output: the member that sets it. */
interface Lowerable {
  readonly ceiling?: string | undefined
}

/** Names in a message; of very many only the first. */
export const listed = (names: readonly string[], separator: string): string =>
  names.length === 0
    ? '–'
    : `${names.slice(0, maxListed).join(separator)}${names.length > maxListed ? separator + '…' : ''}`

const maxListed = 12

/** A sentence that leads somewhere, if the operator said where: nothing stands behind the address. */
const linked = (sentence: string, url: string | null): string =>
  url === null ? `${sentence}.` : `${sentence}: ${url}`

/** Facts of a failure that may come when part of the answer was sent. */
export interface Midway {
  /** The vendor's words, scrubbed; none by default. */
  readonly said?: string
  /** Part of the answer was sent, and is charged. */
  readonly isPartial?: boolean
}

const charged = ({ isPartial = false }: Midway): string =>
  isPartial ? 'only what was sent is charged' : 'nothing was charged'

const quoted = ({ said = '' }: Midway): string => (said === '' ? '' : ` It said: ${said}`)

/** English text of every code. The parameters are the facts a code must be told. */
export const en = {
  invalid_json: (_: None) => 'The body is not valid JSON in UTF-8.',
  invalid_field: (f: { field: string; expected: string }) =>
    `\`${f.field}\` must be ${f.expected}.`,
  missing_model: (_: None) => 'The body has no `model`. See GET /v1/models for what is on sale.',
  invalid_model: (_: None) =>
    '`model` must be a non-empty string. See GET /v1/models for what is on sale.',
  model_endpoint_mismatch: (f: {
    model: string
    type: string
    endpoint: string
    /** Path of the endpoint that it belongs to. */
    servedAt: string
  }) =>
    `Model ${f.model} is of type ${f.type} and cannot be used on ${f.endpoint}: it belongs to ${f.servedAt}.`,
  missing_messages: (_: None) => '`messages` must be an array with at least one message.',
  invalid_message: (f: { field: string; expected: string }) =>
    `\`${f.field}\` must be ${f.expected}.`,
  too_many_messages: (f: { count: number; limit: number }) =>
    `\`messages\` has ${f.count} items; at most ${f.limit} are accepted.`,
  missing_prompt: (_: None) => '`prompt` is missing or empty.',
  missing_input: (_: None) => '`input` is missing or empty.',
  missing_file: (_: None) => 'The form has no `file`.',
  prompt_too_long: (f: { count: number; limit: number }) =>
    `\`prompt\` has ${f.count} characters; at most ${f.limit} are accepted.`,
  input_too_long: (f: { count: number; limit: number }) =>
    `\`input\` has ${f.count} characters; at most ${f.limit} are accepted.`,
  invalid_seconds: (f: { model: string; allowed: readonly string[] }) =>
    `Model ${f.model} accepts these \`seconds\`: ${f.allowed.join(', ')}.`,
  invalid_size: (f: { model: string; allowed: readonly string[] }) =>
    `Model ${f.model} accepts these sizes: ${f.allowed.join(', ')}.`,
  streaming_disabled: (_: None) =>
    'Streaming is switched off for the moment. Send the request without `stream`.',
  upstream_rejected: (f: Midway & { said: string }) =>
    `The vendor refused this request; ${charged(f)}.${quoted(f)}`,
  endpoint_not_supported: (f: { model: string; endpoint: string }) =>
    `The vendor of ${f.model} does not offer ${f.endpoint}.`,
  missing_api_key: (_: None) =>
    'No API key. Send `Authorization: Bearer <key>` or the header `X-API-Key`.',
  invalid_api_key: (_: None) => 'This API key is not known. Check that it was copied whole.',
  api_key_revoked: (_: None) => 'This API key was revoked. Use another or create a new one.',
  api_key_expired: (f: { expired: string }) =>
    `This API key expired on ${f.expired}. Create a new one.`,
  api_key_disabled: (_: None) => 'This API key is switched off. Switch it on or use another.',
  insufficient_credit: (
    f: { available: NanoUsd; held: NanoUsd; needed: NanoUsd } & Lowerable,
    { topUpUrl }: Links = noLinks,
  ) =>
    `This request may cost up to $${showUsd(f.needed)} and $${showUsd(f.available)} is available` +
    (f.held > 0 ? ` ($${showUsd(f.held)} more is reserved by requests still running)` : '') +
    linked(f.ceiling === undefined ? '. Top up' : `. Lower \`${f.ceiling}\`, or top up`, topUpUrl),
  key_spend_limit_reached: (f: { limit: NanoUsd; spent: NanoUsd; needed: NanoUsd } & Lowerable) =>
    `This key may spend $${showUsd(f.limit)}; $${showUsd(f.spent)} is spent or reserved and this ` +
    `request may cost up to $${showUsd(f.needed)}. Raise the key's spend limit${f.ceiling === undefined ? '' : ` or lower \`${f.ceiling}\``}.`,
  project_budget_exceeded: (f: { limit: NanoUsd; spent: NanoUsd; needed: NanoUsd }) =>
    `The project may spend $${showUsd(f.limit)} this month; $${showUsd(f.spent)} is spent or ` +
    `reserved and this request may cost up to $${showUsd(f.needed)}. Raise the budget or wait for next month.`,
  daily_cap_reached: (f: { limit: NanoUsd; spent: NanoUsd; needed: NanoUsd }) =>
    `The account may spend $${showUsd(f.limit)} a day; $${showUsd(f.spent)} is spent or reserved ` +
    `and this request may cost up to $${showUsd(f.needed)}. Ask support to raise it, or wait until midnight UTC.`,
  model_not_allowed: (f: { model: string; by: 'key' | 'project'; allowed: readonly string[] }) =>
    `The ${f.by} does not allow model ${f.model}; it allows: ${listed(f.allowed, ', ')}. ` +
    `Add the model to the ${f.by}'s list or use another.`,
  ip_not_allowed: (f: { address: string }) =>
    `This key may not be used from ${f.address}. Add the address to the key's list.`,
  kyc_required: (
    f: { limit: NanoUsd; spent: NanoUsd; needed: NanoUsd },
    { appUrl }: Links = noLinks,
  ) =>
    `Before identity verification an account may spend $${showUsd(f.limit)} in total; ` +
    linked(
      `$${showUsd(f.spent)} is spent or reserved and this request may cost up to $${showUsd(f.needed)}. Verify your identity in the app`,
      appUrl,
    ),
  project_inactive: (f: { project: string }) =>
    `The project ${f.project} is switched off. Switch it on or use a key of another project.`,
  account_suspended: (_: None, { supportUrl }: Links = noLinks) =>
    linked('The account is suspended. Contact support', supportUrl),
  model_not_found: (f: {
    model: string
    /** An id on sale that is written much like it. */
    near?: string
  }) =>
    `No model ${f.model} is on sale. ${f.near === undefined ? '' : `Did you mean ${f.near}? `}See GET /v1/models for what is.`,
  model_discontinued: (f: { model: string }) =>
    `Model ${f.model} is no longer sold. See GET /v1/models for what is.`,
  request_not_found: (f: { id: string }) => `This project has no request ${f.id}.`,
  video_not_found: (f: { id: string }) => `This project has no video ${f.id}.`,
  unknown_url: (f: { method: string; path: string }) => `There is no ${f.method} ${f.path}.`,
  method_not_allowed: (f: { method: string; path: string; allow: string }) =>
    `${f.path} does not take ${f.method}; it takes ${f.allow}.`,
  request_timeout: (f: { seconds: number }) =>
    `The body came too slowly: for ${f.seconds} seconds less than 1 KB a second, or nothing. Send it again.`,
  request_too_large: (f: { limitKb: number }) =>
    `The body is above the ceiling of ${f.limitKb} KB. Make it smaller.`,
  unsupported_encoding: (f: { encoding: string }) =>
    `Bodies in Content-Encoding ${f.encoding} are not read. Send them as they are, or in one of gzip, deflate, br and zstd.`,
  upgrade_not_offered: (f: { path: string }) =>
    `There is no WebSocket at ${f.path}. Send the request over HTTP with POST.`,
  rate_limit_exceeded: (f: {
    limit: number
    by: 'key' | 'address'
    /** In progress, not a minute. */
    atOnce?: true
    seconds: number
  }) =>
    f.atOnce === true
      ? `This ${f.by} already has ${f.limit} requests in progress. Try again in ${f.seconds} seconds.`
      : `More than ${f.limit} requests a minute for this ${f.by}. Try again in ${f.seconds} seconds.`,
  concurrency_limit: (f: { limit: number }) =>
    `The account already has ${f.limit} requests running. Wait for one to end.`,
  upstream_rate_limited: (f: Midway & { model: string }) =>
    `The vendor's rate limit for ${f.model} is reached; ${charged(f)}. Try again shortly.${quoted(f)}`,
  upstream_capacity_full: (f: Midway & { model: string }) =>
    `The vendor's capacity for ${f.model} is full; ${charged(f)}. Try again shortly.${quoted(f)}`,
  too_many_failed_attempts: (f: { seconds: number }) =>
    `Too many wrong keys from this address. Try again in ${f.seconds} seconds.`,
  upstream_error: (f: { model: string }) =>
    `The vendor of ${f.model} answered with an error; nothing was charged.`,
  upstream_unreachable: (f: { model: string }) =>
    `The vendor of ${f.model} gave no answer; nothing was charged.`,
  stream_interrupted: (f: Midway) =>
    `The answer broke off in the middle. Only what was sent is charged.${quoted(f)}`,
  model_temporarily_unavailable: (f: { model: string }) =>
    `Model ${f.model} is not available for the moment. Try again later or use another.`,
  gateway_disabled: (_: None) => 'The service is closed for the moment. Try again later.',
  daily_capacity_reached: (f: { opens: string }) =>
    `The service has reached its capacity for today. Try again after ${f.opens}.`,
  internal_error: (_: None) => 'Something went wrong on our side; nothing was charged.',
  gateway_error: (_: None) => 'The service could not finish this request. Try again.',
} satisfies { [Code in ErrorCode]: (facts: never, links?: Links) => string }

/** Facts that the message of a code needs. */
export type Facts<Code extends ErrorCode> = Parameters<(typeof en)[Code]>[0]
