import type { Caller } from '../../../src/domain/caller'
import type { Ms } from '../../../src/domain/clock'
import { systemIds, systemVideoId } from '../../../src/domain/ids'
import { nanoUsd } from '../../../src/domain/money'
import type { VideoJob } from '../../../src/domain/video-job'

/** A job that is being created. */
export const videoJob = (
  { account, project, key }: Caller,
  created: Ms,
  rest: Partial<VideoJob> = {},
): VideoJob => ({
  id: systemVideoId(),
  request: systemIds.request(),
  account: account.id,
  project: project.id,
  key: key.id,
  model: 'film',
  seconds: '4',
  size: '1280x720',
  cost: nanoUsd(400_000_000),
  created,
  status: 'creating',
  progress: 0,
  vendor: null,
  vendorModel: null,
  vendorJob: null,
  vendorCredential: null,
  error: null,
  ended: null,
  expires: null,
  deleted: null,
  ...rest,
})
