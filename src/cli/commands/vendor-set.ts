import type { Command } from 'commander'
import { isSandboxOn, setSandbox } from '../../admin/sandbox'
import type { Transport, VendorConfig } from '../../domain/model'
import type { Storage } from '../../storage/storage'
import type { Discovery } from '../../vendors/discover'
import { sandboxVendor } from '../../vendors/sandbox/models'
import { leaf, read, refusing, withNewStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'
import { percentOf, transportOption } from './vendor-config'
import { detectVendors, fixedFor } from './configured-service'

interface SetVendorOptions extends CommonOptions {
  readonly on?: true
  readonly off?: true
  readonly margin?: string
  readonly timeout?: number
  readonly transport?: Transport
}

/** `vendor set`: what is known of a vendor stays, but for what is asked. */
export function vendorSetCommand(vendor: Command): void {
  leaf(vendor, 'set', 'change a vendor, or switch it off and on', 'vendor set openai --off')
    .argument('<name>', 'name of the vendor; also one found in the environment, and sandbox')
    .option('--off', 'its models are not available for the moment, but by other vendors')
    .option('--on', 'available again')
    .option('--margin <percent>', 'added to the public prices of its models', (text) =>
      refusing(() => percentOf(text)),
    )
    .option('--timeout <seconds>', 'longest wait for the first byte', read.count)
    .addOption(transportOption())
    .action(async (name: string, options: SetVendorOptions) => {
      if (options.on && options.off) throw new RangeError('a vendor is --on or --off, not both')
      const discovery = await detectVendors(options.data)
      const { active, transport } = await withNewStorage(options, (storage) =>
        set(storage, discovery, name, options),
      )
      if (options.json) return printJson({ object: 'vendor', name, active, transport })
      const way = transport === 'own' ? '' : `, called by ${transport}`
      printLine(`vendor ${name} is ${active ? 'on' : 'off'}${way}`)
    })
}

/** @returns what it is now */
async function set(
  storage: Storage,
  discovery: Discovery,
  name: string,
  options: SetVendorOptions,
): Promise<VendorConfig> {
  const { catalogue } = storage
  if (name === sandboxVendor.name) return await setSandboxVendor(storage, options)
  const stored = catalogue.vendors().find((each) => each.name === name)
  const found = discovery.found.find((each) => each.name === name)
  const vendor = stored ?? found
  if (vendor === undefined)
    throw new RangeError(`there is no vendor ${name}; see chapar vendor list`)
  const active = options.off ? false : options.on ? true : vendor.active
  const { margin, timeout, transport } = options
  if (found !== undefined && (stored === undefined || isSwitch(stored, found))) {
    if (isEdited(options))
      throw new RangeError(`${name} is not kept here: add it with chapar vendor add`)
    if (active) catalogue.removeVendor(name)
    else catalogue.saveVendor({ ...found, credential: null, active: false })
    return { ...found, active }
  }
  const changed = {
    ...vendor,
    active,
    marginPercent: margin ?? vendor.marginPercent,
    timeoutMs: timeout === undefined ? vendor.timeoutMs : timeout * 1000,
    transport: transport ?? vendor.transport,
  }
  catalogue.saveVendor(changed)
  return changed
}

/** The sandbox is no row: what it sells is a setting. */
async function setSandboxVendor(
  storage: Storage,
  options: SetVendorOptions,
): Promise<VendorConfig> {
  if (isEdited(options)) throw new RangeError('the sandbox can only be switched --on or --off')
  if (options.on || options.off) setSandbox(storage, options.on === true)
  return { ...sandboxVendor, active: isSandboxOn(storage, await fixedFor(storage, options.data)) }
}

const isEdited = ({ margin, timeout, transport }: SetVendorOptions): boolean =>
  margin !== undefined || timeout !== undefined || transport !== undefined

/** A row that only says that what is found is off: without a key of its own, at the same address. */
const isSwitch = (stored: VendorConfig, found: VendorConfig): boolean =>
  !stored.active && stored.credential === null && stored.baseUrl === found.baseUrl
