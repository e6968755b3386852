/** The data of every event of a stream, in order; the terminator as `[DONE]`. */
export const eventsOf = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice(6))

export interface StreamChunk {
  readonly id: string
  readonly object: string
  readonly model: string
  readonly choices?: readonly {
    readonly index: number
    readonly delta: Readonly<Record<string, unknown>>
    readonly finish_reason: string | null
  }[]
  readonly usage?: Readonly<Record<string, unknown>>
  readonly cost_usd?: string
  readonly error?: { readonly code: string; readonly message: string; readonly type: string }
}

/** Every event but the terminator, parsed. */
export const chunksOf = (text: string): StreamChunk[] =>
  eventsOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as StreamChunk)
