import { fieldsOf, listOf, type Fields } from '../../json/fields'
import { refusedMember } from '../request-members'
import { responsesMembers } from './members'

/** A member that is not allowed, and the allowed value. */
export interface Foreign {
  readonly param: string
  readonly expected: string
}

/**
 * First field of a request (openai/openai-openapi `CreateResponse`) that works on without us, names what
 * lies in the operator's account at a vendor, where others have things too, or has answers judged that
 * nobody would judge; null when there is nothing of it.
 */
export function foreignIn(body: Readonly<Fields>): Foreign | null {
  const { tools, input } = body
  const refused = refusedMember(responsesMembers, body)
  if (refused !== null) return absent(refused)
  const { comparison_response_id: compared } = fieldsOf(body['prompt_cache_options'])
  if (isThere(compared)) return absent('prompt_cache_options.comparison_response_id')
  const offered = inTools(tools, 'tools')
  if (offered !== null) return offered
  for (const [index, raw] of listOf(input).entries()) {
    const item = fieldsOf(raw)
    const at = `input[${index}]`
    if (item['type'] === 'item_reference')
      return { param: `${at}.type`, expected: 'an item, not a reference' }
    const named = inItem(item)
    if (named !== null) return absent(`${at}.${named}`)
    const added = inTools(item['tools'], `${at}.tools`)
    if (added !== null) return added
  }
  return null
}

const absent = (param: string): Foreign => ({ param, expected: 'absent' })

const isThere = (value: unknown): boolean => value !== undefined && value !== null

function inTools(tools: unknown, at: string): Foreign | null {
  for (const [index, tool] of listOf(tools).entries()) {
    const named = inTool(fieldsOf(tool))
    if (named !== null) return absent(`${at}[${index}].${named}`)
  }
  return null
}

function inTool(tool: Fields): string | null {
  const { vector_store_ids: stores, container, environment, input_image_mask: mask } = tool
  if (isThere(stores)) return 'vector_store_ids'
  if (typeof container === 'string' || listOf(fieldsOf(container)['file_ids']).length > 0)
    return 'container'
  const { container_id: id, file_ids: files, skills } = fieldsOf(environment)
  if (isThere(id) || listOf(files).length > 0 || listOf(skills).some(isReference))
    return 'environment'
  return isThere(fieldsOf(mask)['file_id']) ? 'input_image_mask' : null
}

/** A skill that lies in the operator's account; one that comes with the request is the client's. */
const isReference = (skill: unknown): boolean => isThere(fieldsOf(skill)['skill_id'])

/** Contents of a message or of a tool's output: in parts, or as one. */
function inItem({ content, output }: Fields): string | null {
  for (const [name, parts] of Object.entries({ content, output })) {
    const place = listOf(parts).findIndex((part) => isThere(fieldsOf(part)['file_id']))
    if (place >= 0) return `${name}[${place}].file_id`
  }
  return isThere(fieldsOf(output)['file_id']) ? 'output.file_id' : null
}
