import { useLocale } from 'use-intl'

const script = (locale: string) => (locale === 'fa' ? 'fa-IR' : 'en')
const calendar = (locale: string) => (locale === 'fa' ? 'fa-IR-u-ca-persian' : 'en-GB')

/** Making one costs a hundred times what using it does. */
const numberFormats = new Map<string, Intl.NumberFormat>()
const dateFormats = new Map<string, Intl.DateTimeFormat>()

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(script(locale), options)
  numberFormats.set(key, format)
  return format
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const format = dateFormats.get(key) ?? new Intl.DateTimeFormat(calendar(locale), options)
  dateFormats.set(key, format)
  return format
}

/** A decimal string as `Intl` takes it: no digit is lost on the way through a number. */
const exact = (decimal: string): Intl.StringNumericLiteral => decimal as Intl.StringNumericLiteral

/** Numbers, money and dates as people of the chosen language write them. */
export function useNumbers() {
  const locale = useLocale()
  return {
    locale,
    count: (value: number): string => numberFormat(locale, {}).format(value),
    /** A text in which digits stand for themselves, as those of a phone. */
    digits: (text: string): string =>
      text.replace(/\d/g, (digit) => numberFormat(locale, {}).format(Number(digit))),
    /** @param share from 0 to 1 */
    percent: (share: number): string =>
      numberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share),
    /** A number with as many decimals as it needs, at most. */
    amount: (value: number, places: number): string =>
      numberFormat(locale, { maximumFractionDigits: places }).format(value),
    /**
     * @param decimal dollars as a decimal string
     * @param places at most; two at least, as money is written
     */
    usd(decimal: string, places = 2): string {
      const shown = numberFormat(locale, {
        minimumFractionDigits: Math.min(2, places),
        maximumFractionDigits: places,
      }).format(exact(decimal.replace(/^-/, '')))
      // The mark keeps the sign in front of its number, whatever the page is.
      const sign = decimal.startsWith('-') ? '\u200e−' : ''
      return locale === 'fa' ? `${sign}${shown} دلار` : `${sign}$${shown}`
    },
    /** A decimal string with the decimals that it has. */
    decimal: (text: string): string =>
      numberFormat(locale, { maximumFractionDigits: 12 }).format(exact(text)),
    /** @param decimal coins as a decimal string; in small amounts decimals count */
    tomans(decimal: string): string {
      const [small, middling] = [1, 100].map((bound) => Number(decimal) < bound)
      const places = small ? 4 : middling ? 2 : 0
      const shown = numberFormat(locale, { maximumFractionDigits: places }).format(exact(decimal))
      return locale === 'fa' ? `${shown} تومان` : `${shown} tomans`
    },
    /** @param day `YYYY-MM-DD` */
    day: (day: string): string =>
      dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day)),
    /** A time zone as people call it. @param zone as IANA names it */
    zoneName: (zone: string): string =>
      dateFormat(locale, { timeZone: zone, timeZoneName: 'longGeneric' })
        .formatToParts()
        .find(({ type }) => type === 'timeZoneName')?.value ?? zone,
    /** The day of a moment, on the clock of whoever reads. */
    dayOf: (ms: number): string => dateFormat(locale, { day: 'numeric', month: 'long' }).format(ms),
    /** @param day `YYYY-MM-DD`; with its year */
    date: (day: string): string =>
      dateFormat(locale, {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(new Date(day)),
    /** The same with its weekday. */
    fullDate: (day: string): string =>
      dateFormat(locale, {
        weekday: 'long',
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      }).format(new Date(day)),
    /** @param day any of the month */
    monthName(day: string): string {
      // `Intl` puts the year of a Jalali month in front of it.
      const part = (options: Intl.DateTimeFormatOptions) =>
        dateFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(day))
      return `${part({ month: 'long' })} ${part({ year: 'numeric' })}`
    },
    /** The day of its month alone. */
    dayNumber: (day: string): string =>
      dateFormat(locale, { day: 'numeric', timeZone: 'UTC' }).format(new Date(day)),
    weekday: (day: string, length: 'narrow' | 'long'): string =>
      dateFormat(locale, { weekday: length, timeZone: 'UTC' }).format(new Date(day)),
    /** The time of day with its seconds. */
    clock: (ms: number): string =>
      dateFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(ms),
    moment: (ms: number): string =>
      dateFormat(locale, {
        day: 'numeric',
        month: 'long',
        hour: '2-digit',
        minute: '2-digit',
      }).format(ms),
  }
}
