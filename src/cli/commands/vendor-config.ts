import { Option, type Command } from 'commander'
import { Decimal } from 'decimal.js'
import { checkVendorName, type VendorChange } from '../../admin/vendors'
import { readConfig } from '../../app/config'
import { transports, type Transport, type VendorConfig } from '../../domain/model'
import { dialectFor, dialects, isDialect } from '../../vendors/openai/dialects'
import { isOwnFormat, ownerAt, ownFormats, type OwnFormatKind } from '../../vendors/own-formats'
import { vendors } from '../../vendors/registry'
import { given, type CommonOptions } from '../kit/leaf'
import { servingUrl } from './reach'

/** Options that `vendor add` and `vendor set` both take. */
interface VendorOptions extends CommonOptions {
  readonly kind?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly apiKeyStdin?: true
  readonly dialect?: string
  readonly timeout?: number
  readonly margin?: string
  readonly transport?: Transport
  readonly test: boolean
  readonly force?: true
}

export interface AddVendorOptions extends VendorOptions {
  readonly name: string
  readonly kind: string
  readonly active: boolean
}

/** Options of `vendor set`. */
export interface SetVendorOptions extends VendorOptions {
  readonly rename?: string
  readonly on?: true
  readonly off?: true
}

/** Kinds that need an address; the sandbox is always there. */
export const vendorKinds = Object.keys(vendors).filter((kind) => vendors[kind]?.fetch === undefined)

/** A fresh one for each command. */
export const transportOption = (): Option =>
  new Option(
    '--transport <client>',
    'HTTP client that carries its calls; fetch where our own does not get along with it',
  ).choices(transports)

/** Whether and how a vendor is tried before it is saved. */
export const withTest = (command: Command): Command =>
  command
    .option('--no-test', 'do not ask the vendor whether address and key are right')
    .option('--force', 'save it although it does not answer well')

/**
 * What the options describe, without its credential.
 * @throws RangeError naming what is wrong
 * @throws AdminError invalid_vendor_name
 */
export function vendorConfigOf(options: AddVendorOptions): VendorConfig {
  checkKind(options.kind)
  checkVendorName(options.name)
  const { kind } = options
  const baseUrl = addressOf(options.baseUrl ?? addressOfKind(kind), servingUrl(options.data))
  const dialect = dialectAt(kind, baseUrl, options.dialect)
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
    active: options.active,
    source: 'command',
  }
}

/** What of a vendor the options name. @throws RangeError naming what is wrong */
export function vendorChangeOf(vendor: VendorConfig, options: SetVendorOptions): VendorChange {
  if (options.on && options.off) throw new RangeError('a vendor is --on or --off, not both')
  const { kind = vendor.kind, transport, margin, rename } = options
  if (options.kind !== undefined) checkKind(kind)
  const baseUrl =
    options.baseUrl === undefined
      ? vendor.baseUrl
      : addressOf(options.baseUrl, servingUrl(options.data))
  const isSameFormat = kind === vendor.kind && options.dialect === undefined
  return {
    kind,
    baseUrl,
    dialect: isSameFormat ? vendor.dialect : dialectAt(kind, baseUrl, options.dialect),
    active: options.off ? false : options.on ? true : vendor.active,
    ...given({ transport, marginPercent: margin, name: rename }),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 }),
  }
}

function checkKind(kind: string): void {
  if (!vendorKinds.includes(kind))
    throw new RangeError(`no vendor is of kind ${kind}; there are: ${vendorKinds.join(', ')}`)
}

const dialectAt = (kind: string, baseUrl: string, dialect: string | undefined): string =>
  isOwnFormat(kind) ? ownerOf(kind, baseUrl, dialect) : dialectOf(baseUrl, dialect)

/** Vendors with a format of their own have one address; the others must be told apart by it. */
function addressOfKind(kind: string): string {
  if (isOwnFormat(kind)) return ownFormats[kind].baseUrl
  throw new RangeError('an address is needed: --base-url https://…/v1')
}

function dialectOf(baseUrl: string, named: string | undefined): string {
  const dialect = named ?? dialectFor(baseUrl)
  if (isDialect(dialect)) return dialect
  throw new RangeError(
    `no dialect is called ${dialect}; there are: ${Object.keys(dialects).join(', ')}`,
  )
}

/** Whose models are sold at an address can be said where it is not plain from it: a proxy’s. */
function ownerOf(kind: OwnFormatKind, baseUrl: string, dialect: string | undefined): string {
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
