import type { ServiceParts } from '../../admin/service-parts'
import { isSandboxOn } from '../../admin/sandbox'
import type { Storage } from '../../storage/storage'
import { withStorage, type CommonOptions } from '../kit/leaf'
import { detectVendors, fixedFor, type FoundVendors } from './configured-service'

/** A service as commands see it. */
interface CommandParts extends ServiceParts {
  readonly storage: Storage
  readonly discovery: FoundVendors
}

/**
 * Runs on the service of a data folder: as it serves, or served last, with the vendors that it found
 * in its own environment. Where none serves, what a gateway started from here would find counts too.
 * @param within whether the folder is made where there is none
 */
export async function withService<T>(
  options: CommonOptions,
  work: (parts: CommandParts) => Promise<T>,
  within: typeof withStorage = withStorage,
): Promise<T> {
  return await within(options, async (storage) => {
    const discovery = await detectVendors(options.data, storage)
    const fixed = await fixedFor(storage, options.data)
    const parts = {
      storage,
      discovery,
      sandbox: () => isSandboxOn(storage, fixed),
    }
    return await work(parts)
  })
}
