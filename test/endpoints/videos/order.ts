import type { Caller } from '../../../src/domain/caller'
import type { Ms } from '../../../src/domain/clock'
import { nanoUsd } from '../../../src/domain/money'
import type { VideoJob } from '../../../src/domain/video-job'
import { carriedOutcome } from '../../../src/gateway/endpoints/videos/contract'
import type { Storage } from '../../../src/business/data/storage'
import { charge, ending, opening } from '../../storage/folder'
import { videoJob } from './job'

/** A job that a vendor accepted, with its call as it is on record. */
export async function orderVideo(
  storage: Pick<Storage, 'videos' | 'ledger'>,
  caller: Caller,
  created: Ms,
  cost: number,
  id?: string,
): Promise<VideoJob> {
  const call = { ...opening(caller, created, id), endpoint: 'videos' as const }
  const begun = videoJob(caller, created, { request: call.id, cost: nanoUsd(cost) })
  await storage.videos.begin(begun)
  const accepted: VideoJob = { ...begun, status: 'queued', vendor: 'films', vendorJob: 'v' }
  const ended = {
    opening: call,
    ending: ending(begun.cost, { status: 'success' }),
    held: begun.cost,
    wasOpened: false,
    carried: carriedOutcome({ id: begun.id, accepted }),
  }
  await storage.ledger.commit({ ...charge(call, cost), ended: [ended] }, true)
  return accepted
}
