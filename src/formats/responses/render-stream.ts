import type { Fields, FinishReason, ReplyIdentity } from '../chat/wire'
import type { Delta, DeltaRenderer } from '../hub'
import { errorMembers, openEventLines } from './event-line'
import { openOutput } from './open-output'
import { clientTools } from './parse-tools'
import { responseObject, statusOf, type ResponseState } from './response-object'
import type { ResponsesBody } from './schema'

/** Deltas as events of the Responses format. */
export function openResponsesRenderer(body: ResponsesBody, identity: ReplyIdentity): DeltaRenderer {
  const lines = openEventLines()
  const output = openOutput({ identity, lines, toolOf: clientTools(body) })
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

  return {
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
        const rest = output.close(true)
        const failed = object({
          status: 'failed',
          output: output.items(),
          usage,
          error: { code: code ?? 'server_error', message },
        })
        return (
          before +
          rest +
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
