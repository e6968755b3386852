import { identify, takeSeat } from '../call/admit'
import { askPartsOf, openingOf } from '../call/asker'
import { ClientLeft } from '../call/client-left'
import { dispatch } from '../call/dispatch'
import { asksDryRun, dryRun } from '../call/dry-run'
import { jsonResponse } from '../call/keyed'
import { openOutcome } from '../call/outcome'
import { refuse, type CallParts } from '../call/run'
import type { Taken } from '../call/taken'
import { checkOpen } from '../call/switches'
import type { Offer } from '../catalogue/catalogue'
import { resolve } from '../catalogue/resolve'
import type { Caller } from '../domain/caller'
import type { VideoId } from '../domain/ids'
import type { Route } from '../domain/model'
import { showUsd, type NanoUsd } from '../domain/money'
import type { CallOpening } from '../domain/record'
import type { VideoJob } from '../domain/video-job'
import type { VideoAsk } from '../formats/videos/schema'
import type { Inbound } from '../http/inbound'
import { readLanguage } from '../http/language'
import { headersFor } from '../http/refusal'
import { checkModel } from '../identity/access'
import { price } from '../metering/price'
import type { VideoPicture } from '../vendors/video-seen'
import { videosEndpoint, type Accepted, type VideoCall } from './endpoint'
import type { Videos } from './open-videos'
import { fetchReference } from './reference'
import { readAsk } from './read-ask'
import { pollHeaders, videoView } from './view'
import { wantedOf, type Wanted } from './wanted'

export interface VideoParts extends CallParts {
  readonly videos: Videos
}

/** A job whose model and price are known. */
interface Creation {
  readonly caller: Caller
  readonly inbound: Inbound
  readonly ask: VideoAsk
  readonly offer: Offer
  readonly wanted: Wanted
  readonly cost: NanoUsd
  readonly opening: CallOpening
}

/** What is to be given back when it fails, and the job that is then none. */
interface TakenJob extends Taken {
  begun: VideoId | null
}

/**
 * Has a vendor accept a job. It is written down before the vendor is asked, and with its charge,
 * durably, before the client is told: a process that dies in between leaves nothing that costs, or
 * a job that the next one looks after.
 * @throws what `identify` throws
 */
export async function createVideo(parts: VideoParts, inbound: Inbound): Promise<Response> {
  const caller = identify(parts, inbound)
  const taken: TakenJob = { seat: null, call: null, begun: null }
  const headers = () => headersFor(inbound, parts.limits.allowance(caller))
  try {
    checkOpen(parts.settings)
    taken.seat = takeSeat(parts, caller)
    const ask = await readAsk(inbound, caller.account.maxRequestKb * 1024)
    const offer = resolve(parts.catalogue, 'videos', 'video', ask.model)
    checkModel(caller, offer.model)
    const wanted = wantedOf(ask, offer)
    const cost = price(wanted.units, offer.rates)
    const opening = openingOf({ caller, offer, inbound }, 'videos', false)
    const creation = { caller, inbound, ask, offer, wanted, cost, opening }
    if (asksDryRun(inbound)) {
      const told = await tellOf(parts, creation)
      taken.seat.release()
      return Response.json(told, { headers: headers() })
    }
    const job = await create(parts, creation, taken)
    return jsonResponse(videoView(job, readLanguage(inbound.headers)), {
      ...headers(),
      ...pollHeaders(job, parts.videos.paceMs(job)),
      'x-cost-usd': showUsd(cost),
    })
  } catch (thrown) {
    const { call, begun } = taken
    if (call !== null && begun !== null) call.hold.carry({ id: begun, accepted: null })
    return refuse(parts, thrown, taken, { caller, endpoint: 'videos', inbound })
  }
}

/** What it would cost. A picture is not fetched for that. */
const tellOf = (parts: VideoParts, creation: Creation) => {
  const { caller, cost, opening, wanted } = creation
  return dryRun(
    parts,
    videosEndpoint(() => {}),
    bodyOf(creation, null),
    {
      asked: askPartsOf(parts, creation),
      estimate: { low: wanted.units, high: wanted.units },
      request: { caller, amount: cost, opening },
    },
  )
}

async function create(parts: VideoParts, creation: Creation, taken: TakenJob): Promise<VideoJob> {
  const { caller, inbound, ask, offer, wanted, cost, opening } = creation
  const { ledger, videos } = parts
  const { seat } = taken
  if (seat === null) throw new Error('a job without a seat')
  const picture = await fetchReference(ask.reference, parts.fetchPicture, inbound.signal)
  const hold = ledger.hold({ caller, amount: cost, opening })
  const call = openOutcome(parts, { hold, seat, offer, opening, inbound })
  taken.call = call
  const begun = jobOf(videos.newId(), creation)
  videos.store.begin(begun)
  taken.begun = begun.id
  ledger.flush(true)

  let accepted: Accepted | null = null
  const endpoint = videosEndpoint((each) => void (accepted = each))
  // A client that leaves must not leave a vendor with a job that nobody knows of.
  const { signal } = new AbortController()
  const asked = { ...askPartsOf(parts, creation), inbound: { ...inbound, signal } }
  const { route } = await dispatch(parts, endpoint, bodyOf(creation, picture), asked)
  call.answered()
  const job = acceptedJob(begun, accepted, route)
  if (inbound.signal.aborted) {
    videos.runner.forget(job)
    throw new ClientLeft()
  }
  hold.carry({ id: job.id, accepted: job })
  taken.begun = null
  const usage = { units: wanted.units, reasoning: 0, estimated: false }
  call.charge({ status: 'success', route, error: null }, usage)
  try {
    ledger.flush(true)
  } catch (fault) {
    // The client is told that it failed: it must cost nothing, once that can be written.
    videos.runner.abandon(job)
    throw fault
  }
  videos.runner.add(job)
  return job
}

const bodyOf = ({ ask, wanted }: Creation, picture: VideoPicture | null): VideoCall => ({
  model: ask.model,
  stream: false,
  asked: { prompt: ask.prompt, seconds: wanted.seconds, size: wanted.size, picture },
})

const jobOf = (id: VideoId, { opening, wanted, cost }: Creation): VideoJob => ({
  id,
  request: opening.id,
  account: opening.account,
  project: opening.project,
  key: opening.key,
  model: opening.model,
  seconds: wanted.seconds,
  size: wanted.size ?? 'auto',
  cost,
  created: opening.created,
  status: 'creating',
  progress: 0,
  vendor: null,
  vendorModel: null,
  vendorJob: null,
  error: null,
  ended: null,
  expires: null,
  deleted: null,
})

/** What a vendor made at once is found by the first look. */
function acceptedJob(begun: VideoJob, accepted: Accepted | null, route: Route): VideoJob {
  if (accepted === null) throw new Error('a job that nobody accepted')
  const { job, seen } = accepted
  return {
    ...begun,
    status: seen.status === 'queued' ? 'queued' : 'in_progress',
    vendor: route.vendor,
    vendorModel: route.vendorModel,
    vendorJob: job,
  }
}
