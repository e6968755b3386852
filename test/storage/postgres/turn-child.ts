/** A thread that takes turns as the stores do, and notes who works meanwhile. */
import { SessionTurns, type TurnMemory } from '../../../src/storage/postgres/session-turns'

declare const self: Worker

export interface TurnOrder {
  readonly turns: TurnMemory
  /** How many work at this moment, and how many did at most. */
  readonly working: Int32Array<SharedArrayBuffer>
  readonly rounds: number
}

self.addEventListener('message', ({ data }: MessageEvent<TurnOrder>) => {
  const turns = new SessionTurns(data.turns, 'stores')
  for (let round = 0; round < data.rounds; round++) {
    turns.take()
    const together = Atomics.add(data.working, 0, 1) + 1
    if (together > Atomics.load(data.working, 1)) Atomics.store(data.working, 1, together)
    if (round % 50 === 0) Bun.sleepSync(1)
    Atomics.sub(data.working, 0, 1)
    turns.give()
  }
  postMessage('over')
})
