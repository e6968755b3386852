import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { dayMs, dayOf, type Ms } from '../../src/domain/clock'
import { openCountedDays, openDayIn } from '../../src/domain/zone-days'

const at = (text: string): Ms => Date.parse(text) as Ms
const shown = (day: number): string => dayOf((day * dayMs) as Ms)

test.each([
  ['Asia/Tehran', '2026-11-20T20:29:59.999Z', '2026-11-20'],
  ['Asia/Tehran', '2026-11-20T20:30:00Z', '2026-11-21'],
  // Summer time, which Tehran had until 2022.
  ['Asia/Tehran', '2022-06-01T19:30:00Z', '2022-06-02'],
  ['UTC', '2026-11-20T23:59:59Z', '2026-11-20'],
  ['Asia/Kathmandu', '2026-11-20T18:15:00Z', '2026-11-21'],
  ['America/New_York', '2026-11-01T03:59:00Z', '2026-10-31'],
  ['America/New_York', '2026-11-02T05:00:00Z', '2026-11-02'],
])('in %s it is at %s the %s', (zone, time, day) => {
  expect(shown(openDayIn(zone)(at(time)))).toBe(day)
})

test('a day is the one that the calendar of its zone says, in whatever order it is asked', () => {
  const zones = ['Asia/Tehran', 'Europe/London', 'Australia/Lord_Howe', 'America/St_Johns']
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.array(fc.integer({ min: at('2020-01-01'), max: at('2040-01-01') })),
      (zone, times) => {
        const dayIn = openDayIn(zone)
        for (const time of times) {
          const said = new Date(time).toLocaleDateString('sv-SE', { timeZone: zone })
          expect(shown(dayIn(time as Ms))).toBe(said)
        }
      },
    ),
  )
})

test('a call keeps the zone of the moment in which it began, whenever it is counted', () => {
  const days = openCountedDays()
  const [morning, night] = [at('2026-11-20T12:00:00Z'), at('2026-11-20T21:00:00Z')]
  expect(shown(days.dayOf(night))).toBe('2026-11-21')
  // The first one that is told is that of all.
  days.use('UTC', at('2026-11-22T00:00:00Z'))
  expect(shown(days.dayOf(night))).toBe('2026-11-20')
  days.use('Asia/Tehran', at('2026-11-20T21:00:01Z'))
  days.use('America/New_York', at('2026-11-25T00:00:00Z'))
  expect(shown(days.dayOf(night))).toBe('2026-11-20')
  expect(shown(days.dayOf((night + dayMs) as Ms))).toBe('2026-11-22')
  expect(shown(days.dayOf(at('2026-11-26T03:00:00Z')))).toBe('2026-11-25')
  expect(shown(days.dayOf(morning))).toBe('2026-11-20')
  expect(() => days.use('Mars/Olympus', morning)).toThrow(RangeError)
})
