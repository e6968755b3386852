import { Type } from '@sinclair/typebox'
import {
  count,
  finishReasons,
  object,
  nullable,
  requestId,
  seconds,
  usd,
  words,
} from './schema-parts'

/* What the routes answer that ask vendors. A title names a schema in the document. */

const TokenUsage = object(
  {
    prompt_tokens: count(),
    completion_tokens: count(),
    total_tokens: count(),
    prompt_tokens_details: object({
      cached_tokens: count(),
      cache_write_tokens: Type.Optional(count()),
    }),
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
          content: nullable(Type.String()),
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
          content: Type.Optional(nullable(Type.String())),
        }),
        finish_reason: nullable(words(finishReasons)),
      }),
      { description: 'empty in the event before the terminator, which holds `usage`' },
    ),
    usage: Type.Optional(nullable(TokenUsage)),
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
    stop_reason: nullable(Type.String()),
    stop_sequence: nullable(Type.String()),
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
    usage: nullable(
      object({ input_tokens: count(), output_tokens: count(), total_tokens: count() }),
    ),
  },
  'Response',
)

export const CompactionReply = object(
  {
    id: Type.String({ pattern: '^resp_', description: '`GET /v1/requests/{id}` knows it too' }),
    object: Type.Literal('response.compaction'),
    created_at: seconds('when it was made'),
    output: Type.Array(Block, { description: 'messages of the user, then an item `compaction`' }),
    usage: nullable(
      object({ input_tokens: count(), output_tokens: count(), total_tokens: count() }),
    ),
  },
  'Compaction',
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
        finish_reason: nullable(words(finishReasons)),
      }),
    ),
    usage: nullable(TokenUsage),
  },
  'Completion',
)

export const EmbeddingsListReply = object(
  {
    object: Type.Literal('list'),
    data: Type.Array(
      object({
        object: Type.Literal('embedding'),
        index: count(),
        embedding: Type.Union([Type.Array(Type.Number()), Type.String()]),
      }),
    ),
    model: Type.String(),
    usage: object({ prompt_tokens: count(), total_tokens: count() }),
  },
  'EmbeddingList',
)

export const ModerationsReply = object(
  {
    id: requestId,
    model: Type.String(),
    results: Type.Array(
      object({
        flagged: Type.Boolean(),
        categories: object({}, undefined, 'category → whether'),
        category_scores: object({}, undefined, 'category → how likely, from 0 to 1'),
      }),
    ),
  },
  'ModerationResults',
)

export const ImagesObject = object(
  { created: seconds('when it was made'), data: Type.Array(object({ b64_json: Type.String() })) },
  'ImageList',
)

export const ImagesEvent = object(
  {
    type: words(['image_generation.partial_image', 'image_generation.completed']),
    b64_json: Type.String(),
    partial_image_index: Type.Optional(count()),
    cost_usd: Type.Optional(usd('what was charged; in the last event')),
  },
  'ImageEvent',
)

const AudioUsage = Type.Union([
  object({ type: Type.Literal('duration'), seconds: Type.Number() }),
  object({
    type: Type.Literal('tokens'),
    input_tokens: count(),
    output_tokens: count(),
    total_tokens: count(),
  }),
])

export const TranscriptReply = object({ text: Type.String(), usage: AudioUsage }, 'Transcript')

export const VerboseTranscript = object(
  {
    task: words(['transcribe', 'translate']),
    language: Type.String({ description: 'its English name' }),
    duration: Type.Number({ description: 'in seconds' }),
    text: Type.String(),
    segments: Type.Optional(
      Type.Array(object({ start: Type.Number(), end: Type.Number(), text: Type.String() })),
    ),
    words: Type.Optional(
      Type.Array(object({ word: Type.String(), start: Type.Number(), end: Type.Number() })),
    ),
    usage: AudioUsage,
  },
  'VerboseTranscript',
)

export const MusicReply = object(
  {
    id: requestId,
    object: Type.Literal('music.generation'),
    model: Type.String(),
    text: Type.String({ description: 'words that are sung, or a description; may be empty' }),
    data: Type.Array(
      object({
        b64_json: Type.String({ description: 'the whole file' }),
        format: words(['mp3', 'wav']),
        bytes: count('of the file'),
      }),
    ),
  },
  'MusicGeneration',
)

export const TokenCountReply = object({ input_tokens: count() }, 'TokenCount')

const Guess = object({ units: Type.Record(Type.String(), Type.Number()), usd: usd('its cost') })

export const DryRunReply = object(
  {
    object: Type.Literal('dry_run'),
    model: Type.String(),
    fallbacks: Type.Optional(
      Type.Array(Type.String(), { description: 'models that are asked where it gives no answer' }),
    ),
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
