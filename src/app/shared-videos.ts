import type { VideoJob } from '../domain/video-job'
import type { Videos } from '../endpoints/videos/open-videos'
import type { Runner } from '../endpoints/videos/runner'
import { GatewayError } from '../errors/gateway-error'
import { peerTopics, type Peers } from './peers'

const askAgainMs = 500
/** What the owner was not told of is found by its next start. */
const maxTries = 120

/**
 * Videos of one of several processes. The owner alone ends jobs, since refunds change the sums that it keeps; a
 * front asks it to.
 */
export function sharedVideos(videos: Videos, { role, bus }: Peers): Videos {
  const { runner } = videos
  if (role === 'front') return { ...videos, runner: remoteRunner(runner, bus) }
  bus.on(peerTopics.videoAdded, () => {
    runner.added()
    return null
  })
  bus.on(peerTopics.video, async ({ work, job }) => {
    if (work !== 'cancel') {
      runner[work](job)
      return { job: null }
    }
    try {
      return { job: await runner.cancel(job) }
    } catch {
      return { failed: true as const }
    }
  })
  return videos
}

function remoteRunner(own: Runner, bus: Peers['bus']): Runner {
  /** Told until the owner has heard it: another one may be about to begin. */
  const tell = async (work: 'abandon' | 'forget', job: VideoJob): Promise<void> => {
    for (let tries = 0; tries < maxTries; tries++) {
      const heard = await bus.others(peerTopics.video, { work, job }).catch(() => [])
      if (heard.length > 0) return
      await Bun.sleep(askAgainMs)
    }
  }
  return {
    async start() {},
    firstLook: (job) => own.firstLook(job),
    added: () => bus.tell(peerTopics.videoAdded, null),
    abandon: (job) => void tell('abandon', job),
    forget: (job) => void tell('forget', job),
    async cancel(job) {
      const [answer] = await bus.others(peerTopics.video, { work: 'cancel', job }).catch(() => [])
      if (answer === undefined || 'failed' in answer) throw new GatewayError('gateway_error', {})
      return answer.job
    },
    open: () => 0,
    async step() {},
    async close() {},
  }
}
