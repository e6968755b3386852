import type { Log } from '../gateway/observability/log'
import { registry } from '../gateway/settings/registry'
import type { ServiceProfile } from '../business/settings/service-profile'
import type { Storage } from '../business/data/storage'
import type { Cluster } from './cluster/cluster'

interface ProfileParts {
  readonly storage: Pick<Storage, 'service'>
  /** Null where one process serves. */
  readonly cluster: Pick<Cluster, 'list'> | null
  readonly log: Pick<Log, 'warn'>
}

/**
 * Writes down how this process was started, for commands. Nodes that were started otherwise decide
 * otherwise, and commands show what the last one has: whoever begins beside them says so.
 */
export async function writeProfile(
  { storage, cluster, log }: ProfileParts,
  profile: ServiceProfile,
): Promise<void> {
  if (cluster !== null && (await isOneOfSeveral(cluster))) {
    const before = await storage.service.read()
    const variables = before === null ? [] : differing(before, profile)
    if (variables.length > 0)
      log.warn('other nodes were started with other settings', { settings: variables.join(' ') })
  }
  await storage.service.write(profile)
}

const isOneOfSeveral = async (cluster: Pick<Cluster, 'list'>): Promise<boolean> =>
  (await cluster.list()).filter(({ silentMs }) => silentMs !== null).length > 1

/** Variables of settings that two processes were started with differently. */
function differing(one: ServiceProfile, other: ServiceProfile): readonly string[] {
  const fixed = Object.entries(registry)
    .filter(([key]) => one.fixed[key] !== other.fixed[key])
    .flatMap(([, { variable }]) => variable ?? [])
  const named = [
    ['CHAPAR_SERVICE', (each: ServiceProfile) => each.services[0]],
    ['CHAPAR_SISTER_SERVICE', (each: ServiceProfile) => each.services[1]],
    ['CHAPAR_URL', (each: ServiceProfile) => each.baseUrls[0]],
    ['CHAPAR_SISTER_URL', (each: ServiceProfile) => each.baseUrls[1]],
  ] as const
  return [...named.filter(([, of]) => of(one) !== of(other)).map(([name]) => name), ...fixed]
}
