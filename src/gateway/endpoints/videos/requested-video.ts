import type { Offer } from '../../catalogue/catalogue'
import type { Units } from '../../../domain/usage'
import { GatewayError } from '../../../errors/gateway-error'
import { invalid } from '../../formats/schema-fault'
import type { VideoAsk } from '../../formats/videos/schema'
import { variantMeter } from '../../metering/price-card'

/** A video as it will be made, and its units. */
interface RequestedVideo {
  readonly seconds: string
  /** Null where the vendor chooses. */
  readonly size: string | null
  readonly units: Units
}

/** Where the catalogue does not know a model's own. */
const usualSeconds = ['4', '8', '12']
const usualSizes = ['1280x720', '720x1280', '1792x1024', '1024x1792']
/** No model makes more; a catalogue that says so is taken at its word. */
const maxSeconds = 600

/**
 * The video of a request as the model makes it: where the client leaves a choice, the first that the model has.
 * @throws invalid_seconds | invalid_size, also for videos without a price: none is ever guessed
 * @throws invalid_field for a picture that the model does not take
 */
export function requestedVideo(ask: VideoAsk, { model, rates }: Offer): RequestedVideo {
  const { capabilities } = model
  const allowed = capabilities.seconds ?? usualSeconds
  const seconds = ask.seconds ?? (allowed.includes('4') ? '4' : (allowed[0] ?? '4'))
  if (!allowed.includes(seconds) || !(Number(seconds) > 0 && Number(seconds) <= maxSeconds))
    throw new GatewayError('invalid_seconds', { model: model.id, allowed }, { param: 'seconds' })
  const priced = Object.keys(rates.base).flatMap(
    (name) => /^video_second:(.+)$/.exec(name)?.[1] ?? [],
  )
  const made = capabilities.sizes ?? (priced.length > 0 ? priced : null)
  const size = ask.size ?? made?.find((each) => each !== 'auto') ?? null
  const fault = () =>
    new GatewayError(
      'invalid_size',
      { model: model.id, allowed: made ?? usualSizes },
      { param: 'size' },
    )
  if (ask.size !== null && !(made ?? usualSizes).includes(ask.size)) throw fault()
  const meter = variantMeter(rates, 'video_second', size === null ? {} : { size })
  if (meter === null) throw fault()
  if (ask.reference !== null && capabilities.vision !== true)
    throw invalid('input_reference', 'absent for this model')
  return { seconds, size, units: { [meter]: Number(seconds) } }
}
