import type { VendorConfig } from '../../domain/model'
import type { Storage } from './storage'
import type { Discovery } from '../../gateway/vendors/discover'
import { sandboxModels, sandboxVendor } from '../../gateway/vendors/sandbox/models'
import type { CatalogueParts } from '../pricing/priced-catalogue'

/** A service as its operator changes it: what is kept, and what it found when it began. */
export interface ServiceParts {
  readonly storage: Pick<Storage, 'catalogue' | 'prices' | 'settings'>
  readonly discovery: Pick<Discovery, 'found' | 'local'>
  /** Whether the sandbox is on sale by now. */
  sandbox(): Promise<boolean>
}

/** Vendors that nobody added: the program's own, and those found. */
export const foundVendorsOf = async ({
  discovery,
  sandbox,
}: Pick<ServiceParts, 'discovery' | 'sandbox'>): Promise<readonly VendorConfig[]> => [
  { ...sandboxVendor, active: await sandbox() },
  ...discovery.found,
]

/** Whether a kept row only changes a vendor that was found: no key of its own, at the same address. */
export const isOverlay = (stored: VendorConfig, found: VendorConfig): boolean =>
  stored.credential === null && stored.baseUrl === found.baseUrl

/** Every vendor, one of each name: what an operator added or changed wins over what is found. */
export async function vendorsOf(parts: ServiceParts): Promise<readonly VendorConfig[]> {
  const all = new Map((await foundVendorsOf(parts)).map((each) => [each.name, each]))
  for (const stored of await parts.storage.catalogue.vendors()) {
    const found = all.get(stored.name)
    all.set(
      stored.name,
      found !== undefined && isOverlay(stored, found)
        ? { ...stored, credential: found.credential, source: found.source }
        : stored,
    )
  }
  return [...all.values()]
}

/** Parts of the service's catalogue. */
export const catalogueOf = async (parts: ServiceParts): Promise<CatalogueParts> => ({
  storage: parts.storage,
  vendors: await vendorsOf(parts),
  builtin: (await parts.sandbox()) ? sandboxModels : [],
  local: parts.discovery.local,
  aliases: await parts.storage.catalogue.aliases(),
})
