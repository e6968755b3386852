/**
 * The gateway on a data folder, until it is killed, with vendors that are asked about videos every
 * few milliseconds. It says where it listens.
 */
import { readConfig } from '../../src/server/config'
import { systemClock, systemMonotonic, systemRandom } from '../../src/domain/clock'
import { openGateway } from '../../src/server/gateway'
import { openLog } from '../../src/gateway/observability/log'
import { openObserving } from '../../src/gateway/observability/observing'
import { openDoors } from '../../src/server/listeners/listeners'
import { openPaymentService } from '../../src/server/composition/payment-service'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { noDiscovery } from '../../src/gateway/vendors/discover'
import { videos } from '../../src/gateway/vendors/openai/videos'

const [folder = ''] = process.argv.slice(2)
Object.assign(videos, { paceMs: 40 })
const config = readConfig({ CHAPAR_LOG: 'silent', CHAPAR_ADDRESS_RPM: '10000000', CHAPAR_WEB: '0' })
const storage = openStorage({ folder, exclusive: true, clock: systemClock })
await storage.ledger.recover()
const log = openLog(config.logLevel)
const observing = openObserving({ metrics: null, traces: null })
const gateway = await openGateway({
  config,
  storage,
  discovery: noDiscovery,
  clock: systemClock,
  monotonic: systemMonotonic,
  random: systemRandom,
  log,
  observing,
})
const { server } = openDoors(
  gateway,
  {
    config,
    storage,
    discovery: noDiscovery,
    clock: systemClock,
    log,
    describeCommands: () => '',
    payments: openPaymentService({ config, storage, gateway, clock: systemClock, log }),
    metrics: null,
  },
  { host: '127.0.0.1', port: 0 },
)
process.stdout.write(`${server.url}/v1\n`)
