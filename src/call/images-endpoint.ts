import type { Offer } from '../catalogue/catalogue'
import { unixSeconds } from '../domain/clock'
import type { Units, Usage } from '../domain/usage'
import { GatewayError } from '../errors/gateway-error'
import { joinImages, renderImages, type ImagesReply } from '../formats/images/reply'
import { checkImagesBody, qualities, type ImagesBody } from '../formats/images/schema'
import { expandJson } from '../formats/json/abridge'
import { invalid } from '../formats/schema-fault'
import { readJson } from '../http/json-body'
import { estimateTokensInSlices } from '../metering/estimate-text'
import { variantMeter } from '../metering/price-card'
import { exactCeiling, type UsageCeiling } from '../metering/usage-ceiling'
import { bodyOf } from './byte-pieces'
import { clientMark } from './client-mark'
import type { AskParts, CallBody, Endpoint } from './endpoint'
import { notSupported } from './not-supported'
import { PictureRefused } from './pictures'
import { isAbridged, passedReply } from './whole-reply'

/** A checked request for pictures, with the text it came in. */
export interface ImagesCall extends CallBody {
  readonly model: string
  readonly text: string
  readonly body: ImagesBody
  readonly tokens: number
}

/** Tokens of one picture of a million pixels, by quality; the vendor's own table, scaled by area. */
const pictureTokens: Readonly<Record<string, number>> = { low: 272, medium: 1056, high: 4160 }
const squarePixels = 1024 * 1024
/** Of a size that the vendor chooses. */
const largestPixels = 1024 * 1536
/** A picture that a vendor only names is fetched up to here. */
const mostPictureBytes = 50 * 1024 * 1024

export const imagesEndpoint: Endpoint<ImagesCall> = {
  name: 'images',
  models: 'image',
  isOrder: true,
  async read(inbound, maxBytes) {
    const { text, value } = await readJson(inbound.request, maxBytes)
    const body = checkImagesBody(value)
    const tokens = await estimateTokensInSlices(body.prompt)
    return { model: body.model, stream: false, text, body, tokens }
  },
  estimate(call, offer) {
    checkWanted(call.body, offer)
    // A vendor may make one picture for each time it reads the prompt.
    const usual = guessOf(call, offer, call.body.n ?? 1)
    return { low: guessOf(call, offer, 1), usual, possible: ceilingOf(call, offer, usual) }
  },
  ask(call, target, asked) {
    const { offer } = asked
    const { images } = target.vendor.abilities
    if (images === undefined) throw notSupported('images', offer)
    const { text, body } = call
    const mark = clientMark(asked, false)
    const requests = countsOf(body.n ?? 1, images.mostPictures(target)).map((count) => ({
      method: 'POST' as const,
      path: images.path(target),
      contentType: 'application/json',
      body: images.render({ text, body, count }, target, mark),
    }))
    const [request, ...also] = requests
    if (request === undefined) throw new Error('nothing to ask for')
    return {
      request,
      ...(also.length === 0 ? {} : { also }),
      async answer(first, more) {
        const replies = await Promise.all([first, ...more].map(async (each) => passedReply(each)))
        const strings = new Map(
          replies.flatMap((each) => (isAbridged(each) ? [...each.strings] : [])),
        )
        const came = joinImages(replies.map((each) => images.readReply(each.text, offer.model.id)))
        const reply = noMoreThan(body.n ?? 1, came)
        const fetched = await fetchAll(reply, asked)
        const usage = usageOf(reply, call, { offer, requests: replies.length })
        const created = unixSeconds(asked.inbound.received)
        const made = renderImages(reply, created, fetched)
        return {
          kind: 'whole',
          contentType: 'application/json',
          body: strings.size === 0 ? made : await bodyOf(expandJson(made, strings)),
          usage: () => usage,
        }
      },
    }
  },
}

/** How many pictures each of the requests asks for. */
const countsOf = (count: number, most: number): readonly number[] =>
  Array.from({ length: Math.ceil(count / most) }, (_, at) => Math.min(most, count - at * most))

/** @throws invalid_size | invalid_field for what the model does not make, as the catalogue knows it */
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

const sizeFault = (model: string, allowed: readonly string[]) =>
  new GatewayError('invalid_size', { model, allowed }, { param: 'size' })

/**
 * What is held: by the picture where the card has a price for this one, by its tokens otherwise.
 * @param requests among which the pictures are divided, each with the whole prompt
 * @throws invalid_size | invalid_field when what is asked has no price: none is ever guessed
 */
function guessOf({ body, tokens }: ImagesCall, offer: Offer, requests: number): Units {
  const { size, quality, n } = body
  const count = n ?? 1
  const meter = pictureMeter(body, offer)
  if (meter !== null) return { [meter]: count }
  const each = offer.model.traits.pictureTokens ?? tokensOf(size, quality)
  return { input: tokens * requests, output_image: each * count }
}

/** What a vendor tells its model beside the prompt. */
const vendorWords = 1024
/** Tokens of thinking, and of words beside a picture. */
const wordsBeside = 8192

/** The most that the pictures can come to, words and thinking included where a vendor bills them. */
function ceilingOf({ body }: ImagesCall, offer: Offer, usual: Units): UsageCeiling {
  const { output_image: pictures } = usual
  if (pictures === undefined) return exactCeiling(usual)
  const count = body.n ?? 1
  return {
    inputTokens: count * (Buffer.byteLength(body.prompt) + vendorWords),
    outputTokens: pictures + count * (offer.model.maxOutputTokens ?? wordsBeside),
    others: {},
  }
}

function tokensOf(size: ImagesBody['size'], quality: ImagesBody['quality']): number {
  const [width = 0, height = 0] = size?.split('x').map(Number) ?? []
  const pixels =
    Number.isFinite(width * height) && width * height > 0 ? width * height : largestPixels
  const each = pictureTokens[quality ?? 'auto'] ?? pictureTokens['high'] ?? 0
  return Math.ceil((each * pixels) / squarePixels)
}

/** The meter of one picture; null where pictures are sold by their tokens. @throws invalid_size | invalid_field */
function pictureMeter({ size, quality }: ImagesBody, { model, rates }: Offer) {
  if (rates.base['output_image'] !== undefined) return null
  const wanted = {
    ...(typeof size === 'string' ? { size } : {}),
    // What the vendor then chooses has a price of its own, or none.
    quality: quality ?? 'auto',
  }
  const meter = variantMeter(rates, 'image', wanted)
  if (meter !== null) return meter
  const priced = Object.keys(rates.base).flatMap((name) => /^image:(.+)$/.exec(name)?.[1] ?? [])
  const sold = qualities.filter((each) =>
    priced.some((name) => name === each || name.startsWith(`${each} `)),
  )
  // Sold by quality, and not in this one: no other size would help.
  if (sold.length > 0 && !sold.some((each) => each === wanted.quality))
    throw invalid('quality', sold.join(' | '))
  throw sizeFault(
    model.id,
    priced.map((name) => name.replace(`${wanted.quality} `, '')).filter((name) => /^\d/.test(name)),
  )
}

/** The vendor's count where it is what is sold; otherwise the pictures that came. */
function usageOf(
  { data, usage }: ImagesReply,
  call: ImagesCall,
  { offer, requests }: { readonly offer: Offer; readonly requests: number },
): Usage {
  const meter = pictureMeter(call.body, offer)
  // More than were asked for are the vendor's gift.
  const count = Math.min(data.length, call.body.n ?? 1)
  if (meter !== null) return { units: { [meter]: count }, reasoning: 0, estimated: false }
  return usage === null
    ? { units: guessOf(call, offer, requests), reasoning: 0, estimated: true }
    : { ...usage, units: soldUnits(usage.units, offer) }
}

/** Where words have no price of their own, all that came out is the picture, as it is where a vendor does not tell them apart. */
function soldUnits(units: Units, { rates }: Offer): Units {
  const { output = 0, output_image: pictures = 0, ...rest } = units
  return output === 0 || rates.base['output'] !== undefined
    ? units
    : { ...rest, output_image: pictures + output }
}

/** Who asks for one picture does not have us fetch a hundred. */
const noMoreThan = (count: number, came: ImagesReply): ImagesReply =>
  came.data.length > count && came.data.some(({ b64_json: own }) => typeof own !== 'string')
    ? { data: came.data.slice(0, count), usage: came.usage }
    : came

/** @returns the base64 of each picture that lay at an address, null for the others */
const fetchAll = (
  { data }: ImagesReply,
  { fetchPicture, inbound, offer }: AskParts,
): Promise<(string | null)[]> =>
  Promise.all(
    data.map(async ({ b64_json: own, url }) => {
      if (typeof own === 'string') return null
      try {
        return (await fetchPicture(String(url), mostPictureBytes, inbound.signal)).data
      } catch (cause) {
        if (!(cause instanceof PictureRefused)) throw cause
        throw new GatewayError('upstream_error', { model: offer.model.id }, { cause })
      }
    }),
  )
