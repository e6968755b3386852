import { systemClock, systemMonotonic, systemRandom } from '../domain/clock'
import { openFrontBus } from '../processes/bus'
import { openFront, type Front } from '../processes/front'
import { openEndingFile } from '../storage/files/ending-spool'
import { openStorage } from '../storage/open'
import { faultFields } from '../observability/log'
import { settingIn } from '../settings/settings'
import { watchDescriptors } from './descriptor-watch'
import { openDoors } from './doors'
import { beatMs, fenceMs } from './front-times'
import { gatherMetrics } from './gather-metrics'
import { openGateway } from './gateway'
import { openPaymentDesk } from './payment-desk'
import { watchFaults } from './fault-watch'
import { peerTopics, type Peers } from './peers'
import { cutMs, drain, storageOptions, type FrontPorts, type RunParts } from './run'
import { openWatching } from './watching'

/** A process that serves for an owner. */
export interface RunningFront {
  /** Drains and stops. */
  stop(): Promise<void>
  readonly stopped: Promise<void>
}

/** Its owner is gone, and there is no other. */
const orphanedExit = 3

/**
 * The life of a front: everything that answers clients, and nothing that must be done once.
 * @param socket where it finds its owner
 * @throws Error when there is none, or it cannot serve; the owner is told why
 */
export async function openFrontRun(parts: RunParts, socket: string): Promise<RunningFront> {
  const { log } = parts
  const end = openFrontBus()
  const state = { version: 0, onLeave: () => {}, onGone: () => {}, onBack: () => {} }
  const front = await openFront({
    path: socket,
    pid: process.pid,
    answering: end.answering,
    beatMs,
    fenceMs,
    openSpool: openEndingFile,
    now: () => performance.now(),
    onFault: (fault) => log.error('journal commit failed', faultFields(fault)),
    onChanged() {
      state.version++
      state.onBack()
    },
    onLeave: () => state.onLeave(),
    onGone: () => state.onGone(),
    onRefused: ({ caller, code, needed }) =>
      bus.tell(peerTopics.refused, { key: caller.key.id, code, needed }),
    onMiscount: (miscount) => bus.tell(peerTopics.miscounted, miscount),
  })
  const bus = end.bus(front)
  try {
    return await serve(parts, { front, bus, state })
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null
    bus.tell(peerTopics.unfit, {
      why: thrown instanceof Error ? thrown.message : 'it failed',
      code,
    })
    await front.close()
    throw thrown
  }
}

interface FrontParts {
  readonly front: Front
  readonly bus: Peers['bus']
  readonly state: {
    readonly version: number
    onLeave: () => void
    onGone: () => void
    onBack: () => void
  }
}

async function serve(parts: RunParts, { front, bus, state }: FrontParts): Promise<RunningFront> {
  const { log, notes } = parts
  const clock = systemClock
  const storage = openStorage(storageOptions(parts, { exclusive: false, isFront: true }))
  const { port, adminPort } = front.greeting as FrontPorts
  const config = atPort(parts.config, adminPort)
  storage.countDaysIn(settingIn('serviceZone', config.fixed, await storage.settings.all()).text)
  const name = `front-${front.node}`
  notes.joined?.(name)
  const shared = { gather: gatherMetrics(name, bus), listens: false }
  const watching = await openWatching(config, log, shared)
  const { observing, publicDoor: metrics } = watching
  bus.on(peerTopics.metrics, () => ({ process: name, text: observing.metrics?.text() ?? '' }))
  bus.on(peerTopics.heard, () => true as const)
  const peers: Peers = {
    role: 'front',
    bus,
    openLedger: (settings) => front.openLedger(settings),
    version: () => state.version,
    taken() {},
  }
  const discovery = await parts.discover()
  const given = {
    config,
    storage,
    discovery,
    clock,
    monotonic: systemMonotonic,
    random: systemRandom,
    log,
    observing,
    peers,
  }
  const gateway = await openGateway(given)
  const payments = openPaymentDesk({ storage, gateway, clock, log })
  const { commandLine } = parts
  const { server, desk } = openDoors(
    gateway,
    {
      ...given,
      commandLine,
      payments,
      metrics,
      onUntrusted: (proxy) => bus.tell(peerTopics.untrusted, proxy),
    },
    { ...parts.address, port, isShared: true },
  )
  const tellServing = () =>
    bus.tell(peerTopics.serving, { url: server.url, operatorUrl: desk.service.operatorUrl() })
  const unwatch = watchFaults(log)
  const freeReserve = watchDescriptors(server, log)
  const { promise: stopped, resolve: ended } = Promise.withResolvers<void>()
  const nothing = { close() {}, stop() {} }
  const quiet = { ...notes, stopping() {}, stopped() {} }
  const open = { server, gateway, storage, watching, log, notes: quiet, freeReserve }
  let ending: Promise<void> | null = null
  const leave = async (drainMs: number) => {
    await drain({ ...open, prices: nothing, reconciler: nothing, looks: nothing }, drainMs)
    await front.close()
    unwatch()
    ended()
  }
  // Whoever has a connection here hears of it with its next answer.
  const makeRoom = async () => {
    await server.leave()
    await leave(Number.POSITIVE_INFINITY)
  }
  state.onLeave = () => void (ending ??= makeRoom())
  state.onGone = () => void orphaned()
  const orphaned = async () => {
    log.error('the owner of the data folder is gone')
    gateway.parts.streams.cutAll()
    await Bun.sleep(cutMs)
    log.flush()
    process.exit(orphanedExit)
  }
  log.info('front', { url: server.url, pid: process.pid })
  tellServing()
  return { stop: () => (ending ??= leave(config.drainMs)), stopped }
}

/** Operators are answered where all fronts answer them. */
const atPort = (config: RunParts['config'], adminPort: number | null): RunParts['config'] => {
  const { operators } = config
  const { listen } = operators
  if (listen === null || adminPort === null) return config
  return { ...config, operators: { ...operators, listen: { ...listen, port: adminPort } } }
}
