import { Decimal } from 'decimal.js'
import { readConfig } from '../config'
import type { VendorConfig } from '../domain/model'
import { dialectFor, dialects, isDialect } from '../vendors/openai/dialects'
import { vendors } from '../vendors/registry'
import type { CommonOptions } from './leaf'
import { servingUrl } from './reach'

export interface AddVendorOptions extends CommonOptions {
  readonly name: string
  readonly kind: string
  readonly baseUrl: string
  readonly apiKey?: string
  readonly apiKeyStdin?: true
  readonly dialect?: string
  readonly timeout?: number
  readonly margin?: string
  readonly active: boolean
}

/** Kinds that need an address; the sandbox is always there. */
export const vendorKinds = Object.keys(vendors).filter((kind) => vendors[kind]?.fetch === undefined)

/** What the options describe, without its credential. @throws RangeError naming what is wrong */
export function vendorConfigOf(options: AddVendorOptions): VendorConfig {
  if (!vendorKinds.includes(options.kind))
    throw new RangeError(
      `no vendor is of kind ${options.kind}; there are: ${vendorKinds.join(', ')}`,
    )
  if (!/^[a-z0-9][a-z0-9_-]*$/i.test(options.name) || options.name === 'sandbox')
    throw new RangeError('a vendor’s name is letters, digits, - and _, and not sandbox')
  const baseUrl = addressOf(options.baseUrl, servingUrl(options.data))
  const dialect = options.dialect ?? dialectFor(baseUrl)
  if (!isDialect(dialect))
    throw new RangeError(
      `no dialect is called ${dialect}; there are: ${Object.keys(dialects).join(', ')}`,
    )
  return {
    name: options.name,
    kind: options.kind,
    dialect,
    baseUrl,
    credential: null,
    timeoutMs:
      options.timeout === undefined
        ? readConfig(process.env).vendorTimeoutMs
        : options.timeout * 1000,
    marginPercent: percentOf(options.margin ?? '0'),
    active: options.active,
    source: 'command',
  }
}

/** @param own address of the gateway itself, which must not become its own vendor */
function addressOf(text: string, own: string | null): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new RangeError(`not an http address: ${text}`)
  const { username, password, search, hash, host } = new URL(text)
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new RangeError(
      'an address has no user, query or fragment in it: the key goes to --api-key',
    )
  if (own !== null && host === new URL(own).host)
    throw new RangeError(`${text} is this gateway: it cannot be its own vendor`)
  return text.replace(/\/+$/, '')
}

/** Below zero it is a rebate; at -100 everything would be free. @throws RangeError */
export function percentOf(text: string): string {
  const number = text.replace(/%$/, '')
  if (!/^-?\d+(\.\d+)?$/.test(number) || new Decimal(number).lessThanOrEqualTo(-100))
    throw new RangeError(`not a percentage above -100: ${text}`)
  return new Decimal(number).toFixed()
}
