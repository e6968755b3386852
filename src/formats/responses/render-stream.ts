import type { Fields } from '../../json/fields'
import type { FinishReason, ReplyIdentity } from '../chat/wire'
import type { Delta, DeltaRenderer } from '../hub'
import { openCompactionOutput } from './compaction-answer'
import { errorMembers, openEventLines, type EventLines } from './event-line'
import { openOutput, type Output } from './open-output'
import { clientTools } from './parse-tools'
import { responseObject, statusOf, type ResponseState } from './response-object'
import type { ResponsesBody } from './schema'
import type { Seal } from './sealed-items'

/** Deltas as events of the Responses format. */
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

function openRenderer(
  body: ResponsesBody,
  identity: ReplyIdentity,
  open: (lines: EventLines) => Output,
): DeltaRenderer {
  const lines = openEventLines()
  const output = open(lines)
  let started = false
  let finish: FinishReason | null = null

  const object = (state: Partial<ResponseState>): Fields =>
    responseObject(body, identity, {
      status: 'in_progress',
      output: [],
      usage: null,
      finish,
      ...state,
    })

  const start = (): string => {
    if (started) return ''
    started = true
    const response = object({})
    return (
      lines.event('response.created', { response }) +
      lines.event('response.in_progress', { response })
    )
  }

  const renderOne = (delta: Delta): string => {
    switch (delta.type) {
      case 'text':
        return output.say('text', delta.text, delta.logprobs)
      case 'refusal':
      case 'reasoning':
        return output.say(delta.type, delta.text)
      case 'annotation':
        return output.annotate(delta.annotation)
      case 'tool-start':
        return output.toolStart(delta.tool, delta.id, delta.name)
      case 'tool-arguments':
        return output.toolArguments(delta.tool, delta.text)
      case 'finish':
        finish = delta.reason
        return output.close(finish === 'length' || finish === 'content_filter')
    }
    return ''
  }

  const { sent } = output
  return {
    ...(sent === undefined ? {} : { sent }),
    render(deltas) {
      let out = ''
      for (const delta of deltas)
        // The format gives one answer.
        if (delta.type !== 'usage' && delta.choice === 0 && finish === null)
          out += start() + renderOne(delta)
      return out
    },
    begin: start,
    close({ error, usage, costUsd }) {
      const before = start()
      if (error !== null) {
        const members = errorMembers(error)
        const { code, message } = members
        // Nothing that is open is closed: clients run what they take for a whole call.
        const failed = object({
          status: 'failed',
          output: output.items(),
          usage,
          error: { code: code ?? 'server_error', message },
        })
        return (
          before +
          lines.event('error', members) +
          lines.event('response.failed', { response: failed, cost_usd: costUsd })
        )
      }
      const status = statusOf(finish)
      const rest = output.close(status === 'incomplete')
      const response = object({ status, output: output.items(), usage })
      return before + rest + lines.event(`response.${status}`, { response, cost_usd: costUsd })
    },
  }
}
