/**
 * The gateway on a data folder, until it is killed, with vendors that are asked about videos every
 * few milliseconds. It says where it listens.
 */
import { readConfig } from '../../src/app/config'
import { systemClock, systemRandom } from '../../src/domain/clock'
import { systemIds } from '../../src/domain/ids'
import { openGateway } from '../../src/app/gateway'
import { openTrustedProxies } from '../../src/http/address'
import { openLog } from '../../src/observability/log'
import { openObserving } from '../../src/observability/observing'
import { openServer } from '../../src/app/server'
import { openStorage } from '../../src/storage/sqlite/open-storage'
import { noDiscovery } from '../../src/vendors/discover'
import { videos } from '../../src/vendors/openai/videos'

const [folder = ''] = process.argv.slice(2)
Object.assign(videos, { paceMs: 40 })
const config = readConfig({ CHAPAR_LOG: 'silent', CHAPAR_ADDRESS_RPM: '10000000' })
const storage = openStorage({ folder, exclusive: true, clock: systemClock })
await storage.ledger.recover()
const log = openLog(config.logLevel)
const observing = openObserving({ metrics: null, traces: null })
const gateway = await openGateway({
  config,
  storage,
  discovery: noDiscovery,
  clock: systemClock,
  random: systemRandom,
  log,
  observing,
})
const proxies = openTrustedProxies([])
const server = openServer(
  {
    routes: gateway.parts,
    inbound: { ids: systemIds, clock: systemClock, proxies },
    metrics: null,
    web: null,
    sync: gateway.sync,
  },
  { host: '127.0.0.1', port: 0 },
)
process.stdout.write(`${server.url}/v1\n`)
