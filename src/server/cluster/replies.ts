interface Patience<Answer> {
  readonly ms: number
  /** What the answer is taken for after that. */
  readonly answer: Answer
}

/** Questions to other processes that wait for their answers, by a number that both have. */
export class Replies<Answer> {
  readonly #waiting = new Map<number, (answer: Answer) => void>()
  #last = 0

  /** @param send sends the question, with its number */
  async ask(send: (no: number) => void, patience: Patience<Answer>): Promise<Answer> {
    const no = ++this.#last
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const timer = setTimeout(resolve, patience.ms, patience.answer)
    this.#waiting.set(no, resolve)
    try {
      send(no)
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(no)
    }
  }

  /** An answer came; nothing happens where nobody waits for it any more. */
  answer(no: number, answer: Answer): void {
    this.#waiting.get(no)?.(answer)
  }
}
