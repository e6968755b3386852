declare const self: Worker

/** Answers orders of the thread that started this one. */
export const answerOrders = <Order, Answer>(run: (order: Order) => Promise<Answer>): void =>
  self.addEventListener('message', ({ data }: MessageEvent<Order>) => {
    void run(data).then(
      (answer) => postMessage(answer),
      (thrown: unknown) => {
        // Uncaught: the main thread is told what it was.
        setTimeout(() => {
          throw thrown
        })
      },
    )
  })
