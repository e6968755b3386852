import type { CatalogueParts } from '../admin/catalogue'
import { isSandboxOn } from '../admin/sandbox'
import { detectVendors } from './detect'
import { withStorage, type CommonOptions } from './leaf'
import { fixedIn } from './reach'

/** Does something with what is kept in a data folder, and what a gateway started from here would find. */
export async function withCatalogue<T>(
  options: CommonOptions,
  work: (parts: CatalogueParts) => T,
): Promise<T> {
  const discovery = await detectVendors(options.data)
  return withStorage(options, (storage) => {
    const sandbox = isSandboxOn(storage, fixedIn(options.data))
    return work({ storage, discovery, sandbox })
  })
}
