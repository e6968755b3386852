import { resolve } from 'node:path'
import { isSandboxOn } from '../../business/catalogue/sandbox'
import type { KeptService } from '../../business/operations/parts'
import { keyPrefix, readConfig } from '../../server/config'
import { openConnectionTrials } from '../../server/composition/connection-tests'
import { examineMachine } from '../../server/machine-checks'
import { checkPricesInThread } from '../../server/price-checks/price-check-thread'
import { openStoredSettle, redeemHash } from '../../server/composition/payment-service'
import { timesOf } from '../../server/database'
import { systemClock } from '../../domain/clock'
import { openLog } from '../../gateway/observability/log'
import { getJson } from '../../gateway/outbound/get-json'
import { getReport } from '../../gateway/outbound/get-report'
import { openSettings } from '../../business/settings/settings'
import { readNodes } from '../../business/data/nodes'
import type { Storage } from '../../business/data/storage'
import { detectVendors, fixedFor, serviceNamesBy } from '../local/configured-service'
import { servingNote } from '../../server/serving-note'
import { tryChannelsOf } from './kept-channels'

const nodeTtlMs = (): number => timesOf(process.env['CHAPAR_NODE_TTL']).ttlMs

/**
 * The service of a data folder as a command sees it: as the gateway that serves it is configured, else as this
 * shell's variables say.
 */
export async function keptServiceOf(storage: Storage, data: string): Promise<KeptService> {
  const config = readConfig(process.env)
  const fixed = await fixedFor(storage, data)
  // A value that cannot be read leaves the default, as in the gateway, which logs it.
  const { values: settings } = await openSettings({
    store: storage.settings,
    fixed,
    onFault: () => {},
  })
  const names = serviceNamesBy(await storage.service.read(), data)
  const [publicUrl] = names.baseUrls
  const serving = servingNote(data)
  const isDemo = serving?.demo ?? config.demo
  const operatorUrl = () =>
    serving?.operatorUrl ??
    config.operators.url ??
    publicUrl ??
    `http://${config.host}:${config.port}`
  let trials: KeptService['trials'] | null = null
  return {
    clock: systemClock,
    settings,
    fixed,
    discovery: () => detectVendors(data, storage),
    services: names.services.map((name, at) => ({
      name,
      keyPrefix: keyPrefix(name),
      url: names.baseUrls[at] ?? null,
    })),
    folder: resolve(data),
    isDemo,
    hashRedeemCode: redeemHash(storage.pepper),
    operatorUrl,
    settleDesk: (changed) => openStoredSettle(changed, systemClock),
    get trials() {
      return (trials ??= openConnectionTrials({
        config: { ...config, baseUrls: names.baseUrls, demo: isDemo },
        storage,
        clock: systemClock,
        settings,
        // Browsers come back from a bank to where customers are.
        operatorUrl: () => serving?.url ?? 'http://localhost:8080',
        log: openLog(config.logLevel),
        serviceName: () => settings.brandName ?? names.services[0] ?? config.services[0],
      }))
    },
    ...upkeepOf(storage, data, { settings, fixed }),
    askVendor: getJson,
    getReport,
    vendorTimeoutMs: config.vendorTimeoutMs,
    ownAddresses: () => (serving === null ? [] : [serving.url]),
    // A gateway that serves writes its calls by itself, and sees a change on its next call.
    flush: async () => {},
    refresh: async () => {},
  }
}

type Upkeep = Pick<
  KeptService,
  'checkPrices' | 'nodes' | 'examineMachine' | 'audit' | 'tryChannels'
>

/** Services that a command runs by itself, and a gateway in threads. */
const upkeepOf = (
  storage: Storage,
  data: string,
  { settings, fixed }: Pick<KeptService, 'settings' | 'fixed'>,
): Upkeep => ({
  async checkPrices(actor, sources) {
    const { pricesSources, pricesAuto: policy } = settings
    const from = { folder: data, database: storage.database, claim: null }
    const read = { sources: sources ?? pricesSources, whole: sources === null }
    const discovery = await detectVendors(data, storage)
    const sandbox = await isSandboxOn(storage, fixed)
    // The thread needs the memory more.
    Bun.gc(true)
    return await checkPricesInThread({ ...from, ...read, actor, policy, discovery, sandbox })
  },
  async nodes() {
    const { database } = storage
    if (database === null)
      throw new RangeError(
        'one process serves from a data folder; nodes share a database: name it by --database or CHAPAR_DATABASE',
      )
    return await readNodes(database, nodeTtlMs())
  },
  examineMachine: () =>
    examineMachine({ folder: data, database: storage.database, nodeTtlMs: nodeTtlMs() }),
  audit: () => storage.audit(),
  tryChannels: () => tryChannelsOf(storage, data),
})
