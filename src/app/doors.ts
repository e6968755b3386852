import { openAdminApi } from '../console/api/admin/admin-api'
import type { EmbeddedApp } from '../console/embedded'
import type { OperatorDesk } from '../console/operator-parts'
import { systemIds } from '../domain/ids'
import { openTrustedProxies, type UntrustedProxy } from '../http/address'
import type { MetricsDoor } from '../observability/metrics-door'
import type { Gateway } from './gateway'
import { listening } from './listening'
import { openOperatorDesk, type OperatorDeskParts } from './operator-desk'
import { openServer, type Server, type ServerOptions } from './server'
import { openWeb, type WebParts } from './web'

/** What a server shows besides the interface, and whom it believes. */
interface DoorParts extends Omit<
  OperatorDeskParts,
  'gateway' | 'servedAt' | 'customersAt' | 'untrustedProxy'
> {
  readonly metrics: MetricsDoor | null
  readonly payments: WebParts['payments']
  onUntrusted?(proxy: UntrustedProxy): void
  /** Tests bring their own. */
  readonly app?: EmbeddedApp
}

/** The servers before a gateway, as one. */
interface Doors {
  readonly server: Server
  readonly desk: OperatorDesk
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
    parts.onUntrusted?.(proxy)
  }
  const desk = openOperatorDesk({
    ...parts,
    gateway,
    servedAt: () => at.url,
    customersAt: () => at.customers,
    untrustedProxy: () => untrusted,
  })
  const shared = {
    routes: gateway.parts,
    inbound: {
      ids: systemIds,
      clock,
      monotonic: gateway.parts.monotonic,
      proxies: openTrustedProxies(config.trustedProxies, onUntrusted),
    },
    web: config.web ? openWeb({ ...parts, gateway, desk }) : null,
    admin: openAdminApi(desk),
    sync: gateway.sync,
  }
  const server = listening(address, '--port', () =>
    openServer({ ...shared, metrics, door: 'public' }, address),
  )
  at.customers = server.url
  const { listen } = config.operators
  if (listen === null) {
    at.url = server.url
    return { server, desk }
  }
  const operators = besides(server, () =>
    listening(listen, '--admin-port', () =>
      openServer({ ...shared, metrics: null, door: 'operators' }, { ...listen, isShared }),
    ),
  )
  at.url = operators.url
  return { server: joined(server, operators), desk }
}

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
  async leave() {
    await Promise.all([first.leave(), second.leave()])
  },
  closeIdle() {
    first.closeIdle()
    second.closeIdle()
  },
  setScarce: first.setScarce,
  async drop() {
    await Promise.all([first.drop(), second.drop()])
  },
})
