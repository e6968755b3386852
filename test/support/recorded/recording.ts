/** A call that an answer asks for. */
interface RecordedCall {
  readonly name: string
  readonly arguments: string
}

/** One vendor's stream, event for event as it stands on the wire, and what it says. */
export interface Recording {
  readonly title: string
  /** The dialect row of the vendor that speaks so. */
  readonly dialect: string
  /** Everything between two blank lines, comments and odd events included. */
  readonly events: readonly string[]
  readonly says: {
    readonly text: string
    readonly reasoning?: string
    readonly calls?: readonly RecordedCall[]
    readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
    /** In the reference's words; cached inside prompt, reasoning inside completion. */
    readonly usage: {
      readonly prompt: number
      readonly completion: number
      readonly cached: number
      readonly reasoning: number
    }
  }
}

/** Names no vendor may show our client. */
interface Envelope {
  readonly id: string
  readonly object?: string
  readonly created: number
  readonly model: string
  readonly [extra: string]: unknown
}

export const sse = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const done = 'data: [DONE]\n\n'

/** Events of one choice in one envelope. */
export function choiceEvents(envelope: Envelope) {
  const whole = { object: 'chat.completion.chunk', ...envelope }
  return (
    delta: object,
    finish: string | null = null,
    beside: { readonly choice?: object; readonly chunk?: object } = {},
  ): string =>
    sse({
      ...whole,
      choices: [{ index: 0, delta, finish_reason: finish, ...beside.choice }],
      ...beside.chunk,
    })
}
