import { systemVideoId, type VideoId } from '../../domain/ids'
import type { VideoJob } from '../../domain/video-job'
import { openInternet } from '../../outbound/public-fetch'
import { openContent, type Content, type ContentAsk } from './content'
import { openDutyRunner, type Duty } from './duty-runner'
import { openRunner, type Runner, type RunnerParts } from './runner'
import type { VideoStore } from './store'
import { giveUp, look, makerOf, type VendorSideParts } from './vendor-side'

/** Video jobs of a process. */
export interface Videos {
  readonly store: VideoStore
  readonly runner: Runner
  newId(): VideoId
  /** How often a job is worth a look, for us and for clients. */
  paceMs(job: VideoJob): number
  /** @throws what `openContent` throws */
  content(ask: ContentAsk): Promise<Content>
}

type VideosParts = VendorSideParts &
  Pick<RunnerParts, 'clock' | 'random' | 'store' | 'ledger' | 'onFault' | 'onTrouble'> & {
    /** Where several processes could look after jobs: whether this one does. */
    readonly duty?: Duty
  }

/** Of a vendor that is no more. */
const usualPaceMs = 10_000

export function openVideos(parts: VideosParts): Videos {
  const paceMs = (job: VideoJob) => makerOf(parts, job)?.ability.paceMs ?? usualPaceMs
  const fetchPublic = openInternet()
  const ofRunner = {
    ...parts,
    paceMs,
    look: (job: VideoJob) => look(parts, job),
    giveUp: (job: VideoJob) => giveUp(parts, job),
  }
  const { duty } = parts
  const runner = duty === undefined ? openRunner(ofRunner) : openDutyRunner(ofRunner, duty)
  return {
    store: parts.store,
    runner,
    newId: systemVideoId,
    paceMs,
    content: (ask) => openContent({ ...parts, fetchPublic }, ask),
  }
}
