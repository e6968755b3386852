import type { Offer } from '../../catalogue/catalogue'
import type { CountedText } from './text-estimate'
import type { ChatBody } from '../../formats/chat/schema'
import { fieldsOf, listOf } from '../../json/fields'

/** Whether a model has the requested abilities, as the catalogue says: pictures, sound, tools, streams. */
export function suitsText({ body, input, stream }: CountedText, { model }: Offer): boolean {
  const { vision, tools, streaming, audio_input: listens } = model.capabilities
  if (input.pictures.length > 0 && vision !== true) return false
  if (input.audio > 0 && listens !== true) return false
  if ((body.tools?.length ?? 0) > 0 && tools !== true) return false
  return !stream || streaming === true
}

/** Enough to tell conversations apart; more would cost more than it tells. */
const maxMessageChars = 512
const maxChars = 1024

/**
 * Beginning of a prompt: instructions, and what the user said first. It is the same in every turn
 * of a conversation.
 */
export function promptBeginning({ body }: { readonly body: ChatBody }): string {
  let beginning = ''
  for (const { role, content } of body.messages) {
    beginning += `${role} ${textOf(content)}\n`
    if (role === 'user' || beginning.length >= maxChars) break
  }
  return beginning.slice(0, maxChars)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content.slice(0, maxMessageChars)
  // Where a text is cut into parts depends on marks of caches, which move from turn to turn.
  let said = ''
  for (const part of listOf(content)) {
    const { text } = fieldsOf(part)
    if (typeof text === 'string') said += text.slice(0, maxMessageChars)
    if (said.length >= maxMessageChars) break
  }
  return said.slice(0, maxMessageChars)
}
