import type { VendorConfig } from '../domain/model'
import type { Storage } from '../storage/storage'

/**
 * Keeps vendors whose keys are in the environment, sealed as any other's: they stay when the variable
 * is set to something else. One that is kept already gets the new key, and stays as it is otherwise;
 * one at another address is the operator's own.
 * @returns the names of those that are kept now
 */
export function keepFoundVendors(
  { catalogue }: Pick<Storage, 'catalogue'>,
  found: readonly VendorConfig[],
): readonly string[] {
  const kept = new Map(catalogue.vendors().map((each) => [each.name, each]))
  return found.flatMap((vendor) => {
    const { name, baseUrl, credential } = vendor
    const earlier = kept.get(name)
    if (credential === null || (earlier !== undefined && earlier.baseUrl !== baseUrl)) return []
    if (earlier?.credential !== credential)
      catalogue.saveVendor({ ...vendor, ...earlier, credential })
    return [name]
  })
}
