import { systemVideoId, type VideoId } from '../../../domain/ids'
import type { VideoJob } from '../../../domain/video-job'
import { openInternet } from '../../outbound/public-fetch'
import { openContent, type Content, type ContentRequest } from './content'
import { Runner, type RunnerParts } from './runner'
import type { VideoStore } from './contract'
import { giveUp, look, makerOf, type VendorSideParts } from './vendor-side'

/** Video jobs of a process. */
export interface Videos {
  readonly store: VideoStore
  readonly runner: Runner
  newId(): VideoId
  /** How often a job is worth a look, for us and for clients. */
  paceMs(job: VideoJob): number
  /** @throws what `openContent` throws */
  content(ask: ContentRequest): Promise<Content>
}

type VideosParts = VendorSideParts &
  Pick<RunnerParts, 'clock' | 'monotonic' | 'random' | 'store' | 'ledger' | 'onFault' | 'onTrouble'>

/** Of a vendor that is no more. */
const usualPaceMs = 10_000

export function openVideos(parts: VideosParts): Videos {
  const paceMs = (job: VideoJob) => makerOf(parts, job)?.ability.paceMs ?? usualPaceMs
  const fetchPublic = openInternet()
  const runner = new Runner({
    ...parts,
    paceMs,
    look: (job) => look(parts, job),
    giveUp: (job) => giveUp(parts, job),
  })
  return {
    store: parts.store,
    runner,
    newId: systemVideoId,
    paceMs,
    content: (ask) => openContent({ ...parts, fetchPublic }, ask),
  }
}
