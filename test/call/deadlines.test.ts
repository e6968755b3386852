import { expect, test } from 'bun:test'
import { Deadline, openDeadlines } from '../../src/call/deadlines'
import type { Ms } from '../../src/domain/clock'

class Told extends Deadline {
  constructor(private readonly tell: () => void) {
    super()
  }

  override expire(): void {
    this.tell()
  }
}

/** Longer than it may take to notice. */
const noticedMs = 400

test('what is due happens once, what was called off never, and what is not due stays', async () => {
  let now = 1000
  const deadlines = openDeadlines({ now: () => now as Ms })
  const told: string[] = []
  const names = ['early', 'called off', 'late'] as const
  const [early, calledOff, late] = names.map((name) => new Told(() => void told.push(name)))
  if (early === undefined || calledOff === undefined || late === undefined) throw new Error('three')
  deadlines.add(early, 2000 as Ms)
  deadlines.add(calledOff, 2000 as Ms)
  deadlines.add(late, 9000 as Ms)
  deadlines.remove(calledOff)
  deadlines.remove(calledOff)
  now = 2000
  await Bun.sleep(noticedMs)
  await Bun.sleep(noticedMs)
  expect(told).toEqual(['early'])
  // One that is over may wait again.
  deadlines.add(early, 3000 as Ms)
  now = 9000
  await Bun.sleep(noticedMs)
  expect(told.toSorted()).toEqual(['early', 'early', 'late'])
})

test('one that expires may call off another that is due too', async () => {
  const deadlines = openDeadlines({ now: () => 5000 as Ms })
  const told: string[] = []
  const others: Deadline[] = []
  const first = (name: string) =>
    new Told(() => {
      told.push(name)
      for (const other of others) deadlines.remove(other)
    })
  others.push(first('one'), first('two'), first('three'))
  for (const each of others) deadlines.add(each, 1000 as Ms)
  await Bun.sleep(noticedMs)
  expect(told.length).toBe(1)
})
