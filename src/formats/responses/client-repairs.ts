import { isWholeCitation, urlCitation } from '../chat/citations'
import { isFields, listOf, type Fields } from '../chat/wire'

/*
 * What vendors of the Responses format send to clients of the same format, and official clients cannot
 * read. Everything else passes to the letter.
 */

/** Repairs the events of one stream. */
export interface EventRepairs {
  /** @returns the very event where nothing is wrong */
  repair(event: Fields): Fields
  /** Whether events that hold a piece of the answer may pass unread. */
  readonly trustsPieces: boolean
}

/**
 * Ids of items, of which clients demand that they stay: GitHub Copilot makes a new one in each event
 * (recorded 2026-02). The first one is kept. And citations, as `repairOutput` has it.
 */
export function openEventRepairs(): EventRepairs {
  const ids = new Map<unknown, string>()
  /** The first event about an item has still to show whether its id stays. */
  let isUnsure = false
  let rotates = false

  const idAt = (place: unknown, told: unknown): string | null => {
    if (typeof told !== 'string') return null
    const known = ids.get(place)
    if (known === undefined) {
      ids.set(place, told)
      isUnsure = true
      return null
    }
    isUnsure = false
    if (known === told) return null
    rotates = true
    return known
  }

  const withIds = (event: Fields): Fields => {
    const { output_index: place, item, item_id: told, response } = event
    if (isFields(response) && rotates && Array.isArray(response['output'])) {
      const output = response['output'].map((each: unknown, at) =>
        isFields(each) && ids.has(at) ? { ...each, id: ids.get(at) } : each,
      )
      return { ...event, response: { ...response, output } }
    }
    if (place === undefined) return event
    if (isFields(item)) {
      const id = idAt(place, item['id'])
      return id === null ? event : { ...event, item: { ...item, id } }
    }
    const id = idAt(place, told)
    return id === null ? event : { ...event, item_id: id }
  }

  return {
    repair: (event) => withCitations(withIds(event)),
    get trustsPieces() {
      return !isUnsure && !rotates
    },
  }
}

function withCitations(event: Fields): Fields {
  const { annotation, part, item, response } = event
  if (isFields(annotation)) return replaced(event, 'annotation', repairAnnotation(annotation))
  if (isFields(part)) return replaced(event, 'part', repairPart(part))
  if (isFields(item)) return replaced(event, 'item', repairItem(item))
  if (!isFields(response) || !Array.isArray(response['output'])) return event
  const output = repairOutput(response['output'])
  return replaced(event, 'response', replaced(response, 'output', output))
}

/** Citations of pages with all members that the reference demands. @returns the very list where none lacks any */
export const repairOutput = (output: readonly unknown[]): readonly unknown[] =>
  each(output, repairItem)

const repairItem = (item: Fields): Fields =>
  item['type'] === 'message'
    ? replaced(item, 'content', each(listOf(item['content']), repairPart))
    : item

const repairPart = (part: Fields): Fields => {
  const annotations = listOf(part['annotations'])
  return annotations.length === 0
    ? part
    : replaced(part, 'annotations', each(annotations, repairAnnotation))
}

const repairAnnotation = (annotation: Fields): Fields =>
  annotation['type'] === 'url_citation' && !isWholeCitation(annotation)
    ? urlCitation(annotation)
    : annotation

const replaced = (fields: Fields, name: string, value: unknown): Fields =>
  fields[name] === value ? fields : { ...fields, [name]: value }

function each(list: readonly unknown[], repair: (one: Fields) => Fields): readonly unknown[] {
  const repaired = list.map((one) => (isFields(one) ? repair(one) : one))
  return repaired.some((one, at) => one !== list[at]) ? repaired : list
}
