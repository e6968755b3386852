import { Decimal } from 'decimal.js'
import type { VendorConfig } from '../../domain/model'
import { dialectFor, dialects, isDialect } from '../../gateway/vendors/openai/dialects'
import {
  isOwnFormat,
  ownerAt,
  ownFormats,
  type OwnFormatKind,
} from '../../gateway/vendors/native-defaults'
import { vendors } from '../../gateway/vendors/registry'
import { AdminError } from '../operations/admin-error'

/** Kinds that need an address; the sandbox is always there. */
export const vendorKinds = Object.keys(vendors).filter((kind) => vendors[kind]?.fetch === undefined)

/** Kind, dialect and address of a vendor, as typed. */
interface TypedPlace {
  readonly kind?: string
  readonly baseUrl?: string
  readonly dialect?: string
}

/** Kind, dialect and address of a vendor. */
type VendorPlace = Pick<VendorConfig, 'kind' | 'baseUrl' | 'dialect'>

/**
 * The place of a new vendor.
 * @param own addresses of the gateway itself, which must not become its own vendor
 * @throws AdminError vendor_kind_unknown | vendor_dialect_unknown
 * @throws AdminError vendor_address_missing | vendor_address_invalid | vendor_address_own
 */
export function placeOfNew(
  { kind, baseUrl, dialect }: TypedPlace & { readonly kind: string },
  own: readonly string[],
): VendorPlace {
  checkKind(kind)
  const address = addressOf(baseUrl ?? addressOfKind(kind), own)
  return { kind, baseUrl: address, dialect: dialectAt(kind, address, dialect) }
}

/** The place of a vendor where some of it is typed. @throws AdminError as `placeOfNew` does */
export function placeOfChanged(
  vendor: VendorPlace,
  { kind = vendor.kind, baseUrl: typed, dialect }: TypedPlace,
  own: readonly string[],
): VendorPlace {
  if (kind !== vendor.kind) checkKind(kind)
  const baseUrl = typed === undefined ? vendor.baseUrl : addressOf(typed, own)
  const isSameFormat = kind === vendor.kind && dialect === undefined
  return {
    kind,
    baseUrl,
    dialect: isSameFormat ? vendor.dialect : dialectAt(kind, baseUrl, dialect),
  }
}

function checkKind(kind: string): void {
  if (!vendorKinds.includes(kind))
    throw new AdminError('vendor_kind_unknown', { kind, known: vendorKinds })
}

const dialectAt = (kind: string, baseUrl: string, dialect: string | undefined): string =>
  isOwnFormat(kind) ? ownerOf(kind, baseUrl, dialect) : dialectOf(baseUrl, dialect)

/** Vendors with a format of their own have one address; the others must be told apart by it. */
function addressOfKind(kind: string): string {
  if (isOwnFormat(kind)) return ownFormats[kind].baseUrl
  throw new AdminError('vendor_address_missing', {})
}

function dialectOf(baseUrl: string, named: string | undefined): string {
  const dialect = named ?? dialectFor(baseUrl)
  if (isDialect(dialect)) return dialect
  throw new AdminError('vendor_dialect_unknown', { dialect, known: Object.keys(dialects) })
}

/** Whose models are sold at an address can be said where it is not plain from it: a proxy’s. */
function ownerOf(kind: OwnFormatKind, baseUrl: string, dialect: string | undefined): string {
  const known = [kind, 'generic']
  if (dialect === undefined) return ownerAt(kind, baseUrl)
  if (known.includes(dialect)) return dialect
  throw new AdminError('vendor_dialect_unknown', { dialect, known })
}

function addressOf(text: string, own: readonly string[]): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new AdminError('vendor_address_invalid', { address: text })
  const { username, password, search, hash, host } = new URL(text)
  // Not in the facts: it may hold a key.
  if (username !== '' || password !== '' || search !== '' || hash !== '')
    throw new AdminError('vendor_address_not_bare', {})
  if (own.some((address) => new URL(address).host === host))
    throw new AdminError('vendor_address_own', { address: text })
  return text.replace(/\/+$/, '')
}

/** Below zero it is a rebate; at -100 everything would be free. @throws RangeError */
export function percentOf(text: string): string {
  const number = text.replace(/%$/, '')
  if (!/^-?\d{1,9}(\.\d{1,9})?$/.test(number) || new Decimal(number).lessThanOrEqualTo(-100))
    throw new RangeError(`not a percentage above -100: ${text}`)
  return new Decimal(number).toFixed()
}
