import type { VideoJob } from '../domain/video-job'
import type { Videos } from '../endpoints/videos/open-videos'
import type { Runner } from '../endpoints/videos/runner'
import { GatewayError } from '../errors/gateway-error'
import { topics, type Peers } from './peers'

const askAgainMs = 500
/** A job that the owner was not told of is found by its next start. */
const maxTries = 120

/** Videos of one of several processes: the owner looks after jobs, and fronts ask it to. */
export function sharedVideos(videos: Videos, { role, bus }: Peers): Videos {
  if (role === 'front') return { ...videos, runner: remoteRunner(bus, videos.runner) }
  const { runner } = videos
  bus.on(topics.video, async ({ work, job }) => {
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

function remoteRunner(bus: Peers['bus'], here: Runner): Runner {
  /** Told until the owner has heard it: another one may be about to begin. */
  const tell = async (work: 'abandon' | 'forget', job: VideoJob): Promise<void> => {
    for (let tries = 0; tries < maxTries; tries++) {
      const heard = await bus.others(topics.video, { work, job }).catch(() => [])
      if (heard.length > 0) return
      await Bun.sleep(askAgainMs)
    }
  }
  return {
    async start() {},
    firstLook: (job) => here.firstLook(job),
    // The owner finds it in the database.
    added() {},
    abandon: (job) => void tell('abandon', job),
    forget: (job) => void tell('forget', job),
    async cancel(job) {
      const [answer] = await bus.others(topics.video, { work: 'cancel', job }).catch(() => [])
      if (answer === undefined || 'failed' in answer) throw new GatewayError('gateway_error', {})
      return answer.job
    },
    open: () => 0,
    async step() {},
    async close() {},
  }
}
