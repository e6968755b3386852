import { identify } from '../../call/admit'
import { requestPartsOf } from '../../call/call-context'
import { ClientLeft } from '../../outbound/client-left'
import { dispatch } from '../../call/dispatch'
import { requestsDryRun, dryRun } from '../../call/dry-run'
import type { CallBody } from '../../call/endpoint'
import { jsonResponse } from '../../call/authenticated'
import { holdCall, prepareCall, type Metered, type PreparedCall } from '../../call/prepare'
import { refuse, type CallParts } from '../../call/run'
import type { Acquired } from '../../call/resources'
import { checkRoutes } from '../../call/try-routes'
import type { VideoId } from '../../../domain/ids'
import type { Route } from '../../../domain/model'
import { showUsd } from '../../../domain/money'
import type { VideoJob } from '../../../domain/video-job'
import { type VideoAsk, checkVideosBody, type VideoReference } from '../../formats/videos/schema'
import type { Inbound } from '../../http/inbound'
import { readLanguage } from '../../http/language'
import { headersFor } from '../../http/refusal'
import { exactCeiling } from '../../metering/usage-ceiling'
import type { VideoPicture } from '../../vendors/video-status'
import { videosEndpoint, type Accepted, type VideoCall } from './endpoint'
import type { Videos } from './open-videos'
import { carriedOutcome } from './contract'
import { pollHeaders, videoView } from './view'
import { requestedVideo } from './requested-video'
import { GatewayError } from '../../../errors/gateway-error'
import { readFormParts, type FormPart } from '../../formats/multipart/read-form-parts'
import { invalid } from '../../formats/schema-fault'
import { readJson } from '../../http/json-body'
import { readLimited } from '../../http/read-body'
import { PictureRefused, type FetchPicture } from '../../outbound/fetch-picture'
import { pictureType } from '../../media/picture-type'

/** Dependencies of ordering a video. */
export interface VideoParts extends CallParts {
  readonly videos: Videos
}

/** A request for a video, read and checked. */
interface VideoRequest extends CallBody {
  readonly ask: VideoAsk
}

type Creation = PreparedCall<VideoRequest>

const creating: Metered<VideoRequest> = {
  name: 'videos',
  models: 'video',
  isAlone: true,
  async read(inbound, maxBytes) {
    const ask = await readVideoRequest(inbound, maxBytes)
    return { model: ask.model, stream: false, ask }
  },
  estimate({ ask }, offer) {
    const { units } = requestedVideo(ask, offer)
    return { low: units, usual: units, possible: exactCeiling(units) }
  },
}

/** Slot, hold and job that are undone when it fails. */
interface AcquiredForJob extends Acquired {
  begun: VideoId | null
}

/**
 * Has a vendor accept a job. It is written down before the vendor is asked, and with its charge,
 * durably, before the client is told: a process that dies in between leaves nothing that costs, or
 * a job that the next one looks after.
 * @throws what `identify` throws
 */
export async function createVideo(parts: VideoParts, inbound: Inbound): Promise<Response> {
  const caller = await identify(parts, inbound)
  const acquired: AcquiredForJob = { slot: null, call: null, begun: null }
  const headers = () => headersFor(inbound, parts.limits.allowance(caller, inbound.address))
  try {
    const creation = await prepareCall(parts, creating, { caller, inbound }, acquired)
    if (requestsDryRun(inbound)) {
      const told = await dryRun(parts, creation, () => checkVendors(parts, creation))
      acquired.slot?.release()
      return Response.json(told, { headers: headers() })
    }
    const job = await create(parts, creation, acquired)
    return jsonResponse(videoView(job, readLanguage(inbound.headers)), {
      ...headers(),
      ...pollHeaders(job, parts.videos.paceMs(job)),
      'x-cost-usd': showUsd(job.cost),
    })
  } catch (thrown) {
    const { call, begun } = acquired
    if (call !== null && begun !== null)
      call.hold.carry(carriedOutcome({ id: begun, accepted: null }))
    return refuse(parts, thrown, acquired, { caller, endpoint: 'videos', inbound })
  }
}

/** Whether a vendor could be asked. A picture is not fetched for that. */
function checkVendors(parts: VideoParts, creation: Creation): Promise<void> {
  const { offer } = creation
  const call = requestPartsOf(parts, creation)
  const body = vendorBody(creation, null)
  const { ask } = videosEndpoint(() => {})
  return checkRoutes(parts, { routes: offer.routes, offer }, (target) => ask(body, target, call))
}

async function create(
  parts: VideoParts,
  creation: Creation,
  acquired: AcquiredForJob,
): Promise<VideoJob> {
  const { inbound, body, estimate } = creation
  const { ledger, videos } = parts
  const picture = await fetchReference(body.ask.reference, parts.fetchPicture, inbound.signal)
  const call = await holdCall(parts, creation, acquired)
  const begun = jobOf(videos.newId(), creation)
  await videos.store.begin(begun)
  acquired.begun = begun.id
  await ledger.flush(true)

  let accepted: Accepted | null = null
  const endpoint = videosEndpoint((each) => void (accepted = each))
  // A client that leaves must not leave a vendor with a job that nobody knows of.
  const { signal } = new AbortController()
  const asked = { ...requestPartsOf(parts, creation), inbound: { ...inbound, signal } }
  const vendorCall = vendorBody(creation, picture)
  const { route } = await dispatch(parts, endpoint, vendorCall, asked, call)
  call.answered()
  const job = acceptedJob(begun, accepted, route)
  if (inbound.signal.aborted) {
    videos.runner.forget(job)
    throw new ClientLeft()
  }
  call.hold.carry(carriedOutcome({ id: job.id, accepted: job, due: videos.runner.firstLook(job) }))
  acquired.begun = null
  const usage = { units: estimate.usual, reasoning: 0, estimated: false }
  call.charge({ status: 'success', route, error: null }, usage)
  try {
    await ledger.flush(true)
  } catch (fault) {
    // The client is told that it failed: it must cost nothing, once that can be written.
    videos.runner.abandon(job)
    throw fault
  }
  videos.runner.added()
  return job
}

function vendorBody({ body, offer }: Creation, picture: VideoPicture | null): VideoCall {
  const { ask } = body
  const { seconds, size } = requestedVideo(ask, offer)
  return { model: ask.model, stream: false, asked: { prompt: ask.prompt, seconds, size, picture } }
}

function jobOf(id: VideoId, { opening, body, offer, amount }: Creation): VideoJob {
  const { seconds, size } = requestedVideo(body.ask, offer)
  return {
    id,
    request: opening.id,
    account: opening.account,
    project: opening.project,
    key: opening.key,
    model: opening.model,
    seconds,
    size: size ?? 'auto',
    cost: amount,
    created: opening.created,
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
  }
}

/** The job as its vendor accepted it; the first poll finds one that was made at once. */
function acceptedJob(begun: VideoJob, accepted: Accepted | null, route: Route): VideoJob {
  if (accepted === null) throw new Error('a job that nobody accepted')
  const { job, seen } = accepted
  return {
    ...begun,
    status: seen.status === 'queued' ? 'queued' : 'in_progress',
    vendor: route.vendor,
    vendorModel: route.vendorModel,
    vendorJob: job,
    vendorCredential: route.credential ?? null,
  }
}

/**
 * A request for a video, as JSON or as the form that the official clients always send.
 * @throws what `checkVideosBody` throws | invalid_json | request_too_large
 */
async function readVideoRequest({ request }: Inbound, maxBytes: number): Promise<VideoAsk> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^\s*multipart\/form-data\b/i.test(type))
    return checkVideosBody((await readJson(request, maxBytes)).value)
  const { fields, file } = readForm(await readLimited(request, maxBytes), type)
  return checkVideosBody(fields, file)
}

interface Form {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: VideoReference | null
}

/** Clients write members of objects and lists in brackets. */
const urlFields = /^input_reference(?:\[\])?\[image_url\]$/

/** @throws invalid_field */
function readForm(body: Uint8Array, type: string): Form {
  const fields: Record<string, unknown> = {}
  let file: VideoReference | null = null
  for (const { name, filename, bytes } of partsOf(body, type)) {
    if (filename === null) {
      const value = Buffer.from(bytes).toString()
      if (urlFields.test(name)) fields['input_reference'] = { image_url: value }
      // A picture that is named in another way must not be left out without a word.
      else if (name.startsWith('input_reference')) fields['input_reference'] = value
      else fields[name] = value
    } else if (/^input_reference(?:\[\])?$/.test(name)) file = { kind: 'bytes', bytes }
    else throw invalid(name, 'a string')
  }
  return { fields, file }
}

function partsOf(body: Uint8Array, type: string): readonly FormPart[] {
  try {
    return readFormParts(body, type)
  } catch (cause) {
    const facts = { field: 'body', expected: 'a form of multipart/form-data' }
    throw new GatewayError('invalid_field', facts, { cause })
  }
}

/** Largest picture that vendors take, in bytes. */
const maxBytes = 20_000_000
const field = 'input_reference'

/**
 * The picture that a video begins with, wherever it is.
 * @throws invalid_field when it cannot be had, or is none
 */
async function fetchReference(
  reference: VideoReference | null,
  fetchPicture: FetchPicture,
  signal: AbortSignal,
): Promise<VideoPicture | null> {
  if (reference === null) return null
  const bytes = await bytesOf(reference, fetchPicture, signal)
  const mediaType = pictureType(bytes)
  if (mediaType === null || mediaType === 'image/gif')
    throw invalid(field, 'a JPEG, PNG or WebP picture')
  return { mediaType, bytes }
}

async function bytesOf(
  reference: VideoReference,
  fetchPicture: FetchPicture,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (reference.kind === 'bytes') return reference.bytes
  const data = /^data:[^,]*;base64,(.*)$/is.exec(reference.url)?.[1]
  if (data !== undefined) return decoded(data)
  try {
    return decoded((await fetchPicture(reference.url, maxBytes, signal)).data)
  } catch (thrown) {
    if (!(thrown instanceof PictureRefused)) throw thrown
    throw invalid(field, `a picture that can be fetched: ${thrown.message}`)
  }
}

const decoded = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
