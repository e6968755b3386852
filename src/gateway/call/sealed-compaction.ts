import type { ProjectId } from '../../domain/ids'
import { isFields, type Fields } from '../json/fields'
import type { Seal, SealedContent, Unseal } from '../formats/responses/sealed-items'

/*
 * Texts that a client keeps for us between its calls are sealed for its project: nobody else can read
 * them, change them or give them back, and nothing of them is kept here.
 */

/** Authenticated encryption under the installation's key. */
export interface Sealing {
  seal(text: string, purpose: string): string
  /** @returns null when it was not sealed for this purpose, or was changed */
  open(sealed: string, purpose: string): string | null
}

/** No vendor's begin so: theirs are base64, which has no dots. */
const mark = 'sealed.v1.'
const purposeOf = (project: ProjectId): string => `compaction of project ${project}`

export const sealFor =
  (sealing: Sealing, project: ProjectId): Seal =>
  (content) =>
    mark + sealing.seal(JSON.stringify(content), purposeOf(project))

/** Seals content that only this vendor can read; sealed content stays as it is. */
export const sealVendorFor =
  (sealing: Sealing, project: ProjectId, vendor: string) =>
  (content: string): string =>
    content.startsWith(mark)
      ? content
      : sealFor(sealing, project)({ kind: 'vendor', vendor, content })

export const unsealFor =
  (sealing: Sealing, project: ProjectId): Unseal =>
  (sealed) => {
    if (!sealed.startsWith(mark)) return 'foreign'
    const text = sealing.open(sealed.slice(mark.length), purposeOf(project))
    const content: unknown = text === null ? null : JSON.parse(text)
    return isFields(content) ? contentIn(content) : null
  }

/** Of a kind that this version knows. */
function contentIn({ kind, text, vendor, content }: Fields): SealedContent | null {
  if (kind === 'summary' && typeof text === 'string') return { kind, text }
  if (kind === 'vendor' && typeof vendor === 'string' && typeof content === 'string')
    return { kind, vendor, content }
  return null
}
