import { GatewayError } from '../../../errors/gateway-error'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'

/**
 * Mandatory members of content blocks. Blocks of a type we do not know pass: the vendor adds new
 * ones.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts` (`ContentBlockParam`)
 * @param at their place, for refusals
 * @throws invalid_message
 */
export function checkBlocks(content: unknown, at: string): void {
  listOf(content).forEach((block, index) => {
    if (isFields(block)) checkBlock(block, `${at}[${index}]`)
  })
}

function checkBlock(block: Fields, at: string): void {
  switch (block['type']) {
    case 'text':
      return need(typeof block['text'] === 'string', `${at}.text`, 'a string')
    case 'image':
    case 'document':
      return checkSource(block, at)
    case 'tool_use':
      need(isText(block['id']), `${at}.id`, 'a non-empty string')
      need(isText(block['name']), `${at}.name`, 'a non-empty string')
      return need(isFields(block['input']), `${at}.input`, 'an object')
    case 'tool_result': {
      need(isText(block['tool_use_id']), `${at}.tool_use_id`, 'the id of the call that is answered')
      const { content } = block
      const fits = content === undefined || content === null || typeof content === 'string'
      need(fits || Array.isArray(content), `${at}.content`, 'a string or an array of blocks')
      return checkBlocks(content, `${at}.content`)
    }
    case 'search_result':
      need(isTextOrAbsent(block['title']), `${at}.title`, 'a string')
      return need(isTextOrAbsent(block['source']), `${at}.source`, 'a string')
    case 'tool_reference':
      return need(isText(block['tool_name']), `${at}.tool_name`, 'a non-empty string')
    case 'tool_addition': {
      const { definition } = fieldsOf(block['tool'])
      const fits = !isFields(definition) || isText(definition['name'])
      return need(fits, `${at}.tool.definition.name`, 'a non-empty string')
    }
    case 'container_upload':
      throw invalid(`${at}.type`, 'another block: send files in their own blocks')
  }
}

/** An id names a file in the vendor's account, which all our clients share. */
function checkSource(block: Fields, at: string): void {
  const { source } = block
  need(isFields(source), `${at}.source`, 'an object with a type')
  const { type, data, url, content, media_type: media } = fieldsOf(source)
  switch (type) {
    case 'file':
      throw invalid(`${at}.source`, 'the file itself as base64')
    case 'base64':
      need(typeof media === 'string', `${at}.source.media_type`, 'a string')
      return need(typeof data === 'string', `${at}.source.data`, 'base64 text')
    case 'url':
      return need(
        typeof url === 'string' && /^https?:\/\//i.test(url.slice(0, 8)),
        `${at}.source.url`,
        'an https URL',
      )
    case 'text':
      return need(typeof data === 'string', `${at}.source.data`, 'a string')
    case 'content':
      return checkBlocks(content, `${at}.source.content`)
  }
  need(isTextOrAbsent(media), `${at}.source.media_type`, 'a string')
  need(isTextOrAbsent(data), `${at}.source.data`, 'a string')
}

/** Optional, or of a kind whose own form we do not know. */
const isTextOrAbsent = (value: unknown): boolean =>
  value === undefined || value === null || typeof value === 'string'

function need(fits: boolean, param: string, expected: string): void {
  if (!fits) throw invalid(param, expected)
}

const invalid = (param: string, expected: string) =>
  new GatewayError('invalid_message', { field: param, expected }, { param })
