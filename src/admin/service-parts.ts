import type { VendorConfig } from '../domain/model'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'
import { sandboxModels, sandboxVendor } from '../vendors/sandbox/models'
import type { CatalogueParts } from './priced-catalogue'

/** A service as its operator changes it: what is kept, and what it found when it began. */
export interface ServiceParts {
  readonly storage: Pick<Storage, 'catalogue' | 'prices' | 'settings'>
  readonly discovery: Pick<Discovery, 'found' | 'local'>
  /** Whether the sandbox is on sale by now. */
  readonly sandbox: boolean
}

/** Vendors that nobody added: the program's own, and those found. */
export const foundVendorsOf = ({
  discovery,
  sandbox,
}: Pick<ServiceParts, 'discovery' | 'sandbox'>): readonly VendorConfig[] => [
  { ...sandboxVendor, active: sandbox },
  ...discovery.found,
]

/** Whether a kept row only changes a vendor that was found: no key of its own, at the same address. */
export const isOverlay = (stored: VendorConfig, found: VendorConfig): boolean =>
  stored.credential === null && stored.baseUrl === found.baseUrl

/** Every vendor, one of each name: what an operator added or changed wins over what is found. */
export function vendorsOf(parts: ServiceParts): readonly VendorConfig[] {
  const all = new Map(foundVendorsOf(parts).map((each) => [each.name, each]))
  for (const stored of parts.storage.catalogue.vendors()) {
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

/** What the service's catalogue is made of. */
export const catalogueOf = (parts: ServiceParts): CatalogueParts => ({
  storage: parts.storage,
  vendors: vendorsOf(parts),
  builtin: parts.sandbox ? sandboxModels : [],
  local: parts.discovery.local,
  aliases: parts.storage.catalogue.aliases(),
})
