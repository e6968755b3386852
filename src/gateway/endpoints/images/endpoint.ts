import type { Offer } from '../../catalogue/catalogue'
import { endpoints } from '../../catalogue/endpoints'
import { maxAnswerBytes } from '../../../domain/answer-ceilings'
import { unixSeconds } from '../../../domain/clock'
import { GatewayError } from '../../../errors/gateway-error'
import { imagesUsage, joinImages, renderImages, type ImagesReply } from '../../formats/images/reply'
import { checkImagesBody, type ImagesBody } from '../../formats/images/schema'
import { expandJson } from '../../json/abridge'
import { editMembers } from '../../json/edit-members'
import { invalid, unsupported } from '../../formats/schema-fault'
import { readJson } from '../../http/json-body'
import { estimateTokensInSlices } from '../../metering/estimate-text'
import type { Reply } from '../../outbound/http1/reply'
import type { ImagesAbility, Target } from '../../vendors/vendor'
import { bodyOf } from '../byte-pieces'
import { clientMark } from '../client-mark'
import { refusePrivateUrls } from '../fetched-urls'
import type {
  RequestParts,
  CallBody,
  Endpoint,
  WholeAnswer,
  StreamAnswer,
} from '../../call/endpoint'
import {
  ceilingOf,
  checkKnownCost,
  guessPictures,
  picturesUsage,
  sizeFault,
  type CountedPictures,
  streamedUsage,
} from './usage'
import { notSupported } from '../not-supported'
import { PictureRefused } from '../../outbound/fetch-picture'
import { sellerConditions } from '../seller-conditions'
import { isAbridged, passedReply, isEventStream, replyText } from '../whole-reply'
import { openPictureStream, wholePictureEvent } from '../../formats/images/stream'
import { fieldsOf } from '../../json/fields'
import { readTextStream, wholeAsStream } from '../text/text-stream'

/** A checked request for pictures, with the text it came in. */
interface ImagesCall extends CallBody, CountedPictures {
  readonly model: string
  readonly text: string
}

/** A picture that a vendor only names is fetched up to here. */
const maxPictureBytes = 50 * 1024 * 1024

/** The endpoint of images. */
export const imagesEndpoint: Endpoint<ImagesCall> = {
  name: 'images',
  tellUsage: imagesUsage,
  models: 'image',
  isOrder: true,
  async read(inbound, maxBytes) {
    const { text, value } = await readJson(inbound.request, maxBytes)
    const body = checkImagesBody(value)
    refusePrivateUrls(body)
    const tokens = await estimateTokensInSlices(body.prompt)
    return { model: body.model, stream: body.stream === true, text, body, tokens }
  },
  estimate(call, offer) {
    checkWanted(call.body, offer)
    // A vendor may make one picture for each time it reads the prompt.
    const usual = guessPictures(call, offer, call.body.n ?? 1)
    return { low: guessPictures(call, offer, 1), usual, possible: ceilingOf(call, offer, usual) }
  },
  async ask(call, target, asked) {
    const { offer } = asked
    const { images } = target.vendor.abilities
    if (images === undefined) throw notSupported('images', offer)
    const { text, body, stream } = call
    sellerConditions(body, target, { endpoint: 'images', offer })
    checkStreams(call, images, target, offer)
    checkPlainPrice(body, images, target, asked)
    const mark = clientMark(asked, { stream })
    const requests = countsOf(body.n ?? 1, images.maxPictures(target)).map((count) => ({
      method: 'POST' as const,
      path: images.path(target),
      contentType: 'application/json',
      body: images.render({ text, body, count, stream }, target, mark),
    }))
    const [request, ...also] = requests
    if (request === undefined) throw new Error('no vendor request')
    const asking = { images, call, asked, fetchPictures: fetchAll }
    return {
      request,
      ...(also.length === 0 ? {} : { also }),
      answer: async (first, more) =>
        stream
          ? readPictureStream(first, target, asking)
          : readPictures([first, ...more], images, call, asked),
    }
  },
}

/** @throws endpoint_not_supported where a client would wait for events in vain */
function checkStreams(
  { stream }: ImagesCall,
  images: ImagesAbility,
  target: Target,
  { model }: Offer,
): void {
  if (!stream || (images.streams(target) && model.capabilities.streaming !== false)) return
  throw unsupported(model.id, endpoints.images.path, 'stream')
}

/**
 * One price for all pictures sells none that the vendor bills above its usual, or at a cost that nobody knows, unless
 * the operator listed the sizes.
 * @throws invalid_size | invalid_field
 */
function checkPlainPrice(
  body: ImagesBody,
  images: ImagesAbility,
  target: Target,
  { costs, offer: { model, rates } }: RequestParts,
): void {
  if (model.isFree) return
  const isPlain = rates.base['image'] !== undefined && rates.base['output_image'] === undefined
  if (!isPlain || model.capabilities.sizes !== undefined) return
  const { size } = body
  if (typeof size === 'string' && size !== 'auto' && images.isDearSize?.(size, target) === true)
    throw sizeFault(model.id, ['1024x1024'])
  const cost = costs.of(target.route)
  if (cost !== null) checkKnownCost(body, model.id, cost.rates)
}

async function readPictures(
  answered: readonly Reply[],
  images: ImagesAbility,
  call: ImagesCall,
  asked: RequestParts,
): Promise<WholeAnswer> {
  const { offer, inbound } = asked
  const count = Math.ceil((call.body.n ?? 1) / answered.length)
  const maxBytes = maxAnswerBytes('images', { count })
  const replies = await Promise.all(answered.map((reply) => passedReply(reply, maxBytes)))
  const strings = new Map(replies.flatMap((each) => (isAbridged(each) ? [...each.strings] : [])))
  const came = joinImages(replies.map((each) => images.readReply(each.text, offer.model.id)))
  const reply = noMoreThan(call.body.n ?? 1, came)
  const fetched = await fetchAll(reply, asked)
  const usage = picturesUsage(reply, call, { offer, requests: replies.length })
  const rendered = renderImages(reply, unixSeconds(inbound.received), fetched)
  // What was told is shown as long as it is what is charged.
  const counted = usage.estimated && came.usage !== null
  const made = counted
    ? editMembers(rendered, { set: { usage: imagesUsage(usage) }, drop: [] })
    : rendered
  return {
    kind: 'whole',
    contentType: 'application/json',
    body: strings.size === 0 ? made : await bodyOf(expandJson(made, strings)),
    usage: () => usage,
  }
}

/** How many pictures each of the requests asks for. */
const countsOf = (count: number, most: number): readonly number[] =>
  Array.from({ length: Math.ceil(count / most) }, (_, at) => Math.min(most, count - at * most))

/**
 * @throws invalid_size | invalid_field for pictures that the model does not make, as the catalogue knows it
 */
function checkWanted({ size, output_format: format }: ImagesBody, { model }: Offer): void {
  const { sizes, formats } = model.capabilities
  const named = size ?? 'auto'
  if (named !== 'auto' && !/^[1-9]\d{1,4}x[1-9]\d{1,4}$/.test(named))
    throw sizeFault(model.id, sizes ?? ['1024x1024'])
  if (sizes !== undefined && named !== 'auto' && !sizes.includes(named))
    throw sizeFault(model.id, sizes)
  if (typeof format === 'string' && formats !== undefined && !formats.includes(format))
    throw invalid('output_format', formats.join(' | '))
}

/** Cuts a reply to the requested count where its pictures must be fetched. */
const noMoreThan = (count: number, came: ImagesReply): ImagesReply =>
  came.data.length > count && came.data.some(({ b64_json: own }) => typeof own !== 'string')
    ? { data: came.data.slice(0, count), usage: came.usage }
    : came

/** @returns the base64 of each picture that lay at an address, null for the others */
const fetchAll = (
  { data }: Pick<ImagesReply, 'data'>,
  { fetchPicture, inbound, offer }: RequestParts,
): Promise<(string | null)[]> =>
  Promise.all(
    data.map(async ({ b64_json: own, url }) => {
      if (typeof own === 'string') return null
      try {
        return (await fetchPicture(String(url), maxPictureBytes, inbound.signal)).data
      } catch (cause) {
        if (!(cause instanceof PictureRefused)) throw cause
        throw new GatewayError('upstream_error', { model: offer.model.id }, { cause })
      }
    }),
  )

interface RequestedPicture {
  readonly images: ImagesAbility
  readonly call: CountedPictures
  readonly asked: RequestParts
  /** As of a whole answer: the base64 of what lies at an address, null for what came. */
  fetchPictures(reply: Pick<ImagesReply, 'data'>, asked: RequestParts): Promise<(string | null)[]>
}

/**
 * One picture while it is made. A vendor that knows of no streams answers whole, which is the last
 * event of one.
 * @throws GatewayError the vendor's failure | Error when it is no answer
 */
async function readPictureStream(
  answered: Reply,
  { vendor }: Target,
  { images, call, asked, fetchPictures }: RequestedPicture,
): Promise<StreamAnswer> {
  const { offer, inbound } = asked
  const { id: model } = offer.model
  const events = openPictureStream({
    refuse(event) {
      const failure = vendor.embeddedFailure(event, model)
      if (failure !== null) throw failure
    },
    usageOf: (partials, last) => streamedUsage({ partials, last }, call, offer),
  })
  const parts = { call: asked, promptTokens: 0 }
  if (isEventStream(answered)) return await readTextStream(answered.source, events, parts)
  const text = await replyText(answered, maxAnswerBytes('images'))
  const data = images.readReply(text, model).data.slice(0, 1)
  const [fetched] = await fetchPictures({ data }, asked)
  const { size, quality, background, output_format: format } = call.body
  const look = {
    created: unixSeconds(inbound.received),
    size: size ?? 'auto',
    quality: quality ?? 'auto',
    background: background ?? 'auto',
    format: format ?? 'png',
  }
  const picture = fetched ?? String(data[0]?.['b64_json'])
  const told = fieldsOf(JSON.parse(text))['usage']
  return wholeAsStream(events.event(wholePictureEvent(picture, look, told)), events, parts)
}
