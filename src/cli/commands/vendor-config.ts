import { Option } from 'commander'
import { Decimal } from 'decimal.js'
import { readConfig } from '../../app/config'
import { transports, type Transport, type VendorConfig } from '../../domain/model'
import { dialectFor, dialects, isDialect } from '../../vendors/openai/dialects'
import { isOwnFormat, ownerAt, ownFormats, type OwnFormatKind } from '../../vendors/own-formats'
import { vendors } from '../../vendors/registry'
import type { CommonOptions } from '../kit/leaf'
import { servingUrl } from './reach'

export interface AddVendorOptions extends CommonOptions {
  readonly name: string
  readonly kind: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly apiKeyStdin?: true
  readonly dialect?: string
  readonly timeout?: number
  readonly margin?: string
  readonly transport?: Transport
  readonly active: boolean
}

/** Kinds that need an address; the sandbox is always there. */
export const vendorKinds = Object.keys(vendors).filter((kind) => vendors[kind]?.fetch === undefined)

/** A fresh one for each command. */
export const transportOption = (): Option =>
  new Option(
    '--transport <client>',
    'HTTP client that carries its calls; fetch where our own does not get along with it',
  ).choices(transports)

/** What the options describe, without its credential. @throws RangeError naming what is wrong */
export function vendorConfigOf(options: AddVendorOptions): VendorConfig {
  if (!vendorKinds.includes(options.kind))
    throw new RangeError(
      `no vendor is of kind ${options.kind}; there are: ${vendorKinds.join(', ')}`,
    )
  if (!/^[a-z0-9][a-z0-9_-]*$/i.test(options.name) || options.name === 'sandbox')
    throw new RangeError('a vendor’s name is letters, digits, - and _, and not sandbox')
  const { kind } = options
  const baseUrl = addressOf(options.baseUrl ?? addressOfKind(kind), servingUrl(options.data))
  const dialect = isOwnFormat(kind) ? ownerOf(kind, baseUrl, options) : dialectOf(baseUrl, options)
  return {
    name: options.name,
    kind,
    dialect,
    baseUrl,
    credential: null,
    timeoutMs:
      options.timeout === undefined
        ? readConfig(process.env).vendorTimeoutMs
        : options.timeout * 1000,
    transport: options.transport ?? 'own',
    marginPercent: percentOf(options.margin ?? '0'),
    active: options.active,
    source: 'command',
  }
}

/** Vendors with a format of their own have one address; the others must be told apart by it. */
function addressOfKind(kind: string): string {
  if (isOwnFormat(kind)) return ownFormats[kind].baseUrl
  throw new RangeError('an address is needed: --base-url https://…/v1')
}

function dialectOf(baseUrl: string, options: AddVendorOptions): string {
  const dialect = options.dialect ?? dialectFor(baseUrl)
  if (isDialect(dialect)) return dialect
  throw new RangeError(
    `no dialect is called ${dialect}; there are: ${Object.keys(dialects).join(', ')}`,
  )
}

/** Whose models are sold at an address can be said where it is not plain from it: a proxy’s. */
function ownerOf(kind: OwnFormatKind, baseUrl: string, { dialect }: AddVendorOptions): string {
  const known = [kind, 'generic']
  if (dialect === undefined) return ownerAt(kind, baseUrl)
  if (known.includes(dialect)) return dialect
  throw new RangeError(`vendors of kind ${kind} have the dialects ${known.join(', ')}`)
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
