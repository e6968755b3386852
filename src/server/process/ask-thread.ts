import { startThread } from '../../storage/worker-thread'

/**
 * Gives work to a thread of its own, and takes its one answer.
 * @throws Error where the thread cannot begin, fails or does not end in time
 */
export async function requestThread<Order, Answer>(
  file: URL,
  order: Order,
  { what, maxMs }: { readonly what: string; readonly maxMs: number },
): Promise<Answer> {
  const thread = startThread(file)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const timer = setTimeout(() => reject(new Error(`the ${what} does not end`)), maxMs)
  timer.unref()
  thread.addEventListener('message', ({ data }: MessageEvent<Answer>) => resolve(data))
  thread.addEventListener('error', (event) => {
    event.preventDefault()
    reject(new Error(event.message))
  })
  thread.addEventListener('close', () => reject(new Error('the thread has ended')))
  thread.postMessage(order, [])
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    thread.terminate()
  }
}
