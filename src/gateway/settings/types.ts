import type { Ms } from '../../domain/clock'
import { parseUsd, showUsd, type NanoUsd } from '../../domain/money'
import type { SettingRemark } from './remarks'

/** One kind of value: how it is written, read and shown. */
export interface SettingType<Value = unknown> {
  /** Form of a value, to stand behind “must be”. */
  readonly written: string
  /** @throws RangeError on anything else */
  parse(text: string): Value
  /** As `parse` reads it back. */
  show(value: Value): string
  /** For JSON: money as a decimal string, no limit as null. */
  plain(value: Value, now: Ms): boolean | number | string | null
  /**
   * Stored form of a command's words, where it differs from them.
   * @throws RangeError on anything that no command may say
   */
  kept?(text: string, now: Ms): string
  /**
   * Where the value is what a file holds, whose path a command names: what is kept of it.
   * @throws RangeError on anything else
   */
  fromFile?(bytes: Uint8Array): string
  /** Remark on a value that was just set; null for none. */
  remark?(value: Value): SettingRemark | null
}

export const refused = (written: string, text: string): RangeError =>
  new RangeError(`must be ${written}, not ${text === '' ? 'nothing' : text}`)

export const onOff: SettingType<boolean> = {
  written: 'on or off',
  parse(text) {
    if (text === 'on') return true
    if (text === 'off') return false
    throw refused(onOff.written, text)
  },
  show: (value) => (value ? 'on' : 'off'),
  plain: (value) => value,
}

/** A whole number. */
export function whole(from: number, to: number): SettingType<number> {
  const written =
    to === Number.MAX_SAFE_INTEGER
      ? `a whole number from ${from}`
      : `a whole number from ${from} to ${to}`
  return {
    written,
    parse(text) {
      const value = Number(text)
      if (!/^\d+$/.test(text) || value < from || value > to) throw refused(written, text)
      return value
    },
    show: String,
    plain: (value) => value,
  }
}

/** Dollars from 0, with nine decimals at most. */
export const dollars: SettingType<NanoUsd> = {
  written: 'an amount in dollars from 0',
  parse: (text) => amountFrom(text, dollars.written),
  show: showUsd,
  plain: showUsd,
}

/** Dollars from 0, or `none` for no limit. */
export const dollarsOrNone: SettingType<NanoUsd | null> = {
  written: 'an amount in dollars from 0, or none',
  parse: (text) => (text === 'none' ? null : amountFrom(text, dollarsOrNone.written)),
  show: (value) => (value === null ? 'none' : showUsd(value)),
  plain: (value) => (value === null ? null : showUsd(value)),
}

/** Link that people are sent to, or `none`. */
export const linkOrNone: SettingType<string | null> = {
  written: 'an address such as https://… or mailto:…, or none',
  parse(text) {
    if (text === 'none') return null
    if (/^(?:https?|mailto|tel):\S+$/.test(text) && URL.canParse(text)) return text
    throw refused(linkOrNone.written, text)
  },
  show: (value) => value ?? 'none',
  plain: (value) => value,
}

/** A time zone by its IANA name, in the spelling that the runtime has of it. */
export const zone: SettingType<string> = {
  written: 'a time zone such as Asia/Tehran or UTC',
  parse(text) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
    } catch {
      throw refused(zone.written, text)
    }
  },
  show: (value) => value,
  plain: (value) => value,
}

const maxNameLength = 40

/** A name as people read it, or `none`. */
export const nameOrNone: SettingType<string | null> = {
  written: `a name of at most ${maxNameLength} characters, or none`,
  parse(text) {
    const name = text.trim()
    if (name === 'none') return null
    // Neither what ends a line nor what turns the direction of all that follows.
    const isPlain = !/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name)
    if (name !== '' && name.length <= maxNameLength && isPlain) return name
    throw refused(nameOrNone.written, text)
  },
  show: (value) => value ?? 'none',
  plain: (value) => value,
}

/** More cannot be told to the nano-dollar. */
const maxDollars = 9_000_000

function amountFrom(text: string, written: string): NanoUsd {
  if (!/^\d{1,7}(?:\.\d{1,9})?$/.test(text) || Number(text) > maxDollars)
    throw refused(written, text)
  return parseUsd(text)
}

const spanForm = /^(\d{1,6})([smhd])$/
const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
type SpanUnit = keyof typeof unitMs

const isUnit = (text: string | undefined): text is SpanUnit =>
  text !== undefined && Object.hasOwn(unitMs, text)

/** A span of time in milliseconds, as short as it can be written. */
function spanText(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((each) => ms % unitMs[each] === 0) ?? 's'
  return `${ms / unitMs[unit]}${unit}`
}

function spanFrom(text: string, fromMs: number, written: string, toMs = Infinity): number {
  const [, count, unit] = spanForm.exec(text) ?? []
  const ms = isUnit(unit) ? Number(count) * unitMs[unit] : Number.NaN
  if (!(ms >= fromMs && ms <= toMs)) throw refused(written, text)
  return ms
}

/** A span of time in milliseconds, such as 30s, 5m, 24h or 7d. */
export function span(fromMs: number, toMs = Infinity): SettingType<number> {
  const bounds = `from ${spanText(fromMs)}${toMs === Infinity ? '' : ` to ${spanText(toMs)}`}`
  const written = `a span ${bounds}, such as 30s, 5m or 24h`
  return {
    written,
    parse: (text) => spanFrom(text, fromMs, written, toMs),
    show: spanText,
    plain: spanText,
  }
}

/** Time span, or `off`. */
export function spanOrOff(fromMs: number): SettingType<number | null> {
  const written = `a span from ${spanText(fromMs)}, such as 30s, 5m or 24h, or off`
  return {
    written,
    parse: (text) => (text === 'off' ? null : spanFrom(text, fromMs, written)),
    show: (value) => (value === null ? 'off' : spanText(value)),
    plain: (value) => (value === null ? null : spanText(value)),
  }
}
