import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'

/** Longer than any checkpoint or read; a thread that has not ended by then is left behind. */
const longestEndMs = 10_000

/**
 * Starts a thread of little memory. The executable has its file as an entry point.
 * @throws Error without enough descriptors: the runtime (1.4.5) ends the whole process when a thread
 *   that starts gets none
 */
export function startThread(file: URL): Worker {
  probeDescriptors()
  return new Worker(file, { ref: false, smol: true })
}

/** A thread needs about a dozen; others open theirs meanwhile. */
const probedDescriptors = 32

function probeDescriptors(): void {
  const opened: number[] = []
  try {
    while (opened.length < probedDescriptors) opened.push(openSync(devNull, 'r'))
  } finally {
    for (const descriptor of opened) closeSync(descriptor)
  }
}

/** Message to a thread: `ended` becomes 1 once its connection is closed. */
export interface EndOrder {
  readonly order: 'end'
  readonly ended: Int32Array
}

/** Returns when the thread has closed its connection. */
export function endThread(thread: Worker): void {
  const ended = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  thread.postMessage({ order: 'end', ended } satisfies EndOrder, [])
  Atomics.wait(ended, 0, 0, longestEndMs)
}

/** In the thread: closes, tells so and ends. */
export function endSelf({ ended }: EndOrder, close: () => void): never {
  try {
    close()
  } finally {
    Atomics.store(ended, 0, 1)
    Atomics.notify(ended, 0)
    process.exit(0)
  }
}
