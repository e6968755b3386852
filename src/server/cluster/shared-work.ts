import { plus } from '../../domain/money'
import { within } from '../../domain/with-timeout'
import type { Ledger } from '../../ledger/ledger'
import type { WatchedCall, WatchedCalls } from '../../gateway/observability/live-calls'
import type { Invited } from '../../business/users/invite-notice'
import type { ProcessBus } from './bus'
import { busTopics, type ServiceLoad } from '../bus-topics'
import type { GatewayParts } from '../composition/subjects'

/** How long one process tells the others of its calls after it was asked to, and how often it is asked. */
const followMs = 15_000
const followAgainMs = 5000
/** How often changes go out together, and how many: a database is not to be busy because somebody looks. */
const followEveryMs = 1000
const maxFollowed = 200

/** Live calls of all processes: each keeps its own. */
export function sharedCalls(own: WatchedCalls, bus: ProcessBus | undefined): WatchedCalls {
  if (bus === undefined) return own
  bus.on(busTopics.liveCalls, () => own.list())
  bus.on(busTopics.stopCall, (request) => own.stop(request))
  notifyFollowers(own, bus)
  const followers = new Set<(call: WatchedCall) => void>()
  bus.on(busTopics.followed, (calls) => {
    for (const call of calls) for (const changed of followers) changed(call)
    return null
  })
  return {
    async list() {
      const others = await bus.others(busTopics.liveCalls, null).catch(() => [])
      const all = [await own.list(), ...others]
      return {
        calls: all.flatMap(({ calls }) => calls).toSorted((a, b) => b.began - a.began),
        forgotten: all.reduce((sum, { forgotten }) => sum + forgotten, 0),
      }
    },
    follow(changed) {
      const end = own.follow(changed)
      followers.add(changed)
      const ask = () => bus.tell(busTopics.follow, null)
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
      return (await bus.others(busTopics.stopCall, request)).includes(true)
    },
  }
}

/** Tells others of each change, for a while after somebody asked. */
function notifyFollowers(own: WatchedCalls, bus: ProcessBus): void {
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
    if (changed.size > 0) bus.tell(busTopics.followed, [...changed.values()])
    changed.clear()
    if (performance.now() > until) stop()
  }
  bus.on(busTopics.follow, () => {
    until = performance.now() + followMs
    unfollow ??= own.follow((call) => {
      if (changed.size < maxFollowed || changed.has(call.id)) changed.set(call.id, call)
    })
    if (timer === null) {
      timer = setInterval(tell, followEveryMs)
      timer.unref()
    }
    return null
  })
}

/** A node that was killed a moment ago says nothing: it is not waited for any longer. */
const maxRecordedMs = 500

/**
 * Has what ended on record, wherever it did. Only a node that misses a call asks the others, and all requests that
 * miss one at a time ask once.
 */
export function sharedRecords(
  ledger: Pick<Ledger, 'flush'>,
  { cluster = null }: Pick<GatewayParts, 'cluster'>,
): () => Promise<void> {
  if (cluster === null) return () => ledger.flush()
  const { bus } = cluster
  bus.on(busTopics.flush, async () => {
    await ledger.flush()
    return true
  })
  const ask = async () => {
    await Promise.all([
      ledger.flush(),
      within(maxRecordedMs, bus.others(busTopics.flush, null)).catch(() => 'away'),
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
  bus?.on(busTopics.load, own)
  return async (): Promise<ServiceLoad> => {
    const others = (await bus?.others(busTopics.load, null).catch(() => [])) ?? []
    return [own(), ...others].reduce((sum, each) => ({
      runningCalls: sum.runningCalls + each.runningCalls,
      held: plus(sum.held, each.held),
      openStreams: sum.openStreams + each.openStreams,
    }))
  }
}

/** Invitations that other processes tell of; undefined where there are none. */
export function sharedInvitations(bus: ProcessBus | undefined) {
  if (bus === undefined) return undefined
  return {
    tell: (invited: Invited) => bus.tell(busTopics.invited, invited),
    onTold: (told: (invited: Invited) => void) =>
      bus.on(busTopics.invited, (invited) => {
        told(invited)
        return null
      }),
  }
}
