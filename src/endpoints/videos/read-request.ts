import { GatewayError } from '../../errors/gateway-error'
import { readFormParts, type FormPart } from '../../formats/multipart/read-form-parts'
import { invalid } from '../../formats/schema-fault'
import { checkVideosBody, type VideoReference, type VideoAsk } from '../../formats/videos/schema'
import type { Inbound } from '../../http/inbound'
import { readJson } from '../../http/json-body'
import { readLimited } from '../../http/read-body'

/**
 * A request for a video, as JSON or as the form that the official clients always send.
 * @throws what `checkVideosBody` throws | invalid_json | request_too_large
 */
export async function readVideoRequest({ request }: Inbound, maxBytes: number): Promise<VideoAsk> {
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
