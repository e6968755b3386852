import type { CatalogueParts } from '../../admin/catalogue'
import { isSandboxOn } from '../../admin/sandbox'
import { detectVendors, fixedFor } from './configured-service'
import { withStorage, type CommonOptions } from '../kit/leaf'

/**
 * Does something with what is kept in a data folder, and what a gateway started from here would find.
 * @param within whether the folder is made where there is none
 */
export async function withCatalogue<T>(
  options: CommonOptions,
  work: (parts: CatalogueParts) => T | Promise<T>,
  within: typeof withStorage = withStorage,
): Promise<T> {
  const discovery = await detectVendors(options.data)
  return await within(options, async (storage) => {
    const sandbox = isSandboxOn(storage, await fixedFor(storage, options.data))
    return await work({ storage, discovery, sandbox })
  })
}
