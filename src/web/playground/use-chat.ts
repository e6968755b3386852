import { useEffect, useRef, useState } from 'react'
import { useLocale } from 'use-intl'
import type { AnswerPiece } from '../metered-call'
import {
  requestedOf,
  begun,
  messagesFor,
  withAnswer,
  type ChatAnswer,
  type Parameters,
  type Turn,
  type RequestedChat,
} from './chat-turns'
import { requestChat, costOf } from './own-calls'

/** A model of the conversation, and the efforts that it takes. */
export interface RequestedModel {
  readonly id: string
  readonly efforts: readonly string[]
}

/** Interval at which the page shows new text. */
const showMs = 60

interface ChatOptions {
  readonly keyId: number
  /** Told of what each answer has cost. */
  readonly onCost: (usd: string | null) => void
}

/** A conversation with one model or two; it is nowhere but in this page. */
export function useChat({ keyId, onCost }: ChatOptions) {
  const locale = useLocale()
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const stopping = useRef<AbortController | null>(null)
  const nextId = useRef(1)
  // Whoever leaves the page wants no more of it.
  useEffect(() => () => stopping.current?.abort(), [])

  const change = (id: number, side: number, with_: (answer: ChatAnswer) => Partial<ChatAnswer>) =>
    setTurns((all) => withAnswer(all, { id, side }, with_))

  const run = async (asked: RequestedChat, id: number, side: number, signal: AbortSignal) => {
    const shown = collect((piece) =>
      change(id, side, ({ text, thought }) => ({
        text: text + piece.text,
        thought: thought + piece.thought,
      })),
    )
    let requestId = ''
    try {
      const ended = await requestChat(
        asked,
        { key: keyId, locale, signal, onBegun: (given) => void (requestId = given) },
        shown.add,
      )
      shown.flush()
      change(id, side, () => ({ ...ended, state: 'done' }))
      onCost(ended.costUsd)
    } catch (thrown) {
      shown.flush()
      const state = signal.aborted ? 'stopped' : 'failed'
      change(id, side, () => ({ state, error: signal.aborted ? null : thrown, requestId }))
      // What was sent before is charged all the same.
      const costUsd = requestId === '' ? null : await costOf(requestId)
      change(id, side, () => ({ costUsd }))
      onCost(costUsd)
    }
  }

  const send = (question: string, models: readonly RequestedModel[], parameters: Parameters) => {
    const id = nextId.current++
    stopping.current = new AbortController()
    const { signal } = stopping.current
    setTurns([...turns, { id, question, answers: models.map((model) => begun(model.id)) }])
    const { system } = parameters
    for (const [side, model] of models.entries()) {
      const messages = messagesFor(turns, side, { system, question })
      void run(requestedOf(model.id, messages, parameters, model.efforts), id, side, signal)
    }
  }

  return {
    turns,
    isRunning: turns.some(({ answers }) => answers.some(({ state }) => state === 'running')),
    send,
    stop: () => stopping.current?.abort(),
    clear: () => {
      stopping.current?.abort()
      setTurns([])
    },
  }
}

/** Hands pieces on together, a few times a second: each costs a drawing of the page. */
function collect(onPiece: (piece: AnswerPiece) => void) {
  let waiting: AnswerPiece | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (waiting !== null) onPiece(waiting)
    waiting = null
  }
  return {
    add({ text, thought }: AnswerPiece) {
      waiting = {
        text: (waiting?.text ?? '') + text,
        thought: (waiting?.thought ?? '') + thought,
      }
      timer ??= setTimeout(flush, showMs)
    },
    flush,
  }
}
