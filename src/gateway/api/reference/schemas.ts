import { Type } from '@sinclair/typebox'
import { modelTypes } from '../../../domain/model'
import { codes, errorType, type ErrorCode } from '../../../errors/codes'
import { count, object, nullable, requestId, seconds, usd, words } from './schema-parts'

/* What the routes answer. A title names a schema in the document. */

/** Values of `error.code`. */
const wireCodes = Object.entries(codes).flatMap(([name, row]) => ('wireCode' in row ? [] : [name]))
const errorTypes = [...new Set(Object.keys(codes).map((code) => errorType(code as ErrorCode)))]

export const ErrorReply = object(
  {
    error: object({
      message: Type.String({ description: 'for people; Persian, or English if asked for' }),
      type: words(errorTypes),
      code: nullable(words(wireCodes), 'decide on this; null where no code has a name'),
      param: nullable(Type.String(), 'the field that is wrong'),
    }),
  },
  'Error',
)

/** The frame of errors that clients of Anthropic's format read. */
export const MessagesErrorReply = object(
  {
    type: Type.Literal('error'),
    error: object({
      type: Type.String(),
      message: Type.String({ description: 'for people; Persian, or English if asked for' }),
    }),
    request_id: Type.String({ pattern: '^req_' }),
  },
  'MessagesError',
)

const price = Type.String({ pattern: '^\\d+(\\.\\d+)?$' })

const prices = Type.Record(Type.String(), price, {
  description:
    'decimal strings in dollars; the key says per what. Where pictures or seconds have a price for each size or quality, `per_image` or `per_second` is the dearest of them.',
})

export const ModelReply = object(
  {
    id: Type.String({ description: 'send this as `model`' }),
    object: Type.Literal('model'),
    created: seconds('when it was added'),
    owned_by: Type.String({ description: 'the supply route' }),
    name: Type.String(),
    type: words(modelTypes),
    description: nullable(Type.String()),
    context_length: nullable(Type.Integer()),
    max_output_tokens: nullable(Type.Integer()),
    capabilities: object(
      {
        streaming: Type.Boolean(),
        tools: Type.Boolean(),
        json: Type.Boolean(),
        vision: Type.Boolean(),
      },
      undefined,
      'what the model can do; any other key that is absent does not apply',
    ),
    is_free: Type.Boolean(),
    pricing: prices,
    pricing_unit: Type.String({ description: 'what most prices are counted in' }),
    pricing_updated_at: nullable(seconds('since when these prices hold')),
    alias_of: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'it is a name of these models: the first that can answers, at its own price; the prices here are the dearest of each',
      }),
    ),
    fallbacks: Type.Optional(
      Type.Array(Type.String(), {
        description: 'models that are asked where it gives no answer, each at its own price',
      }),
    ),
    pricing_next: Type.Optional(
      object(
        { from: seconds('when they begin'), pricing: prices },
        undefined,
        'prices that are decided and hold later',
      ),
    ),
  },
  'Model',
)

export const ModelListReply = object(
  { object: Type.Literal('list'), data: Type.Array(ModelReply) },
  'ModelList',
)

const cap = object({
  limit_usd: usd('what may be spent'),
  spent_usd: usd('what was spent'),
  left_usd: usd('neither spent nor set aside by running calls'),
  resets_at: nullable(seconds('when it begins anew'), 'null: never'),
})

export const AccountReply = object(
  {
    object: Type.Literal('account'),
    balance: object({
      usd: usd('the balance'),
      usd_display: Type.String({ description: 'for people' }),
      held_usd: usd('set aside by running calls'),
      available_usd: usd('what can still be set aside'),
    }),
    status: words(['active', 'suspended']),
    verified: Type.Boolean(),
    project: object({ id: Type.Integer(), name: Type.String() }),
    key: object({
      name: Type.String(),
      prefix: Type.String({ description: 'the first characters of the key' }),
      rpm_limit: count(
        'requests per minute: the lower of what the key and its account may; where neither has a limit, what one client address may',
      ),
      spend_limit_usd: usd(
        'what the key may spend, or the lowest limit of its project, its account and the day of the service; where there is none, what it has spent and the account still has',
      ),
      spent_usd: usd('what it has spent'),
      expires_at: nullable(seconds('when it expires')),
    }),
    limits: object({ concurrency: count(), max_request_kb: count() }),
    caps: object({
      key_spend_limit: nullable(cap, 'of this key'),
      project_monthly_budget: nullable(cap, 'of all keys of the project'),
      account_daily_cap: nullable(cap, 'of the whole account'),
      preverification_ceiling: nullable(cap, 'of the account in all; null once it is verified'),
    }),
  },
  'Account',
)

const day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

export const UsageReply = object(
  {
    object: Type.Literal('usage'),
    from: day,
    to: day,
    group: words(['day', 'model']),
    total_usd: usd('all of it'),
    data: Type.Array(
      object({
        key: Type.String({ description: 'the day or the model' }),
        requests: count(),
        errors: count(),
        input_tokens: count(),
        output_tokens: count(),
        usd: usd('what it cost'),
      }),
    ),
  },
  'UsageReport',
)

export const RequestReply = object(
  {
    id: requestId,
    object: Type.Literal('request'),
    created: seconds('when it came'),
    model: Type.String(),
    endpoint: Type.String({ description: 'short name of the endpoint' }),
    status: words(['pending', 'success', 'error', 'cancelled']),
    streamed: Type.Boolean(),
    usage: object({
      input_tokens: count(),
      output_tokens: count(),
      cached_tokens: count(),
      total_tokens: count(),
      reasoning_tokens: count(),
      estimated: Type.Boolean({ description: 'counted by us: the vendor did not tell' }),
    }),
    usd: usd('what it cost: what was charged, less what was refunded'),
    refunded_usd: usd('what was refunded, because a video was not made or by the operator'),
    latency_ms: count(),
    first_byte_ms: nullable(count()),
    receipt: nullable(object({}), 'how the charge came about; null while it runs'),
    error: nullable(object({ type: nullable(Type.String()), code: Type.String() })),
  },
  'RequestStatus',
)

export const StatusReply = object({ status: Type.String() }, 'Status')
