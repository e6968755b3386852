import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { invalid } from '../../formats/schema-fault'
import { checkVideosBody, type Reference, type VideoAsk } from '../../formats/videos/schema'
import type { Inbound } from '../../http/inbound'
import { readJson } from '../../http/json-body'
import { readLimited } from '../../http/read-body'

/**
 * A request for a video, as JSON or as the form that the official clients always send.
 * @throws what `checkVideosBody` throws | invalid_json | request_too_large
 */
export async function readAsk({ request }: Inbound, maxBytes: number): Promise<VideoAsk> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^\s*multipart\/form-data\b/i.test(type))
    return checkVideosBody((await readJson(request, maxBytes)).value)
  const { fields, file } = await readForm(await readLimited(request, maxBytes), type)
  return checkVideosBody(fields, file)
}

interface Form {
  readonly fields: Readonly<Record<string, unknown>>
  readonly file: Reference | null
}

/** Clients write members of objects and lists in brackets. */
const urlFields = /^input_reference(?:\[\])?\[image_url\]$/

/** @throws invalid_field */
async function readForm(bytes: Uint8Array, type: string): Promise<Form> {
  const fields: Record<string, unknown> = {}
  let file: Reference | null = null
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': type },
    }).formData()
    for (const [name, value] of form) {
      if (typeof value === 'string')
        if (urlFields.test(name)) fields['input_reference'] = { image_url: value }
        // A picture that is named in another way must not be left out without a word.
        else if (name.startsWith('input_reference')) fields['input_reference'] = value
        else fields[name] = value
      else if (/^input_reference(?:\[\])?$/.test(name))
        file = { kind: 'bytes', bytes: new Uint8Array(await value.arrayBuffer()) }
      else throw invalid(name, 'a string')
    }
  } catch (cause) {
    if (isGatewayError(cause)) throw cause
    const facts = { field: 'body', expected: 'a form of multipart/form-data' }
    throw new GatewayError('invalid_field', facts, { cause })
  }
  return { fields, file }
}
