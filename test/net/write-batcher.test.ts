import { describe, expect, test } from 'bun:test'
import { maxTogether, openTurn } from '../../src/gateway/net/write-batcher'

const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve, 0))

describe('a turn', () => {
  test('does at its end what was handed in, in order, and then says that it is over', async () => {
    const turn = openTurn()
    const seen: string[] = []
    turn.atEnd(() => seen.push('first'))
    const over = turn.over().then(() => seen.push('over'))
    turn.atEnd(() => seen.push('second'))
    await Promise.resolve()
    expect(seen).toEqual([])
    await over
    expect(seen).toEqual(['first', 'second', 'over'])
  })

  test('is followed by another', async () => {
    const turn = openTurn()
    const seen: number[] = []
    for (let at = 0; at < 3; at++) {
      turn.atEnd(() => seen.push(at))
      await turn.over()
      expect(seen).toHaveLength(at + 1)
    }
  })

  test('with much to do does not let the first wait for the last', async () => {
    const turn = openTurn()
    let done = 0
    for (let at = 0; at < 2 * maxTogether + 1; at++) turn.atEnd(() => done++)
    expect(done).toBe(2 * maxTogether)
    await nextTurn()
    expect(done).toBe(2 * maxTogether + 1)
  })

  test('that many wait for is over for all of them', async () => {
    const turn = openTurn()
    let over = 0
    for (let at = 0; at < 3 * maxTogether - 1; at++) void turn.over().then(() => over++)
    await Promise.resolve()
    expect(over).toBe(2 * maxTogether)
    await nextTurn()
    expect(over).toBe(3 * maxTogether - 1)
  })

  test('takes in what its own end hands in', async () => {
    const turn = openTurn()
    const seen: string[] = []
    turn.atEnd(() => {
      seen.push('first')
      turn.atEnd(() => seen.push('of the end'))
    })
    await turn.over()
    await nextTurn()
    expect(seen).toEqual(['first', 'of the end'])
  })
})
