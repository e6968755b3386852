import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { modelTypes } from '../domain/model'
import { codes, errorType, type ErrorCode } from '../errors/codes'

/* What the routes answer. A title names a schema in the document. */

/** Answers may gain fields: clients must let unknown ones pass. */
const object = <Fields extends TProperties>(fields: Fields, title?: string, description?: string) =>
  Type.Object(fields, {
    additionalProperties: true,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
  })

const words = (each: readonly string[], description?: string) =>
  Type.Union(
    each.map((word) => Type.Literal(word)),
    description === undefined ? {} : { description },
  )

const orNull = (schema: TSchema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description === undefined ? {} : { description }) })
const usd = (description: string) =>
  Type.String({ pattern: '^-?\\d+\\.\\d{6,9}$', description: `${description}, in dollars` })
const seconds = (description: string) =>
  Type.Integer({ description: `${description}, in seconds since 1970` })

/** What a client reads in `error.code`. */
const wireCodes = Object.entries(codes).flatMap(([name, row]) => ('wireCode' in row ? [] : [name]))
const errorTypes = [...new Set(Object.keys(codes).map((code) => errorType(code as ErrorCode)))]

export const ErrorReply = object(
  {
    error: object({
      message: Type.String({ description: 'for people; Persian, or English if asked for' }),
      type: words(errorTypes),
      code: orNull(words(wireCodes), 'decide on this; null where no code has a name'),
      param: orNull(Type.String(), 'the field that is wrong'),
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

export const TokenUsage = object(
  {
    prompt_tokens: count(),
    completion_tokens: count(),
    total_tokens: count(),
    prompt_tokens_details: object({ cached_tokens: count() }),
    completion_tokens_details: object({ reasoning_tokens: count() }),
  },
  'Usage',
)

const AnsweredToolCall = object(
  {
    id: Type.String(),
    type: Type.Literal('function'),
    function: object({
      name: Type.String(),
      arguments: Type.String({ description: 'JSON: parse and check it before use' }),
    }),
  },
  'ToolCall',
)

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter']
const requestId = Type.String({ pattern: '^req_', description: 'the same as `X-Request-Id`' })

export const ChatReply = object(
  {
    id: requestId,
    object: Type.Literal('chat.completion'),
    created: seconds('when it was made'),
    model: Type.String(),
    choices: Type.Array(
      object({
        index: count(),
        message: object({
          role: Type.Literal('assistant'),
          content: orNull(Type.String()),
          reasoning_content: Type.Optional(Type.String({ description: 'of models that tell it' })),
          tool_calls: Type.Optional(Type.Array(AnsweredToolCall)),
        }),
        finish_reason: words(finishReasons),
      }),
    ),
    usage: TokenUsage,
  },
  'ChatResponse',
)

export const ChatChunk = object(
  {
    id: requestId,
    object: Type.Literal('chat.completion.chunk'),
    created: seconds('when it was made'),
    model: Type.String(),
    choices: Type.Array(
      object({
        index: count(),
        delta: object({
          role: Type.Optional(Type.Literal('assistant')),
          content: Type.Optional(orNull(Type.String())),
        }),
        finish_reason: orNull(words(finishReasons)),
      }),
      { description: 'empty in the event before the terminator, which holds `usage`' },
    ),
    usage: Type.Optional(orNull(TokenUsage)),
    cost_usd: Type.Optional(usd('what was charged; beside `usage`')),
  },
  'ChatChunk',
)

const Block = object({ type: Type.String() })

export const MessageReply = object(
  {
    id: Type.String({ pattern: '^msg_', description: '`GET /v1/requests/{id}` knows it too' }),
    type: Type.Literal('message'),
    role: Type.Literal('assistant'),
    model: Type.String(),
    content: Type.Array(Block, { description: 'blocks of type text, tool_use, thinking …' }),
    stop_reason: orNull(Type.String()),
    stop_sequence: orNull(Type.String()),
    usage: object({ input_tokens: count(), output_tokens: count() }),
  },
  'Message',
)

export const ResponseReply = object(
  {
    id: Type.String({ pattern: '^resp_', description: '`GET /v1/requests/{id}` knows it too' }),
    object: Type.Literal('response'),
    created_at: seconds('when it was made'),
    status: words(['completed', 'incomplete', 'in_progress', 'failed']),
    model: Type.String(),
    output: Type.Array(Block, { description: 'items of type message, function_call, reasoning …' }),
    usage: orNull(object({ input_tokens: count(), output_tokens: count(), total_tokens: count() })),
  },
  'Response',
)

export const CompletionReply = object(
  {
    id: requestId,
    object: Type.Literal('text_completion'),
    created: seconds('when it was made'),
    model: Type.String(),
    choices: Type.Array(
      object({
        text: Type.String(),
        index: count(),
        finish_reason: orNull(words(finishReasons)),
      }),
    ),
    usage: orNull(TokenUsage),
  },
  'Completion',
)

export const TokenCountReply = object({ input_tokens: count() }, 'TokenCount')

const Guess = object({ units: Type.Record(Type.String(), Type.Number()), usd: usd('its cost') })

export const DryRunReply = object(
  {
    object: Type.Literal('dry_run'),
    model: Type.String(),
    endpoint: Type.String(),
    stream: Type.Boolean(),
    estimate: object({ low: Guess, high: Guess }),
    hold_usd: usd('what would be set aside'),
    available_usd: usd('what can be set aside now'),
    balance_usd: usd('the balance'),
    card_version: Type.String(),
  },
  'DryRun',
)

const price = Type.String({ pattern: '^\\d+(\\.\\d+)?$' })

export const ModelReply = object(
  {
    id: Type.String({ description: 'send this as `model`' }),
    object: Type.Literal('model'),
    created: seconds('when it was added'),
    owned_by: Type.String({ description: 'the supply route' }),
    name: Type.String(),
    type: words(modelTypes),
    description: orNull(Type.String()),
    context_length: orNull(Type.Integer()),
    max_output_tokens: orNull(Type.Integer()),
    capabilities: object({}, undefined, 'what the model can do; an absent key does not apply'),
    is_free: Type.Boolean(),
    pricing: Type.Record(Type.String(), price, {
      description: 'decimal strings in dollars; the key says per what',
    }),
    pricing_unit: Type.String({ description: 'what most prices are counted in' }),
  },
  'Model',
)

export const ModelListReply = object(
  { object: Type.Literal('list'), data: Type.Array(ModelReply) },
  'ModelList',
)

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
      rpm_limit: count('requests per minute'),
      spend_limit_usd: orNull(usd('what the key may spend')),
      spent_usd: usd('what it has spent'),
      expires_at: orNull(seconds('when it expires')),
    }),
    limits: object({ concurrency: count(), max_request_kb: count() }),
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
    usd: usd('what was charged'),
    latency_ms: count(),
    first_byte_ms: orNull(count()),
    receipt: orNull(object({}), 'how the charge came about; null while it runs'),
    error: orNull(object({ type: orNull(Type.String()), code: Type.String() })),
  },
  'RequestStatus',
)

export const StatusReply = object({ status: Type.String() }, 'Status')
