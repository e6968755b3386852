/** What one end of a socket asks the other, by their numbers. */
export class Questions {
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #no = 0
  #gone: Error | null = null

  /** @param send takes its number to the other end @throws Error when the other end is gone, or refuses */
  ask(send: (no: number) => void): Promise<unknown> {
    if (this.#gone !== null) return Promise.reject(this.#gone)
    const no = ++this.#no
    const waiting = Promise.withResolvers<unknown>()
    this.#waiting.set(no, waiting)
    send(no)
    return waiting.promise
  }

  answered(no: number, body: unknown): void {
    this.#waiting.get(no)?.resolve(body)
    this.#waiting.delete(no)
  }

  failed(no: number, why: string): void {
    this.#waiting.get(no)?.reject(new Error(why))
    this.#waiting.delete(no)
  }

  close(gone: Error): void {
    this.#gone = gone
    for (const { reject } of this.#waiting.values()) reject(gone)
    this.#waiting.clear()
  }
}

/** Answers what the other end asks; of what is only told nobody waits for an answer. */
export type AnswersPeer = (topic: string, body: unknown) => Promise<unknown>

/** What of a message is a question, an answer, or news. */
export type Asked =
  | { readonly kind: 'ask'; readonly no: number; readonly topic: string; readonly body: unknown }
  | { readonly kind: 'told'; readonly no: number; readonly body: unknown }
  | { readonly kind: 'refused'; readonly no: number; readonly why: string }

/** Number of a question that wants no answer. */
export const newsNo = 0

/** Takes a message that is a question or an answer. @param say sends to the other end */
export async function answerAsked(
  message: Asked,
  questions: Questions,
  answering: AnswersPeer,
  say: (message: Asked) => void,
): Promise<void> {
  if (message.kind === 'told') return questions.answered(message.no, message.body)
  if (message.kind === 'refused') return questions.failed(message.no, message.why)
  const { no, topic, body } = message
  try {
    const told = await answering(topic, body)
    if (no !== newsNo) say({ kind: 'told', no, body: told ?? null })
  } catch (fault) {
    const why = fault instanceof Error ? fault.message : 'it was not answered'
    if (no !== newsNo) say({ kind: 'refused', no, why })
  }
}
