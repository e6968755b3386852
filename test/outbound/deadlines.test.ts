import { expect, test } from 'bun:test'
import { Deadline, never, openDeadlines } from '../../src/gateway/outbound/deadlines'
import type { Ticks } from '../../src/domain/clock'
import { paced } from '../support/pace'

class Told extends Deadline {
  lasted = 0

  constructor(private readonly tell: () => void) {
    super()
  }

  override lasts(): void {
    this.lasted++
  }

  override expire(): void {
    this.tell()
  }
}

/** Longer than it may take to notice. */
const noticedMs = paced(400)

test('what is due happens once, what was called off never, and what is not due stays', async () => {
  let now = 1000
  const deadlines = openDeadlines({ ticks: () => now as Ticks })
  const told: string[] = []
  const names = ['early', 'called off', 'late'] as const
  const [early, calledOff, late] = names.map((name) => new Told(() => void told.push(name)))
  if (early === undefined || calledOff === undefined || late === undefined) throw new Error('three')
  deadlines.add(early, 2000 as Ticks)
  deadlines.add(calledOff, 2000 as Ticks)
  deadlines.add(late, 9000 as Ticks)
  deadlines.remove(calledOff)
  deadlines.remove(calledOff)
  now = 2000
  await Bun.sleep(noticedMs)
  await Bun.sleep(noticedMs)
  expect(told).toEqual(['early'])
  // One that is over may wait again.
  deadlines.add(early, 3000 as Ticks)
  now = 9000
  await Bun.sleep(noticedMs)
  expect(told.toSorted()).toEqual(['early', 'early', 'late'])
})

test('one that expires may call off another that is due too', async () => {
  const deadlines = openDeadlines({ ticks: () => 5000 as Ticks })
  const told: string[] = []
  const others: Deadline[] = []
  const first = (name: string) =>
    new Told(() => {
      told.push(name)
      for (const other of others) deadlines.remove(other)
    })
  others.push(first('one'), first('two'), first('three'))
  for (const each of others) deadlines.add(each, 1000 as Ticks)
  await Bun.sleep(noticedMs)
  expect(told.length).toBe(1)
})

test('what is never due is told that it lasts until it is taken out, or due after all', async () => {
  const deadlines = openDeadlines({ ticks: () => 5000 as Ticks })
  const told: string[] = []
  const [one, other] = [new Told(() => {}), new Told(() => void told.push('due'))]
  deadlines.add(one, never)
  deadlines.add(other, never)
  await Bun.sleep(noticedMs)
  const { lasted } = one
  expect([lasted > 1, other.lasted]).toEqual([true, lasted])
  deadlines.remove(one)
  deadlines.add(other, 5000 as Ticks)
  await Bun.sleep(noticedMs)
  expect([one.lasted, other.lasted, ...told]).toEqual([lasted, lasted, 'due'])
})
