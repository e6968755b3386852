import { Option, type Command } from 'commander'
import { placeOfChanged, placeOfNew } from '../../admin/vendor-address'
import { checkVendorName, type VendorChange } from '../../admin/vendors'
import { readConfig } from '../../app/config'
import { transports, type Transport, type VendorConfig } from '../../domain/model'
import { given, read, type CommonOptions } from '../kit/leaf'
import { servingUrl } from '../../app/serving-note'

/** Options that `vendor add` and `vendor set` both take. */
interface VendorOptions extends CommonOptions {
  readonly kind?: string
  readonly baseUrl?: string
  readonly apiKey?: string
  readonly apiKeyStdin?: true
  readonly dialect?: string
  readonly timeout?: number
  readonly firstTokenTimeout?: number | 'none'
  readonly markup?: string
  /** Earlier name of the markup. */
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

/** Earlier name of `--markup`; a fresh one for each command. */
export const marginOption = (): Option => new Option('--margin <percent>', 'a markup').hideHelp()

/** A fresh one for each command. */
export const transportOption = (): Option =>
  new Option(
    '--transport <client>',
    'HTTP client that carries its calls; fetch where our own does not get along with it',
  ).choices(transports)

/** A fresh one for each command. */
export const firstTokenOption = (): Option =>
  new Option(
    '--first-token-timeout <seconds>',
    'longest wait for the first output of a stream; none: as the setting first-token-timeout says',
  ).argParser(read.countOrNone)

const firstTokenMsOf = (seconds: number | 'none'): number | null =>
  seconds === 'none' ? null : seconds * 1000

/** Whether and how a vendor is tried before it is saved. */
export const withTest = (command: Command): Command =>
  command
    .option('--no-test', 'do not ask the vendor whether address and key are right')
    .option('--force', 'save it although it does not answer well')

/**
 * Vendor configuration by the options of a command, without its credential.
 * @throws AdminError invalid_vendor_name, and what `placeOfNew` throws
 */
export function vendorConfigOf(options: AddVendorOptions): VendorConfig {
  checkVendorName(options.name)
  return {
    ...placeOfNew(options, ownAddresses(options)),
    name: options.name,
    credential: null,
    timeoutMs:
      options.timeout === undefined
        ? readConfig(process.env).vendorTimeoutMs
        : options.timeout * 1000,
    firstTokenTimeoutMs: firstTokenMsOf(options.firstTokenTimeout ?? 'none'),
    transport: options.transport ?? 'own',
    active: options.active,
    source: 'command',
  }
}

/**
 * Fields of a vendor that the options name.
 * @throws RangeError for both of what excludes the other
 * @throws AdminError what `placeOfChanged` throws
 */
export function vendorChangeOf(vendor: VendorConfig, options: SetVendorOptions): VendorChange {
  if (options.on && options.off) throw new RangeError('a vendor is --on or --off, not both')
  const { transport, margin, markup = margin, rename } = options
  return {
    ...placeOfChanged(vendor, options, ownAddresses(options)),
    active: options.off ? false : options.on ? true : vendor.active,
    ...given({ transport, marginPercent: markup, name: rename }),
    ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout * 1000 }),
    ...(options.firstTokenTimeout === undefined
      ? {}
      : { firstTokenTimeoutMs: firstTokenMsOf(options.firstTokenTimeout) }),
  }
}

function ownAddresses({ data }: VendorOptions): readonly string[] {
  const own = servingUrl(data)
  return own === null ? [] : [own]
}
