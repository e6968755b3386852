import type { VendorConfig } from '../../domain/model'
import type { Storage } from '../data/storage'

/**
 * Keeps vendors whose keys are in the environment, sealed as any other's: they stay when the variable
 * is set to something else. One that is kept already gets the new key, and stays as it is otherwise;
 * one at another address is the operator's own.
 * @returns the names of those that are kept now
 */
export async function keepFoundVendors(
  { catalogue }: Pick<Storage, 'catalogue'>,
  found: readonly VendorConfig[],
): Promise<readonly string[]> {
  const earlier = new Map((await catalogue.vendors()).map((each) => [each.name, each]))
  const kept: string[] = []
  for (const vendor of found) {
    const { name, baseUrl, credential } = vendor
    const known = earlier.get(name)
    if (credential === null || (known !== undefined && known.baseUrl !== baseUrl)) continue
    if (known?.credential !== credential)
      await catalogue.saveVendor({ ...vendor, ...known, credential })
    kept.push(name)
  }
  return kept
}
