import type { Usage } from '../../../domain/usage'
import { eventOf } from '../chat/events'
import { wireUsage } from '../chat/usage'
import type { Fields } from '../../json/fields'
import type { FinishReason, ReplyIdentity } from '../chat/wire'
import type { DeltaRenderer, HubReply } from '../hub'
import { promptOf, type CompletionsBody } from './schema'

/** @see openai/openai-openapi `CreateCompletionResponse`, 2.3.0 of 2026-08-21; chunks have the same shape */
const object = 'text_completion'

/** The format knows of no calls of tools. */
const finishOf = (reason: FinishReason): FinishReason => (reason === 'tool_calls' ? 'stop' : reason)

const choiceOf = (index: number, text: string, finish: FinishReason | null): Fields => ({
  text,
  index,
  logprobs: null,
  finish_reason: finish,
})

const echoOf = (body: CompletionsBody): string => (body.echo === true ? promptOf(body) : '')

/** A whole answer as a text. @param usage charged usage */
export function renderCompletion(
  body: CompletionsBody,
  reply: HubReply,
  { id, created, model }: ReplyIdentity,
  usage: Usage,
): string {
  const choices = reply.choices.map(({ text, refusal, finish }, index) =>
    choiceOf(index, echoOf(body) + (text ?? '') + (refusal ?? ''), finishOf(finish)),
  )
  return JSON.stringify({ id, object, created, model, choices, usage: wireUsage(usage) })
}

/** Deltas as events of the old format. */
export function openCompletionsRenderer(
  body: CompletionsBody,
  { id, created, model }: ReplyIdentity,
): DeltaRenderer {
  /** By choice: true once finished. */
  const choices = new Map<number, boolean>()
  const chunk = (members: Fields): string => eventOf({ id, object, created, model, ...members })

  const say = (index: number, text: string, finish: FinishReason | null): string => {
    const before = choices.get(index)
    if (before === true) return ''
    choices.set(index, finish !== null)
    const said = before === undefined ? echoOf(body) + text : text
    return chunk({ choices: [choiceOf(index, said, finish)], usage: null })
  }

  return {
    render: (deltas) =>
      deltas
        .map((delta) => {
          if (delta.type === 'text' || delta.type === 'refusal')
            return say(delta.choice, delta.text, null)
          return delta.type === 'finish' ? say(delta.choice, '', finishOf(delta.reason)) : ''
        })
        .join(''),
    close({ error, usage, costUsd }) {
      let out = error === null ? '' : eventOf(error)
      if (error === null) {
        if (choices.size === 0) out += say(0, '', 'stop')
        for (const [index, over] of choices) if (!over) out += say(index, '', 'stop')
      }
      return `${out}${chunk({ choices: [], usage: wireUsage(usage), cost_usd: costUsd })}data: [DONE]\n\n`
    },
  }
}
