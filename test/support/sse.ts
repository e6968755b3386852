/** The data of every event of a stream, in order; the terminator as `[DONE]`. */
export const eventsOf = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('data: '))
    .map((block) => block.slice(6))

interface StreamChunk {
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

/** The choices of every event, in order. */
export const choicesOf = (text: string): NonNullable<StreamChunk['choices']>[number][] =>
  chunksOf(text).flatMap((each) => each.choices ?? [])

/** All that a stream said in one member of its deltas. */
export const saidIn = (text: string, member: 'content' | 'reasoning_content'): string =>
  choicesOf(text)
    .map(({ delta }) => delta[member])
    .filter((piece) => typeof piece === 'string')
    .join('')

/** Reads a stream until this was said, and no further. */
export async function readUntil(response: Response, word: string): Promise<string> {
  if (response.body === null) throw new Error('no stream')
  const decoder = new TextDecoder()
  let got = ''
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    got += decoder.decode(piece, { stream: true })
    if (got.includes(word)) return got
  }
  throw new Error(`the stream ended before ${word}`)
}
