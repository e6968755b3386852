import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import type { Ms } from '../../domain/clock'
import type { RequestId } from '../../domain/ids'
import type { EndpointName, VendorConfig } from '../../domain/model'
import { nanosPerUsd } from '../../domain/money'
import type { CallEnding, CallOpening } from '../../domain/record'
import { cachedTokens, inputTokens, outputTokens } from '../../domain/usage'
import { codes, recordedStatus } from '../../errors/codes'
import type { CallObserver, ObservedRequest, VendorAttempt } from './call-observer'

/**
 * Each call as a trace, made when it is over: a server span, and a client span for each vendor that
 * was asked, with the attributes of the conventions for generative AI. What was said is not known
 * here, nor by which key and from where.
 * @param now when a refused request was answered
 */
export function openCallSpans(tracer: Tracer, now: () => Ms): CallObserver {
  /** Of calls that are not over. */
  const asked = new Map<RequestId, VendorAttempt[]>()

  const serverSpan = (request: ObservedRequest): Span =>
    tracer.startSpan(
      `${request.method} ${request.path}`,
      { kind: SpanKind.SERVER, startTime: request.received },
      parentOf(request),
    )

  return {
    attempted(attempt, { requestId }) {
      const attempts = asked.get(requestId)
      if (attempts === undefined) asked.set(requestId, [attempt])
      else attempts.push(attempt)
    },
    ended(opening, ending, request) {
      const attempts = asked.get(opening.id) ?? []
      asked.delete(opening.id)
      const span = serverSpan(request)
      // Most are not, where only a share is taken.
      if (!span.isRecording()) return
      const over = (opening.created + ending.latencyMs) as Ms
      const status = statusOf(opening, ending)
      span.setAttributes(requestAttributes(request, opening.endpoint, status))
      span.setAttributes(endingAttributes(opening, ending))
      const parent = trace.setSpan(ROOT_CONTEXT, span)
      for (const attempt of attempts)
        attemptSpan(tracer, { attempt, opening, ending, parent, over })
      markFailed(span, ending.error)
      span.end(over)
    },
    refused({ error, endpoint, held }, request) {
      // Who has no key is nobody's call, and whoever guesses at addresses would fill the queue.
      if (held || endpoint === null) return
      const { status } = codes[error.code]
      const span = serverSpan(request)
      span.setAttributes(requestAttributes(request, endpoint, status))
      markFailed(span, error.code)
      span.end(now())
    },
  }
}

const propagator = new W3CTraceContextPropagator()
/** Only the two ids and the flag: `tracestate` could hold any words of a client's. */
const reader = {
  get: (headers: ObservedRequest['headers'], name: string) =>
    name === 'traceparent' ? (headers.get(name) ?? undefined) : undefined,
  keys: () => [],
}

const parentOf = ({ headers }: ObservedRequest): Context =>
  headers.get('traceparent') === null
    ? ROOT_CONTEXT
    : propagator.extract(ROOT_CONTEXT, headers, reader)

interface AttemptParts {
  readonly attempt: VendorAttempt
  readonly opening: CallOpening
  readonly ending: CallEnding
  readonly parent: Context
  readonly over: Ms
}

/** An attempt that was answered goes on until the call is over. */
function attemptSpan(tracer: Tracer, { attempt, opening, ending, parent, over }: AttemptParts) {
  const { route, config, began, failed, error } = attempt
  const answered = failed === null
  const attributes: Attributes = {
    ...operation(opening.endpoint),
    'gen_ai.provider.name': providerOf(config),
    'gen_ai.request.model': route.vendorModel,
    'chapar.vendor': config.name,
    ...(answered ? answerAttributes(attempt, opening, ending) : {}),
  }
  const name = `${operations[opening.endpoint]} ${route.vendorModel}`
  const options = { kind: SpanKind.CLIENT, startTime: began, attributes }
  const span = tracer.startSpan(name, options, parent)
  // That the money ended, or the client left, is not the vendor's failure.
  if (answered) markFailed(span, ending.error)
  else markFailed(span, error?.code ?? null, 400)
  span.end(failed ?? over)
}

/** Operation names of the conventions by endpoint: every one that answers text as chat does is `chat`. */
const operations: Readonly<Record<EndpointName, string>> = {
  realtime: 'realtime',
  chat: 'chat',
  messages: 'chat',
  responses: 'chat',
  compact: 'chat',
  completions: 'text_completion',
  embeddings: 'embeddings',
  moderations: 'moderations',
  images: 'image_generation',
  transcriptions: 'transcription',
  translations: 'translation',
  speech: 'speech_generation',
  music: 'music_generation',
  videos: 'video_generation',
}

const operation = (endpoint: EndpointName): Attributes => ({
  'gen_ai.operation.name': operations[endpoint],
})

const requestAttributes = (
  { requestId, method, path }: ObservedRequest,
  endpoint: EndpointName,
  status: number | null,
): Attributes => ({
  ...operation(endpoint),
  'gen_ai.response.id': requestId,
  'http.request.method': method,
  'http.route': path,
  ...(status === null ? {} : { 'http.response.status_code': status }),
})

function endingAttributes(opening: CallOpening, ending: CallEnding): Attributes {
  const attributes: Attributes = {
    'gen_ai.request.model': opening.model,
    'chapar.stream': opening.streamed,
    'chapar.status': ending.status,
    'chapar.cost_usd': ending.cost / nanosPerUsd,
  }
  if (ending.vendor !== null) attributes['chapar.vendor'] = ending.vendor
  if (ending.firstByteMs !== null)
    attributes['chapar.first_byte_seconds'] = ending.firstByteMs / 1000
  for (const [meter, units] of Object.entries(ending.usage.units))
    attributes[`chapar.usage.${meter}`] = units
  return attributes
}

/** On the span of the vendor alone, as the conventions have it: tokens are not to be added up twice. */
function answerAttributes(
  { began }: VendorAttempt,
  { created, streamed }: CallOpening,
  { usage, firstByteMs }: CallEnding,
): Attributes {
  const { cache_write_5m: short = 0, cache_write_1h: long = 0 } = usage.units
  const attributes: Attributes = {
    'gen_ai.usage.input_tokens': inputTokens(usage),
    'gen_ai.usage.output_tokens': outputTokens(usage),
    'gen_ai.usage.cache_read.input_tokens': cachedTokens(usage),
    'gen_ai.usage.cache_creation.input_tokens': short + long,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
  }
  if (streamed && firstByteMs !== null)
    attributes['gen_ai.response.time_to_first_chunk'] = (created + firstByteMs - began) / 1000
  return attributes
}

/** Marks a span as failed; a client's fault is no failure, but has its code. */
function markFailed(span: Span, code: string | null, failsFrom = 500): void {
  if (code === null) return
  span.setAttribute('error.type', code)
  if ((recordedStatus(code) ?? failsFrom) >= failsFrom)
    span.setStatus({ code: SpanStatusCode.ERROR })
}

/** HTTP status of the answer; null when the client had left. */
function statusOf({ streamed }: CallOpening, ending: CallEnding): number | null {
  if (ending.status === 'success' || (streamed && ending.firstByteMs !== null)) return 200
  return ending.error === null ? null : recordedStatus(ending.error)
}

/** Names that the conventions know, where they differ from ours. */
const providers: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

/** Provider by wire format, not by the operator's name of it. */
function providerOf({ kind, dialect, name }: VendorConfig): string {
  const known = kind === 'openai' ? (dialect === 'generic' ? name : dialect) : kind
  return providers[known] ?? known
}
