import { invalidMessage, type Part, type Source } from '../chat/parts'
import type { Fields } from '../../json/fields'

/** @throws invalid_message for sounds, and for files that are neither text nor PDF */
export const renderParts = (parts: readonly Part[]): readonly Fields[] => parts.map(renderPart)

function renderPart(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
    case 'image':
      return { type: 'image', source: sourceOf(part.source) }
    case 'audio':
      throw invalidMessage('messages', 'without input_audio: this model does not listen')
  }
  const title = part.name === null ? {} : { title: part.name }
  return { type: 'document', source: documentOf(part.source), ...title }
}

const sourceOf = (source: Source): Fields =>
  source.kind === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.data }

function documentOf(source: Source): Fields {
  if (source.kind === 'url' || source.mediaType === 'application/pdf') return sourceOf(source)
  if (!source.mediaType.startsWith('text/') && source.mediaType !== 'application/json')
    throw invalidMessage('messages', 'with files of text or PDF only for this model')
  const bytes = Uint8Array.fromBase64(source.data)
  return { type: 'text', media_type: 'text/plain', data: new TextDecoder().decode(bytes) }
}
