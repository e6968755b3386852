import { textByPattern } from './text-by-pattern'
import type { Fields } from '../../json/fields'

const formats: Readonly<Record<string, string>> = {
  date: '2026-01-01',
  'date-time': '2026-01-01T00:00:00Z',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'echo@example.com',
  hostname: 'example.com',
  uri: 'https://example.com/',
  'uri-reference': '/echo',
  uuid: '00000000-0000-4000-8000-000000000000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
}

const usualChars = 200
/** A schema may ask for a gigabyte. */
const maxChars = 10_000
/** Of a text, behind what has room: some of it may not be said. */
const spareChars = 200

/** Source of strings. */
interface StringSource {
  /** Said again where anything may be said. */
  readonly text: string
  /** Patterns that were read already: one may stand for thousands of strings. */
  readonly patterns: Map<string, string | null>
}

/** @param nth among strings that may have to differ */
export function stringBySchema(schema: Fields, source: StringSource, nth: number): string {
  const { format, pattern, minLength, maxLength } = schema
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? ''
  if (typeof pattern === 'string') {
    const made = readPattern(pattern, source)
    if (made !== null) return made
  }
  const least = Math.min(typeof minLength === 'number' ? minLength : 0, maxChars)
  const most = Math.min(typeof maxLength === 'number' ? maxLength : usualChars, maxChars)
  const mark = nth === 0 ? '' : String(nth)
  const room = Math.max(0, most - mark.length)
  const near = source.text.slice(0, 2 * room + spareChars)
  // Schemas count code points and some validators halves of them: where it matters both agree.
  const text = typeof maxLength === 'number' ? near.replace(/[\ud800-\udfff]/g, '') : near
  const letters = Array.from((text || 'echo').slice(0, 2 * room)).slice(0, room)
  const said = letters.join('') + mark.slice(0, most)
  return said + '.'.repeat(Math.max(0, least - letters.length - mark.length))
}

function readPattern(pattern: string, { patterns }: StringSource): string | null {
  let made = patterns.get(pattern)
  if (made === undefined) patterns.set(pattern, (made = textByPattern(pattern)))
  return made
}

/** @param nth among numbers that may have to differ */
export function numberBySchema(schema: Fields, whole: boolean, nth: number): number {
  const { multipleOf } = schema
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : whole ? 1 : null
  const low = bound(schema['minimum'], schema['exclusiveMinimum'], Math.max, -Infinity)
  const high = bound(schema['maximum'], schema['exclusiveMaximum'], Math.min, Infinity)
  const fits = (value: number) =>
    (low.open ? value > low.at : value >= low.at) &&
    (high.open ? value < high.at : value <= high.at)
  if (step === null) return fraction(low.at, high.at, nth, fits)
  // In steps from the lower bound, else down from the upper one, else from one.
  let value = low.at > -Infinity ? Math.ceil(low.at / step) * step : step
  if (!fits(value) && low.at > -Infinity) value += step
  if (!fits(value)) value = Math.floor(high.at / step) * step
  if (!fits(value)) value -= step
  const other = [value + nth * step, value - nth * step].find(fits)
  return tidy(other ?? value, step)
}

/** Sums of steps such as 0.1 gather dust. */
const tidy = (value: number, step: number): number =>
  Number.isInteger(step) ? value : Number(value.toPrecision(12))

function fraction(low: number, high: number, nth: number, fits: (value: number) => boolean) {
  const first = [1, low, high, low + 1, high - 1, (low + high) / 2].find(
    (value) => Number.isFinite(value) && fits(value),
  )
  if (first === undefined) return 1
  const room = Math.min(1, high > first ? high - first : first - low)
  const further = (high > first ? 1 : -1) * room * (nth / (nth + 1))
  return first + further
}

interface Bound {
  readonly at: number
  readonly open: boolean
}

function bound(
  closed: unknown,
  open: unknown,
  tighter: (one: number, other: number) => number,
  none: number,
): Bound {
  const closedAt = typeof closed === 'number' ? closed : none
  const openAt = typeof open === 'number' ? open : none
  const at = tighter(closedAt, openAt)
  return { at, open: typeof open === 'number' && at === openAt }
}
