import { describe, expect, test } from 'bun:test'
import { movedDay, weekEnd, weeksOf } from '../../src/web/calendar'
import { daysIn, rangeOf, rangeText, readRange, startIn, todayIn } from '../../src/web/ranges'

const at = (zone: string, time: string) => todayIn(zone, Date.parse(time))

test.each([
  ['Asia/Tehran', '2026-11-20T20:29:00Z', '2026-11-20'],
  ['Asia/Tehran', '2026-11-20T20:30:00Z', '2026-11-21'],
  ['UTC', '2026-11-20T20:30:00Z', '2026-11-20'],
  ['America/New_York', '2026-11-20T04:00:00Z', '2026-11-19'],
])('in %s it is at %s the %s', (zone, time, day) => {
  expect(at(zone, time)).toBe(Date.parse(day))
})

test.each([
  ['Asia/Tehran', '2026-11-21', '2026-11-20T20:30:00Z'],
  ['UTC', '2026-11-21', '2026-11-21T00:00:00Z'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00Z'],
])('in %s the %s begins at %s', (zone, day, time) => {
  expect(startIn(zone, day)).toBe(Date.parse(time))
})

test('months are those of the reader’s calendar in the service’s zone', () => {
  // 1 Azar 1405 begins in Tehran, while it is 30 Aban in Greenwich.
  const night = '2026-11-21T20:30:00Z'
  const azar = { from: '2026-11-22', to: '2026-11-22' }
  expect(rangeOf('this', 'fa', at('Asia/Tehran', night))).toEqual(azar)
  expect(rangeOf('last', 'fa', at('Asia/Tehran', night))).toEqual({
    from: '2026-10-23',
    to: '2026-11-21',
  })
  expect(rangeOf('this', 'fa', at('UTC', night))).toEqual({ from: '2026-10-23', to: '2026-11-21' })
  expect(rangeOf('this', 'en', at('Asia/Tehran', night))).toEqual({
    from: '2026-11-01',
    to: '2026-11-22',
  })
  expect(rangeOf('week', 'fa', at('Asia/Tehran', night))).toEqual({
    from: '2026-11-16',
    to: '2026-11-22',
  })
})

const now = Date.parse('2026-11-23')

describe('a month of the calendar', () => {
  test('is Jalali and begins on Saturdays in Persian', () => {
    const weeks = weeksOf('2026-11-23', 'fa')
    // 1 Azar 1405 is Sunday, 22 November 2026; Azar has thirty days.
    expect(weeks[0]).toEqual([null, ...days('2026-11-22', 6)])
    expect(weeks.flat().filter((day) => day !== null)).toEqual(days('2026-11-22', 30))
    expect(weeks.every((week) => week.length === 7)).toBe(true)
  })

  test('is Gregorian and begins on Mondays in English', () => {
    const weeks = weeksOf('2026-11-23', 'en')
    expect(weeks[0]).toEqual([...Array<null>(6).fill(null), '2026-11-01'])
    expect(weeks.flat().filter((day) => day !== null)).toEqual(days('2026-11-01', 30))
  })

  test('is moved in by its own months and weeks', () => {
    // 30 Azar to 30 Dey; the leap day of 1403 to the last one of Esfand 1404.
    expect(movedDay('2026-12-21', { months: 1 }, 'fa')).toBe('2027-01-20')
    expect(movedDay('2025-03-20', { years: 1 }, 'fa')).toBe('2026-03-20')
    expect(movedDay('2026-10-31', { months: 1 }, 'en')).toBe('2026-11-30')
    expect(weekEnd('2026-11-23', 'first', 'fa')).toBe('2026-11-21')
    expect(weekEnd('2026-11-23', 'last', 'en')).toBe('2026-11-29')
  })
})

describe('a chosen range', () => {
  test.each(['today', 'week', 'last', '2026-11-01..2026-11-20', '2026-11-01..2026-11-01'])(
    '%s is read and written alike',
    (text) => expect(rangeText(readRange(text))).toBe(text),
  )

  test.each([
    null,
    '',
    'ever',
    '2026-11-20..2026-11-01',
    '2026-02-31..2026-03-01',
    'a..b',
    '1..2..3',
  ])('%p is none', (text) => expect(readRange(text)).toBeNull())

  test('by its name follows the calendar of the reader', () => {
    expect(daysIn('today', 'fa', now)).toEqual({ from: '2026-11-23', to: '2026-11-23' })
    expect(daysIn('this', 'fa', now)).toEqual({ from: '2026-11-22', to: '2026-11-23' })
    expect(daysIn('last', 'fa', now)).toEqual({ from: '2026-10-23', to: '2026-11-21' })
    expect(daysIn('last', 'en', now)).toEqual({ from: '2026-10-01', to: '2026-10-31' })
  })
})

/** Days one after the other. */
const days = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(first) + at * 86_400_000).toISOString().slice(0, 10),
  )
