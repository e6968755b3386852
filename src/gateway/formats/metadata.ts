import { isFields, type Fields } from '../json/fields'

/**
 * Notes of a client on its request without the id of its own user, which goes to no vendor.
 * @returns null where there is none, which spares the text of the request
 */
export function withoutUserId(metadata: unknown): Fields | null {
  if (!isFields(metadata) || !('user_id' in metadata)) return null
  const { user_id: _, ...rest } = metadata
  return rest
}
