interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Question with all that was said before it. */
export interface RequestedChat {
  readonly model: string
  readonly messages: readonly Message[]
  /** 0 to 2; null leaves it to the model, as the others. */
  readonly temperature: number | null
  readonly maxTokens: number | null
  readonly effort: string | null
}

/** One model's answer to a question, as far as it has come. */
export interface ChatAnswer {
  readonly model: string
  readonly text: string
  readonly thought: string
  readonly state: 'running' | 'done' | 'stopped' | 'failed'
  /** Why it failed. */
  readonly error: unknown
  readonly requestId: string
  readonly costUsd: string | null
}

/** Turn of a conversation: a question, and each model's answer to it. */
export interface Turn {
  readonly id: number
  readonly question: string
  /** In the order of the models: one, or two side by side. */
  readonly answers: readonly ChatAnswer[]
}

/** Parameters of a chat request; null leaves one to the model. */
export interface Parameters {
  readonly system: string
  readonly temperature: number | null
  readonly maxTokens: number | null
  readonly effort: string | null
}

/** An answer that has not begun to arrive. */
export const begun = (model: string): ChatAnswer => ({
  model,
  text: '',
  thought: '',
  state: 'running',
  error: null,
  requestId: '',
  costUsd: null,
})

/** The turns with one answer of them changed; a turn that is gone stays gone. */
export const withAnswer = (
  turns: readonly Turn[],
  { id, side }: { readonly id: number; readonly side: number },
  change: (answer: ChatAnswer) => Partial<ChatAnswer>,
): readonly Turn[] =>
  turns.map((turn) =>
    turn.id === id
      ? {
          ...turn,
          answers: turn.answers.map((answer, at) =>
            at === side ? { ...answer, ...change(answer) } : answer,
          ),
        }
      : turn,
  )

/**
 * Messages for a model: the conversation as it went on its own side. A question that it has not
 * answered is left out with its answer.
 * @param side 0, or 1 for the second model
 */
export function messagesFor(
  turns: readonly Turn[],
  side: number,
  { system, question }: { readonly system: string; readonly question: string },
): readonly Message[] {
  const before = turns.flatMap(({ question: asked, answers }): readonly Message[] => {
    const text = answers[side]?.text ?? ''
    return text === ''
      ? []
      : [
          { role: 'user', content: asked },
          { role: 'assistant', content: text },
        ]
  })
  const rules: readonly Message[] =
    system.trim() === '' ? [] : [{ role: 'system', content: system }]
  return [...rules, ...before, { role: 'user', content: question }]
}

/** The question for one model, with the parameters that it takes. @param efforts that the model has */
export const requestedOf = (
  model: string,
  messages: readonly Message[],
  { temperature, maxTokens, effort }: Parameters,
  efforts: readonly string[],
): RequestedChat => ({
  model,
  messages,
  temperature,
  maxTokens,
  effort: effort !== null && efforts.includes(effort) ? effort : null,
})
