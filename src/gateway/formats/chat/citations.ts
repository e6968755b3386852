import { fieldsOf, isCount, isFields, isText, listOf, type Fields } from '../../json/fields'

/**
 * A citation of a page with every member that the reference demands: clients with strict types refuse
 * a whole answer for one that lacks some. xAI gives the address alone; its newer models give 0 and 0
 * for places and the address for a title, which is done here too (its Responses API, 2025-10, 2026-07).
 */
export function urlCitation(cited: Fields): Fields {
  const { start_index: from, end_index: to, title, url } = cited
  return {
    ...cited,
    start_index: isCount(from) ? from : 0,
    end_index: isCount(to) ? to : 0,
    title: typeof title === 'string' ? title : url,
  }
}

/** Whether such a citation lacks nothing. */
export const isWholeCitation = ({ start_index: from, end_index: to, title }: Fields): boolean =>
  isCount(from) && isCount(to) && typeof title === 'string'

/** An annotation of a vendor in the reference shape; those of other types as they are. */
export function referenceAnnotation(annotation: Fields): Fields {
  if (isReferenceAnnotation(annotation)) return annotation
  const { type, url_citation: nested, ...flat } = annotation
  return { type, url_citation: urlCitation(isFields(nested) ? nested : flat) }
}

/** Whether a citation of a page has all members of the reference, in their place. */
export function isReferenceAnnotation(annotation: unknown): boolean {
  const { type, url_citation: cited, url } = fieldsOf(annotation)
  if (type !== 'url_citation' || !isText(fieldsOf(cited)['url'] ?? url)) return true
  return isFields(cited) && isWholeCitation(cited)
}

/**
 * Citations of a stream, kept until their choice ends: official clients cannot join lists that come
 * in several chunks. openai-python throws at the second, openai-node keeps the last.
 */
interface Citations {
  add(choice: number, annotations: unknown): void
  /** All of a choice, once. */
  take(choice: number): readonly Fields[]
  /** All of choices that have not ended. */
  rest(): readonly (readonly [choice: number, annotations: readonly Fields[]])[]
}

export function openCitations(): Citations {
  const waiting = new Map<number, Fields[]>()
  return {
    add(choice, annotations) {
      const more = listOf(annotations).filter(isFields).map(referenceAnnotation)
      if (more.length === 0) return
      const all = waiting.get(choice)
      if (all === undefined) waiting.set(choice, more)
      else all.push(...more)
    },
    take(choice) {
      const all = waiting.get(choice) ?? none
      waiting.delete(choice)
      return all
    },
    rest: () => [...waiting],
  }
}

const none: readonly Fields[] = []
