import { openAdminApi } from '../../console/api/admin/admin-api'
import type { EmbeddedApp } from '../../console/embedded'
import type { OperatorService } from '../../console/operator-parts'
import { systemIds } from '../../domain/ids'
import { openTrustedProxies, type UntrustedProxy } from '../../gateway/http/address'
import { watchHosts } from '../../gateway/http/host-watch'
import type { MetricsDoor } from '../../gateway/observability/metrics-door'
import { isLoopbackUrl, serviceAddresses } from './addresses'
import type { Gateway } from '../gateway'
import { listening } from './listening'
import { openOperatorService, type OperatorServiceParts } from '../composition/operator-service'
import type { RunNotes } from '../process/run-contract'
import { openServer } from './server'
import type { Server, ServerOptions } from './server-contract'
import { openWeb, type WebParts } from './web'

/** What a server shows besides the interface, and whom it believes. */
interface DoorParts extends Omit<
  OperatorServiceParts,
  'gateway' | 'servedAt' | 'customersAt' | 'untrustedProxy' | 'unnamedHost'
> {
  readonly metrics: MetricsDoor | null
  readonly payments: WebParts['payments']
  readonly describeCommands: WebParts['describeCommands']
  /** Told once of each. */
  readonly notes?: Pick<RunNotes, 'untrusted' | 'unnamed'>
  /** Tests bring their own. */
  readonly app?: EmbeddedApp
}

/** The servers before a gateway, as one. */
interface Doors {
  readonly server: Server
  readonly desk: OperatorService
}

/**
 * The public server before a gateway, and that of operators where they have one of their own.
 * @throws Error with the system's code where it cannot listen there
 */
export function openDoors(gateway: Gateway, parts: DoorParts, address: ServerOptions): Doors {
  const { config, clock, metrics } = parts
  const { isShared = false } = address
  const at = { url: '', customers: '' }
  let untrusted: UntrustedProxy | null = null
  const onUntrusted = (proxy: UntrustedProxy) => {
    untrusted = proxy
    parts.notes?.untrusted(proxy)
  }
  let unnamed: string | null = null
  const onUnnamed = (name: string) => {
    unnamed = name
    parts.notes?.unnamed(name)
  }
  const addresses = serviceAddresses(config, () => at.customers)
  const desk = openOperatorService({
    ...parts,
    gateway,
    servedAt: () => at.url,
    customersAt: () => at.customers,
    untrustedProxy: () => untrusted,
    unnamedHost: () => unnamed,
  })
  const proxies = openTrustedProxies(config.trustedProxies, onUntrusted)
  const shared = {
    routes: gateway.parts,
    inbound: {
      ids: systemIds,
      clock,
      monotonic: gateway.parts.monotonic,
      proxies:
        config.web && addresses.publicUrl === null ? watchHosts(proxies, onUnnamed) : proxies,
    },
    web: config.web ? openWeb({ ...parts, gateway, desk, addresses }) : null,
    admin: openAdminApi(desk),
    sync: gateway.sync,
  }
  const server = listening(address, '--port', () =>
    openServer(
      { ...shared, metrics, door: 'public', isHttps: isHttps(addresses.publicUrl) },
      address,
    ),
  )
  at.customers = server.url
  if (config.web && addresses.publicUrl === null && !isLoopbackUrl(server.url))
    onUnnamed(address.host)
  const { listen } = config.operators
  if (listen === null) {
    at.url = server.url
    return { server, desk }
  }
  const operators = besides(server, () =>
    listening(listen, '--admin-port', () =>
      openServer(
        { ...shared, metrics: null, door: 'operators', isHttps: isHttps(desk.knownUrl) },
        { ...listen, isShared },
      ),
    ),
  )
  at.url = operators.url
  return { server: joined(server, operators), desk }
}

const isHttps = (url: string | null): boolean => url?.startsWith('https:') === true

/** A second server; where there can be none the first one is closed. */
function besides(first: Server, open: () => Server): Server {
  try {
    return open()
  } catch (thrown) {
    void first.drop()
    throw thrown
  }
}

/** Two servers that are drained and dropped together; the address is that of the first. */
const joined = (first: Server, second: Server): Server => ({
  url: first.url,
  port: first.port,
  stopListening() {
    first.stopListening()
    second.stopListening()
  },
  async leave(how = {}) {
    const { closed = () => {} } = how
    let open = 2
    const both = { ...how, closed: () => --open === 0 && closed() }
    await Promise.all([first.leave(both), second.leave(both)])
  },
  steer() {
    first.steer()
    second.steer()
  },
  spread() {
    first.spread()
    second.spread()
  },
  adminPort: second.port,
  listenedAt: first.listenedAt,
  closeIdle() {
    first.closeIdle()
    second.closeIdle()
  },
  closeHeadless(missing, share) {
    const closed = first.closeHeadless(missing, share)
    return closed + second.closeHeadless(missing - closed, share)
  },
  setScarce: first.setScarce,
  async drop() {
    await Promise.all([first.drop(), second.drop()])
  },
})
