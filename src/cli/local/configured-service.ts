import { fixedSettings, keyPrefix, readConfig, type Config } from '../../server/config'
import type { VendorConfig } from '../../domain/model'
import type { FixedSettings } from '../../business/settings/settings'
import type { ServiceProfile } from '../../business/settings/service-profile'
import type { Storage } from '../../business/data/storage'
import { discoverVendors, noDiscovery, type Discovery } from '../../gateway/vendors/discover'
import { probe } from './http-probe'
import { servingNote, servingUrl } from '../../server/serving-note'

/*
 * Which service commands speak of. While a gateway serves a folder, its own configuration holds,
 * whatever this shell's variables say; else these hold, and what they leave open is as the gateway
 * before had it.
 */

/** Configuration that a gateway keeps for commands. */
export function profileOf(config: Config, discovery: Discovery): ServiceProfile {
  const { webhook, command } = config.notices
  return {
    services: [...config.services],
    baseUrls: [...config.baseUrls],
    fixed: { ...config.fixed },
    vendors: discovery.found.map(({ name, kind, dialect, baseUrl, timeoutMs, credential }) => ({
      name,
      kind,
      dialect,
      baseUrl: withoutSecrets(baseUrl),
      timeoutMs,
      hasKey: credential !== null,
    })),
    local: discovery.local.map(({ vendor, id }) => ({ vendor, id })),
    notices: {
      // The rest of an address, and a command's arguments, may be secrets.
      webhook: webhook === null ? null : new URL(webhook.url).host,
      command: command?.[0] ?? null,
    },
  }
}

function withoutSecrets(address: string): string {
  const url = new URL(address)
  if (url.username + url.password + url.search === '') return address
  url.username = url.password = url.search = ''
  return url.href.replace(/\/+$/, '')
}

const isServed = (folder: string): boolean => servingNote(folder) !== null

/** Names and addresses of the service and its sister, by the profile that is kept with the data. */
export function serviceNamesBy(
  profile: ServiceProfile | null,
  folder: string,
): Pick<ServiceProfile, 'services' | 'baseUrls'> {
  const here = readConfig(process.env)
  if (profile === null) return { services: [...here.services], baseUrls: [...here.baseUrls] }
  const [first, second] = isServed(folder) ? [profile, here] : [here, profile]
  const isNamedHere = ['CHAPAR_SERVICE', 'CHAPAR_SISTER_SERVICE'].some((name) => process.env[name])
  const { services } = isServed(folder) || !isNamedHere ? profile : here
  return {
    services: [...services],
    baseUrls: [first.baseUrls[0] ?? second.baseUrls[0], first.baseUrls[1] ?? second.baseUrls[1]],
  }
}

/** Settings that the environment fixes. */
export async function fixedFor({ service }: Storage, folder: string): Promise<FixedSettings> {
  const profile = isServed(folder) ? await service.read() : null
  return profile?.fixed ?? fixedSettings(process.env)
}

/** Channels of the gateway that serves, besides the log; null when none does. */
export const servedChannels = async (
  { service }: Pick<Storage, 'service'>,
  folder: string,
): Promise<ServiceProfile['notices'] | null> =>
  isServed(folder) ? ((await service.read())?.notices ?? null) : null

/** Vendors that nobody added. */
interface FoundVendors extends Discovery {
  /** Names of those whose keys are not known here: they are where the gateway runs. */
  readonly keysElsewhere: ReadonlySet<string>
}

/** Vendors in the environment and on the machine of the service. @param data what it is kept in */
export async function detectVendors(
  folder: string,
  { service }: Pick<Storage, 'service'>,
): Promise<FoundVendors> {
  const here = await detectHere(folder)
  const profile = await service.read()
  if (profile === null) return { ...here, keysElsewhere: new Set() }
  const known = new Map(here.found.map((vendor) => [vendor.name, vendor]))
  const served = isServed(folder)
  const kept = profile.vendors
    // What this shell has holds where nobody serves.
    .filter(({ name }) => served || !known.has(name))
    .map((vendor) => {
      const same = known.get(vendor.name)
      const isKeyHere = same?.baseUrl === vendor.baseUrl
      return {
        config: isKeyHere ? same : foundThere(vendor),
        keyElsewhere: vendor.hasKey && !isKeyHere,
      }
    })
  const found = kept.map(({ config }) => config)
  const local = profile.local.filter(({ vendor }) => served || !known.has(vendor))
  return {
    found: served ? found : [...here.found, ...found],
    local: served ? local : [...here.local, ...local],
    notes: here.notes,
    keysElsewhere: new Set(
      kept.filter(({ keyElsewhere }) => keyElsewhere).map(({ config }) => config.name),
    ),
  }
}

const foundThere = ({ hasKey: _, ...vendor }: ServiceProfile['vendors'][number]): VendorConfig => ({
  ...vendor,
  credential: null,
  transport: 'own',
  active: true,
  source: 'environment',
})

/** As a gateway started from here finds them; never the gateway that serves this folder. */
async function detectHere(folder: string): Promise<Discovery> {
  const config = readConfig(process.env)
  if (!config.detect) return noDiscovery
  const serving = servingUrl(folder)
  return await discoverVendors({
    env: process.env,
    ownKeyPrefixes: config.services.map(keyPrefix),
    ownAddresses: [
      `${config.host}:${config.port}`,
      `127.0.0.1:${config.port}`,
      `localhost:${config.port}`,
      ...(serving === null ? [] : [new URL(serving).host]),
    ],
    timeoutMs: config.vendorTimeoutMs,
    probe,
  })
}
