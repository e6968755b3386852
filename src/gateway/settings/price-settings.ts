import { hourMs, type Ms } from '../../domain/clock'
import { refused, type SettingType } from './types'

/** Public price data by name. */
export const knownSources: ReadonlyMap<string, string> = new Map([
  [
    'litellm',
    'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  ],
  ['models.dev', 'https://models.dev/api.json'],
  ['portkey', 'https://configs.portkey.ai/pricing/'],
])

/** Their names, for people. */
export const knownSourceNames = [...knownSources.keys()].join(', ')

/** Public price changes that apply without approval. */
export type PricePolicy = 'off' | 'agree'

const maxSources = 8

/** Checks a price source. @throws RangeError for what is neither a name, nor an https address, nor a file */
export function priceSource(text: string): string {
  const known = knownSources.get(text)
  if (known !== undefined) return known
  if (text.startsWith('/')) return text
  const url = URL.parse(text)
  const isHttps = url?.protocol === 'https:' && url.username === '' && url.password === ''
  if (url === null || (!isHttps && url.protocol !== 'file:'))
    throw new RangeError(`${text} is neither ${knownSourceNames}, nor an https address, nor a file`)
  return text
}

/** Whether a price source is a file of the machine, not an address. */
export const isFileSource = (source: string): boolean => URL.parse(source)?.protocol !== 'https:'

/** Addresses and files; those of known names by these. */
export const priceSources: SettingType<readonly string[]> = {
  written: `1 to ${maxSources} of ${knownSourceNames}, https addresses and files, with spaces between`,
  parse(text) {
    const words = text.split(/[\s,]+/).filter(Boolean)
    if (words.length === 0 || words.length > maxSources) throw refused(priceSources.written, text)
    try {
      return [...new Set(words.map(priceSource))]
    } catch {
      throw refused(priceSources.written, text)
    }
  },
  show: (sources) => sources.map(sourceName).join(' '),
  plain: (sources) => sources.map(sourceName).join(' '),
}

const sourceName = (address: string): string =>
  [...knownSources].find(([, each]) => each === address)?.[0] ?? address

export const pricePolicy: SettingType<PricePolicy> = {
  written: 'off or agree',
  parse(text) {
    if (text === 'off' || text === 'agree') return text
    throw refused(pricePolicy.written, text)
  },
  show: (value) => value,
  plain: (value) => value,
}

const spans: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs }

/** Every so often, in milliseconds; null for never. */
export const everyOrOff: SettingType<Ms | null> = {
  written: 'off, or from 1h to 30d',
  parse(text) {
    if (text === 'off') return null
    const [, count, unit] = /^(\d{1,3})([hd])$/.exec(text) ?? []
    const every = Number(count) * (spans[unit ?? ''] ?? Number.NaN)
    if (!(every >= hourMs && every <= 30 * 24 * hourMs)) throw refused(everyOrOff.written, text)
    return every as Ms
  },
  show: (value) => (value === null ? 'off' : `${value / hourMs}h`),
  plain: (value) => everyOrOff.show(value),
}
