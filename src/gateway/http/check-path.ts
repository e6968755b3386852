import { invalid } from '../formats/schema-fault'

/** Longer than any id; a step of a path is a name or an id. */
const maxStep = 512

/**
 * Refuses a path that names nothing: percent signs that are no encoding of UTF-8 (RFC 3986, 2.1), and steps longer
 * than any id. Routers hand such a step on as it is, or not at all.
 * @throws invalid_field
 */
export function checkPath(path: string): void {
  if (path.length > maxStep && path.split('/').some((step) => step.length > maxStep))
    throw invalid('path', `steps of at most ${maxStep} characters`)
  if (path.includes('%') && !isDecodable(path)) throw invalid('path', 'percent-encoded UTF-8')
}

/**
 * Refuses a step that is a number in another form than digits, such as 1e9, 0x10 or 1.0: the router's schemas would take
 * it for an id.
 * @param path that `checkPath` let pass
 * @throws invalid_field
 */
export function checkNumbers(path: string): void {
  for (const step of path.split('/')) {
    const text = decodeURIComponent(step)
    if (text !== '' && !/^\d+$/.test(text) && !Number.isNaN(Number(text)))
      throw invalid('path', 'numbers in digits alone')
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
