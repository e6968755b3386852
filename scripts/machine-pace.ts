import { Worker } from 'node:worker_threads'

/** Work of tests, some hundred times: hashing, parsing and writing JSON. */
const work = `
const { parentPort } = require('node:worker_threads')
const bytes = Buffer.alloc(1 << 20, 7)
const rows = Array.from({ length: 2000 }, (_, no) => ({ no, text: 'word ' + no }))
parentPort.on('message', () => {
  for (let turn = 0; turn < 40; turn++) {
    new Bun.CryptoHasher('sha256').update(bytes).digest()
    JSON.parse(JSON.stringify(rows))
  }
  parentPort.postMessage('done')
})`

/** Two threads at a time do this work in so long, on two idle cores of 2023. */
const usualMs = 150
const tries = 5

/**
 * How many times as long two threads take here as on two idle cores: on one core, on slow ones, or beside other
 * programs.
 * @returns at least 1
 */
export async function measureSlowness(): Promise<number> {
  const threads = [0, 1].map(() => new Worker(work, { eval: true }))
  const turn = async () => {
    const began = performance.now()
    await Promise.all(
      threads.map((thread) => {
        const done = new Promise((resolve) => thread.once('message', resolve))
        thread.postMessage('begin', [])
        return done
      }),
    )
    return performance.now() - began
  }
  // Before it is compiled it is slower.
  await turn()
  const took: number[] = []
  for (let each = 0; each < tries; each++) took.push(await turn())
  await Promise.all(threads.map((thread) => thread.terminate()))
  const median = took.toSorted((a, b) => a - b)[Math.floor(tries / 2)] ?? usualMs
  return Math.max(1, Math.round((10 * median) / usualMs) / 10)
}
