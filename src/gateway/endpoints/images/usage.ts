import type { Offer } from '../../catalogue/catalogue'
import {
  addUsages,
  inputTokens,
  outputTokens,
  partialPicture,
  type Units,
  type Usage,
} from '../../../domain/usage'
import { GatewayError } from '../../../errors/gateway-error'
import type { ImagesReply } from '../../formats/images/reply'
import { qualities, type ImagesBody } from '../../formats/images/schema'
import { invalid } from '../../formats/schema-fault'
import { drawnTokens } from '../../metering/image-output-tokens'
import { variantMeter, type CompiledCard } from '../../metering/price-card'
import { exactCeiling, type UsageCeiling } from '../../metering/usage-ceiling'

/** A request for pictures, as far as it is counted. */
export interface CountedPictures {
  readonly body: ImagesBody
  /** Of the prompt. */
  readonly tokens: number
}

/**
 * Tokens that each partial picture adds.
 * @see https://platform.openai.com/docs/guides/image-generation#partial-images-cost, November 2026
 */
const partialTokens = 100

/**
 * Units to hold: by the picture where the card has a price for this one, by its tokens otherwise.
 * @param requests among which the pictures are divided, each with the whole prompt
 * @throws invalid_size | invalid_field when the requested picture has no price: none is ever guessed
 */
export function guessPictures(call: CountedPictures, offer: Offer, requests: number): Units {
  const { body } = call
  const final = finalUnits(call, offer, requests)
  if (body.stream !== true) return final
  const partials = partialUnits(body.partial_images ?? 0, body, offer)
  if (partials === null) throw invalid('partial_images', '0')
  return addUsages([counted(final, false), counted(partials, false)]).units
}

function finalUnits({ body, tokens }: CountedPictures, offer: Offer, requests: number): Units {
  const count = body.n ?? 1
  const meter = pictureMeter(body, offer)
  if (meter !== null) return { [meter]: count }
  const each = offer.model.traits.pictureTokens ?? drawnTokens(body)
  return { input: tokens * requests, output_image: each * count }
}

/** Tokens that a vendor adds to the prompt. */
const vendorWords = 1024
/** Tokens of thinking, and of words beside a picture. */
const wordsBeside = 8192

/** The most that the pictures can come to, words and thinking included where a vendor bills them. */
export function ceilingOf({ body }: CountedPictures, offer: Offer, usual: Units): UsageCeiling {
  const { output_image: pictures } = usual
  if (pictures === undefined) return exactCeiling(usual)
  const count = body.n ?? 1
  return {
    inputTokens: count * (Buffer.byteLength(body.prompt) + vendorWords),
    outputTokens: pictures + count * (offer.model.maxOutputTokens ?? wordsBeside),
    others: {},
  }
}

/** Pictures shown before the last one; null where they have no price. */
function partialUnits(count: number, body: ImagesBody, offer: Offer): Units | null {
  if (count === 0) return {}
  if (pictureMeter(body, offer) === null) return { output_image: partialTokens * count }
  if (offer.rates.base[partialPicture] !== undefined) return { [partialPicture]: count }
  return offer.model.isFree ? {} : null
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

/**
 * Checks that a cost card which has sizes or qualities apart has one for what was named.
 * @throws invalid_size | invalid_field
 */
export function checkKnownCost(
  { size, quality }: ImagesBody,
  model: string,
  cost: CompiledCard,
): void {
  if (cost.base['image'] !== undefined || cost.base['output_image'] !== undefined) return
  const looks = Object.keys(cost.base).flatMap((name) =>
    name === partialPicture ? [] : (/^image:(.+)$/.exec(name)?.[1]?.split(' ') ?? []),
  )
  const sizes = looks.filter((word) => /^\d/.test(word))
  const known = looks.filter((word) => !/^\d/.test(word))
  if (isUnknown(size, sizes)) throw sizeFault(model, [...new Set(sizes)])
  if (isUnknown(quality, known)) throw invalid('quality', [...new Set(known)].join(' | '))
}

const isUnknown = (named: string | null | undefined, known: readonly string[]): boolean =>
  typeof named === 'string' && named !== 'auto' && known.length > 0 && !known.includes(named)

/** A size that the model does not make, or that has no price. */
export const sizeFault = (model: string, allowed: readonly string[]) =>
  new GatewayError('invalid_size', { model, allowed }, { param: 'size' })

/** The vendor's count where tokens are sold; otherwise the pictures that came. */
export function picturesUsage(
  { data, usage }: Pick<ImagesReply, 'data' | 'usage'>,
  call: CountedPictures,
  { offer, requests }: { readonly offer: Offer; readonly requests: number },
): Usage {
  const meter = pictureMeter(call.body, offer)
  // More than were asked for are the vendor's gift.
  const count = Math.min(data.length, call.body.n ?? 1)
  if (meter !== null) return counted({ [meter]: count }, false)
  if (usage !== null && (count === 0 || outputTokens(usage) > 0))
    return { ...usage, units: soldUnits(usage.units, offer) }
  const { input = 0, output_image: pictures = 0 } = finalUnits(call, offer, requests)
  // A picture that came is counted by us where its vendor does not, beside the prompt that it told.
  const read = usage === null || inputTokens(usage) === 0 ? { input } : usage.units
  return counted({ ...read, output_image: pictures }, true)
}

/** Progress of one streamed picture. */
interface StreamedPicture {
  /** Pictures shown before the last one. */
  readonly partials: number
  /** Null as long as the last one has not come. */
  readonly last: Pick<ImagesReply, 'usage'> | null
}

/**
 * Usage of a stream so far: the vendor's count once it is whole, which has the partial pictures in
 * it; of one that is cut the prompt and what was shown.
 */
export function streamedUsage(
  { partials, last }: StreamedPicture,
  call: CountedPictures,
  offer: Offer,
): Usage {
  const { body } = call
  // More than were asked for are the vendor's gift.
  const count = Math.min(partials, body.partial_images ?? 0)
  const shown = counted(partialUnits(count, body, offer) ?? {}, true)
  const byToken = pictureMeter(body, offer) === null
  if (last === null)
    return byToken ? addUsages([counted({ input: call.tokens }, true), shown]) : shown
  const whole = picturesUsage({ data: [{}], usage: last.usage }, call, { offer, requests: 1 })
  if (byToken && !whole.estimated) return whole
  return { ...addUsages([whole, shown]), estimated: whole.estimated }
}

const counted = (units: Units, estimated: boolean): Usage => ({ units, reasoning: 0, estimated })

/** Where words have no price of their own, all that came out is the picture, as it is where a vendor does not tell them apart. */
function soldUnits(units: Units, { rates }: Offer): Units {
  const { output = 0, output_image: pictures = 0, ...rest } = units
  return output === 0 || rates.base['output'] !== undefined
    ? units
    : { ...rest, output_image: pictures + output }
}
