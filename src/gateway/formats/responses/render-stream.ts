import type { Fields } from '../../json/fields'
import type { FinishReason, ReplyIdentity } from '../chat/wire'
import type { Delta, DeltaRenderer, RenderedEnd } from '../hub'
import { openCompactionOutput } from './compaction-answer'
import { errorMembers, openEventLines, type EventLines } from './event-line'
import { openOutput, type Output } from './open-output'
import { clientTools } from './parse-tools'
import { responseObject, statusOf, type ResponseState } from './response-object'
import type { ResponsesBody } from './schema'
import type { Seal } from './sealed-items'

/**
 * Deltas as events of the Responses format (openai/openai-openapi `ResponseStreamEvent`, 2.3.0 of
 * 2026-08-21).
 */
export const openResponsesRenderer = (
  body: ResponsesBody,
  identity: ReplyIdentity,
): DeltaRenderer =>
  openRenderer(body, identity, (lines) =>
    openOutput({ identity, lines, toolOf: clientTools(body) }),
  )

/** Deltas of a summary as the events of a compaction. */
export const openCompactionRenderer = (
  body: ResponsesBody,
  identity: ReplyIdentity,
  seal: Seal,
): DeltaRenderer =>
  openRenderer(body, identity, (lines) => openCompactionOutput({ identity, lines, seal }))

const openRenderer = (
  body: ResponsesBody,
  identity: ReplyIdentity,
  open: (lines: EventLines) => Output,
): DeltaRenderer => new ResponsesRenderer(body, identity, open)

class ResponsesRenderer implements DeltaRenderer {
  /** As of the output, where that knows. */
  readonly sent?: () => boolean
  readonly #body: ResponsesBody
  readonly #identity: ReplyIdentity
  readonly #lines = openEventLines()
  readonly #output: Output
  #started = false
  #finish: FinishReason | null = null

  constructor(body: ResponsesBody, identity: ReplyIdentity, open: (lines: EventLines) => Output) {
    this.#body = body
    this.#identity = identity
    this.#output = open(this.#lines)
    const { sent } = this.#output
    if (sent !== undefined) this.sent = sent
  }

  render(deltas: readonly Delta[]): string {
    let out = ''
    for (const delta of deltas)
      // The format gives one answer.
      if (delta.type !== 'usage' && delta.choice === 0 && this.#finish === null)
        out += this.begin() + this.#renderOne(delta)
    return out
  }

  begin(): string {
    if (this.#started) return ''
    this.#started = true
    const response = this.#object({})
    return (
      this.#lines.event('response.created', { response }) +
      this.#lines.event('response.in_progress', { response })
    )
  }

  close({ error, usage, costUsd }: RenderedEnd): string {
    const before = this.begin()
    if (error !== null) return before + this.#failure({ error, usage, costUsd })
    const status = statusOf(this.#finish)
    const rest = this.#output.close(status === 'incomplete')
    const response = this.#object({ status, output: this.#output.items(), usage })
    const members = { response, cost_usd: costUsd }
    return before + rest + this.#lines.event(`response.${status}`, members)
  }

  #object(state: Partial<ResponseState>): Fields {
    return responseObject(this.#body, this.#identity, {
      status: 'in_progress',
      output: [],
      usage: null,
      finish: this.#finish,
      ...state,
    })
  }

  #renderOne(delta: Delta): string {
    switch (delta.type) {
      case 'text':
        return this.#output.say('text', delta.text, delta.logprobs)
      case 'refusal':
      case 'reasoning':
        return this.#output.say(delta.type, delta.text)
      case 'annotation':
        return this.#output.annotate(delta.annotation)
      case 'tool-start':
        return this.#output.toolStart(delta.tool, delta.id, delta.name)
      case 'tool-arguments':
        return this.#output.toolArguments(delta.tool, delta.text)
      case 'finish':
        this.#finish = delta.reason
        return this.#output.close(delta.reason === 'length' || delta.reason === 'content_filter')
    }
    return ''
  }

  /** Nothing that is open is closed: clients run what they take for a whole call. */
  #failure({ error, usage, costUsd }: RenderedEnd): string {
    const members = errorMembers(error)
    const { code, message } = members
    const response = this.#object({
      status: 'failed',
      output: this.#output.items(),
      usage,
      error: { code: code ?? 'server_error', message },
    })
    return (
      this.#lines.event('error', members) +
      this.#lines.event('response.failed', { response, cost_usd: costUsd })
    )
  }
}
