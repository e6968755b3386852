import type { ReasoningMemory } from '../call/reasoning-memory'
import { plus } from '../domain/money'
import { within } from '../domain/within'
import type { Ledger } from '../ledger/ledger'
import type { WatchedCall, WatchedCalls } from '../observability/live-calls'
import type { Invited } from '../people/tell-invited'
import type { ProcessBus } from '../processes/bus'
import { peerTopics, type Peers, type ServiceLoad } from './peers'
import type { GatewayParts } from './rooms'

/** How long one process tells the others of its calls after it was asked to, and how often it is asked. */
const followMs = 15_000
const followAgainMs = 5000
/** How often changes go out together, and how many: a database is not to be busy because somebody looks. */
const paces = {
  socket: { everyMs: 200, maxTold: 500 },
  database: { everyMs: 1000, maxTold: 200 },
}
type Pace = keyof typeof paces

/** Live calls of all processes: each keeps its own. @param pace what the others hear of changes by */
export function sharedCalls(
  own: WatchedCalls,
  bus: ProcessBus | undefined,
  pace: Pace,
): WatchedCalls {
  if (bus === undefined) return own
  bus.on(peerTopics.liveCalls, () => own.list())
  bus.on(peerTopics.stopCall, (request) => own.stop(request))
  tellFollowers(own, bus, pace)
  const followers = new Set<(call: WatchedCall) => void>()
  bus.on(peerTopics.followed, (calls) => {
    for (const call of calls) for (const changed of followers) changed(call)
    return null
  })
  return {
    async list() {
      const others = await bus.others(peerTopics.liveCalls, null).catch(() => [])
      const all = [await own.list(), ...others]
      return {
        calls: all.flatMap(({ calls }) => calls).toSorted((a, b) => b.began - a.began),
        forgotten: all.reduce((sum, { forgotten }) => sum + forgotten, 0),
      }
    },
    follow(changed) {
      const end = own.follow(changed)
      followers.add(changed)
      const ask = () => bus.tell(peerTopics.follow, null)
      ask()
      const timer = setInterval(ask, followAgainMs)
      timer.unref()
      return () => {
        end()
        clearInterval(timer)
        followers.delete(changed)
      }
    },
    async stop(request) {
      if (await own.stop(request)) return true
      return (await bus.others(peerTopics.stopCall, request)).includes(true)
    },
  }
}

/** Tells others of each change, for a while after somebody asked. */
function tellFollowers(own: WatchedCalls, bus: ProcessBus, pace: Pace): void {
  const { everyMs, maxTold } = paces[pace]
  const changed = new Map<string, WatchedCall>()
  let unfollow: (() => void) | null = null
  let timer: ReturnType<typeof setInterval> | null = null
  let until = 0
  const stop = () => {
    unfollow?.()
    unfollow = null
    if (timer !== null) clearInterval(timer)
    timer = null
  }
  const tell = () => {
    if (changed.size > 0) bus.tell(peerTopics.followed, [...changed.values()])
    changed.clear()
    if (performance.now() > until) stop()
  }
  bus.on(peerTopics.follow, () => {
    until = performance.now() + followMs
    unfollow ??= own.follow((call) => {
      if (changed.size < maxTold || changed.has(call.id)) changed.set(call.id, call)
    })
    if (timer === null) {
      timer = setInterval(tell, everyMs)
      timer.unref()
    }
    return null
  })
}

/** A node that was killed a moment ago says nothing: it is not waited for any longer. */
const maxRecordedMs = 500

/**
 * Has what ended on record, wherever it did. Fronts ask each other whenever they flush; of nodes, which answer through
 * a database, only who misses a call asks, and all who do at a time ask once.
 */
export function sharedRecords(
  ledger: Pick<Ledger, 'flush'>,
  { cluster = null }: Pick<GatewayParts, 'cluster'>,
): () => Promise<void> {
  if (cluster === null) return () => ledger.flush()
  const { bus } = cluster
  bus.on(peerTopics.flush, async () => {
    await ledger.flush()
    return true
  })
  const ask = async () => {
    await Promise.all([
      ledger.flush(),
      within(maxRecordedMs, bus.others(peerTopics.flush, null)).catch(() => 'away'),
    ])
  }
  let running = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = () => {
    next = null
    return ask()
  }
  return () => (next ??= running = running.then(begin, begin))
}

/** Running work of all processes. */
export function sharedLoad(own: () => ServiceLoad, bus: ProcessBus | undefined) {
  bus?.on(peerTopics.load, own)
  return async (): Promise<ServiceLoad> => {
    const others = (await bus?.others(peerTopics.load, null).catch(() => [])) ?? []
    return [own(), ...others].reduce((sum, each) => ({
      runningCalls: sum.runningCalls + each.runningCalls,
      held: plus(sum.held, each.held),
      openStreams: sum.openStreams + each.openStreams,
    }))
  }
}

/**
 * Reasoning that a later request of the same conversation needs, whichever process it comes to: each process
 * keeps all of it, since a call that is being rendered cannot wait. What comes within a millisecond of its answer
 * may find nothing, as after a restart: no call fails of that.
 */
export function sharedMemory(own: ReasoningMemory, peers: Peers | undefined): ReasoningMemory {
  if (peers === undefined || peers.role === 'owner') return own
  const { bus } = peers
  bus.on(peerTopics.remember, (turn) => {
    own.remember(turn)
    return null
  })
  return {
    remember(turn) {
      own.remember(turn)
      bus.tell(peerTopics.remember, turn)
    },
    recall: (key) => own.recall(key),
    knows: (place) => own.knows(place),
    bytes: () => own.bytes(),
  }
}

/** Invitations that other processes tell of; undefined where there are none. */
export function sharedInvitations(bus: ProcessBus | undefined) {
  if (bus === undefined) return undefined
  return {
    tell: (invited: Invited) => bus.tell(peerTopics.invited, invited),
    onTold: (told: (invited: Invited) => void) =>
      bus.on(peerTopics.invited, (invited) => {
        told(invited)
        return null
      }),
  }
}
