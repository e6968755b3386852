import type { Offer } from '../../catalogue/catalogue'
import type { CountedText } from './text-estimate'

/** Whether a model says of itself that it can do what is asked: pictures, sound, tools, streams. */
export function suitsText({ body, input, stream }: CountedText, { model }: Offer): boolean {
  const { vision, tools, streaming, audio_input: listens } = model.capabilities
  if (input.pictures.length > 0 && vision !== true) return false
  if (input.audio > 0 && listens !== true) return false
  if ((body.tools?.length ?? 0) > 0 && tools !== true) return false
  return !stream || streaming === true
}
