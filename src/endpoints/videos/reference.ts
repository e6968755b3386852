import { PictureRefused, type FetchPicture } from '../../outbound/fetch-picture'
import { invalid } from '../../formats/schema-fault'
import type { VideoReference } from '../../formats/videos/schema'
import { pictureType } from '../../media/picture-type'
import type { VideoPicture } from '../../vendors/video-seen'

/** Largest picture that vendors take, in bytes. */
const maxBytes = 20_000_000
const field = 'input_reference'

/**
 * The picture that a video begins with, wherever it is.
 * @throws invalid_field when it cannot be had, or is none
 */
export async function fetchReference(
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
