import { isFields, type Fields } from '../../json/fields'

/**
 * Events of a stream, each with its name before it, counted from 0 (`sequence_number`).
 * @see openai/openai-openapi `ResponseStreamEvent`, 2.3.0 of 2026-08-21
 */
export interface EventLines {
  event(type: string, members: Fields): string
  /** @param members JSON members without braces, ending with a comma */
  raw(type: string, members: string): string
  next(): number
}

export function openEventLines(): EventLines {
  let count = 0
  return {
    event: (type, members) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...members, sequence_number: count++ })}\n\n`,
    raw: (type, members) =>
      `event: ${type}\ndata: {"type":"${type}",${members}"sequence_number":${count++}}\n\n`,
    next: () => count++,
  }
}

/**
 * An error of ours in both shapes: as the reference describes the event, and nested, as OpenAI was seen to
 * send it.
 */
export function errorMembers(error: unknown): Fields {
  const inner = isFields(error) && isFields(error['error']) ? error['error'] : {}
  const { code, message, param } = inner
  return { code: code ?? null, message, param: param ?? null, error: inner }
}
