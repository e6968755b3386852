/** An instant on the operator's clock, with that clock's distance from UTC. */
export function localTime(time: number): string {
  const offset = -new Date(time).getTimezoneOffset()
  const shifted = new Date(time + offset * 60_000).toISOString()
  return `${shifted.slice(0, 10)} ${shifted.slice(11, 19)} ${zoneOf(offset)}`
}

/** @param minutes ahead of UTC */
function zoneOf(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const size = Math.abs(minutes)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const instants = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const instant = new RegExp(`^${instants.source}$`)

/** Text as people read it: an instant, as JSON writes it, becomes local time; all else stays. */
export const forPeople = (text: string): string =>
  instant.test(text) ? localTime(Date.parse(text)) : text

/** A sentence for people: every instant in it becomes local time. */
export const withLocalTimes = (text: string): string => text.replaceAll(instants, forPeople)
