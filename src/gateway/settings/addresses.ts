import { openAddressList } from '../net/address-list'
import { refused, type SettingType } from './types'

/** Addresses and ranges, as they were written. */
interface Addresses {
  readonly text: string
  /** @param address canonical */
  has(address: string): boolean
}

const maxEntries = 50

/** Addresses and CIDR ranges, or `any`. */
export const addressesOrAny: SettingType<Addresses | null> = {
  written: `1 to ${maxEntries} addresses and ranges with spaces between, or any`,
  parse(text) {
    if (text === 'any') return null
    const entries = text.split(/[\s,]+/).filter(Boolean)
    if (entries.length === 0 || entries.length > maxEntries)
      throw refused(addressesOrAny.written, text)
    try {
      const { has } = openAddressList(entries)
      return { text: entries.join(' '), has }
    } catch {
      throw refused(addressesOrAny.written, text)
    }
  },
  show: (value) => value?.text ?? 'any',
  plain: (value) => value?.text ?? null,
}
