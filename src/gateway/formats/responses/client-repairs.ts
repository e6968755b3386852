import { isWholeCitation, urlCitation } from '../chat/citations'
import { isFields, type Fields } from '../../json/fields'
import { wholeArguments } from '../chat/wire'

/*
 * What vendors of the Responses format send to clients of the same format, and official clients cannot
 * read. Everything else passes to the letter.
 */

/** Repairs the events of one stream. */
interface EventRepairs {
  /** @returns the very event where nothing is wrong */
  repair(event: Fields): Fields
  /** Whether events that hold a piece of the answer may pass unread. */
  readonly trustsPieces: boolean
}

/**
 * Repairs ids of items, of which clients demand that they stay: GitHub Copilot makes a new one in each
 * event. The first one is kept. And what `repairOutput` does.
 */
export function openEventRepairs(): EventRepairs {
  const ids = new Map<unknown, string>()
  /** The first event about an item has still to show whether its id stays. */
  let isUnsure = false
  let rotates = false

  const idAt = (place: unknown, reported: unknown): string | null => {
    if (typeof reported !== 'string') {
      isUnsure = false
      return null
    }
    const known = ids.get(place)
    if (known === undefined) {
      ids.set(place, reported)
      isUnsure = true
      return null
    }
    isUnsure = false
    if (known === reported) return null
    rotates = true
    return known
  }

  const withIds = (event: Fields): Fields => {
    const { output_index: place, item, item_id: reported, response } = event
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
    const id = idAt(place, reported)
    return id === null ? event : { ...event, item_id: id }
  }

  return {
    repair: (event) => withWholeItems(withIds(event)),
    get trustsPieces() {
      return !isUnsure && !rotates
    },
  }
}

function withWholeItems(event: Fields): Fields {
  const { type, annotation, part, item, response } = event
  if (isFields(annotation)) return replaced(event, 'annotation', repairAnnotation(annotation))
  if (isFields(part)) return replaced(event, 'part', repairPart(part))
  // An item that begins is empty as it should be.
  if (type === 'response.output_item.added') return event
  if (isFields(item)) return replaced(event, 'item', repairItem(item))
  if (type === 'response.function_call_arguments.done') return withArguments(event)
  if (!isFields(response) || !Array.isArray(response['output'])) return event
  const output = repairOutput(response['output'])
  return replaced(event, 'response', replaced(response, 'output', output))
}

/**
 * Items of a whole output, with all members of their citations that the reference demands, and `{}` for
 * arguments that are blank: clients parse them.
 * @returns the very list where nothing is wrong
 */
export const repairOutput = (output: readonly unknown[]): readonly unknown[] =>
  each(output, repairItem)

function repairItem(item: Fields): Fields {
  const { type, content, status } = item
  if (type === 'message' && Array.isArray(content))
    return replaced(item, 'content', each(content, repairPart))
  const isCut = status === 'in_progress' || status === 'incomplete'
  return type === 'function_call' && !isCut ? withArguments(item) : item
}

const withArguments = (call: Fields): Fields =>
  replaced(call, 'arguments', wholeArguments(call['arguments']))

const repairPart = (part: Fields): Fields => {
  const { annotations } = part
  return Array.isArray(annotations)
    ? replaced(part, 'annotations', each(annotations, repairAnnotation))
    : part
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
