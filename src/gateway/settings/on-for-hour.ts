import { hourMs, type Ms } from '../../domain/clock'
import { refused, type SettingType } from './types'

const keptTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const written = 'on or off'

const timeOf = (value: Ms): string => new Date(value).toISOString()

/**
 * A switch that ends by itself an hour after it was switched on. Its value is when that was, null
 * for off; so it is kept, and a restart changes nothing.
 */
export const onForHour: SettingType<Ms | null> = {
  written,
  parse(text) {
    if (text === 'off') return null
    const since = keptTime.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(since)) throw refused(written, text)
    return since as Ms
  },
  show: (value) => (value === null ? 'off' : timeOf(value)),
  plain: (value, now) =>
    isOnForHour(value, now) ? `on until ${timeOf((value + hourMs) as Ms)}` : false,
  kept(text, now) {
    if (text === 'on') return timeOf(now)
    if (text === 'off') return text
    throw refused(written, text)
  },
}

/** A clock that was set back ends it too: nobody knows how long it has been on then. */
export const isOnForHour = (since: Ms | null, now: Ms): since is Ms =>
  since !== null && since <= now && now < since + hourMs
