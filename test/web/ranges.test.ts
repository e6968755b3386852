import { expect, test } from 'bun:test'
import { rangeOf, todayIn } from '../../src/web/ranges'

const at = (zone: string, time: string) => todayIn(zone, Date.parse(time))

test.each([
  ['Asia/Tehran', '2026-11-20T20:29:00Z', '2026-11-20'],
  ['Asia/Tehran', '2026-11-20T20:30:00Z', '2026-11-21'],
  ['UTC', '2026-11-20T20:30:00Z', '2026-11-20'],
  ['America/New_York', '2026-11-20T04:00:00Z', '2026-11-19'],
])('in %s it is at %s the %s', (zone, time, day) => {
  expect(at(zone, time)).toBe(Date.parse(day))
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
