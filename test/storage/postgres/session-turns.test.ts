import { expect, test } from 'bun:test'
import { openTurnMemory, SessionTurns } from '../../../src/storage/postgres/session-turns'
import type { TurnOrder } from './turn-child'

const stores = new URL('./turn-child.ts', import.meta.url)

test('a thread and this one never work together, and neither is left out', async () => {
  const turns = openTurnMemory()
  const working = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const chores = new SessionTurns(turns, 'chores')
  const thread = new Worker(stores)
  const over = Promise.withResolvers<void>()
  thread.addEventListener('message', () => over.resolve())
  thread.postMessage({ turns, working, rounds: 5000 } satisfies TurnOrder, [])
  const state = { isOver: false, own: 0 }
  void over.promise.then(() => (state.isOver = true))
  while (!state.isOver) {
    await chores.taken()
    expect(Atomics.add(working, 0, 1)).toBe(0)
    await Bun.sleep(state.own++ % 20 === 0 ? 1 : 0)
    Atomics.sub(working, 0, 1)
    chores.give()
  }
  thread.terminate()
  expect(Atomics.load(working, 1)).toBe(1)
  expect(state.own).toBeGreaterThan(100)
})

test('nobody waits once the process lets go of its database, or a lost thread has given back', async () => {
  for (const end of ['end', 'give'] as const) {
    const turns = openTurnMemory()
    const [lost, waits] = [new SessionTurns(turns, 'stores'), new SessionTurns(turns, 'chores')]
    lost.take()
    const seen: string[] = []
    const waiting = waits.taken().then(() => seen.push('taken'))
    await Bun.sleep(20)
    seen.push(end)
    new SessionTurns(turns, 'stores')[end]()
    await waiting
    expect(seen).toEqual([end, 'taken'])
  }
})
